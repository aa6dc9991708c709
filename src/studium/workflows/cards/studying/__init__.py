"""What to learn first, and what is missing."""
