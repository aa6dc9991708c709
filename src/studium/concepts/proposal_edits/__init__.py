"""How one change after another is made to a proposal."""
