"""Running."""
