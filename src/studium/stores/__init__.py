"""Where things are kept: the ledger, Anki packages, datasets."""
