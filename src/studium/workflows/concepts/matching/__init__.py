"""Which quotes are one, however they were read."""
