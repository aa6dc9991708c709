"""What the rules understand of German, Spanish, French and Russian sentences."""
