"""The dictionaries: JMdict for Japanese, FreeDict for German."""
