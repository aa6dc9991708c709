"""Which thing in a note is which card that is known already."""
