"""Makes cards: what of a note goes on the front, the back and below."""
