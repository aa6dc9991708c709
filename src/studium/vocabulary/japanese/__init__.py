"""Japanese: words and readings, kana, romaji, furigana and speech."""
