"""Measures what the house promises. Ratios of one run count; absolute times depend on the machine."""
