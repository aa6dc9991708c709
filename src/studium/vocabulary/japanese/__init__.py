"""Japanese: words and their readings, kana, Hepburn, the readings of each kanji."""
