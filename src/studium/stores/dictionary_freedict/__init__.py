"""FreeDict: bilingual dictionaries as Debian packs them; free (GPL), read where they are installed, never shipped."""
