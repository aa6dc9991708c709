"""What a student wants: to understand something, or to get something to work."""
