"""Small pieces that several pages are made of."""
