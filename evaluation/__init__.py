"""Scores the product on labelled material that its authors did not write; the material stays where it is."""
