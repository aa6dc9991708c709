"""What the rules understand of English sentences."""
