"""English word lists for the generator, and what is plural."""

from studium.core.text.word_lists import load_word_sections

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_PLURALS = frozenset({"bacteria", "children", "criteria", "data", "feet", "men", "mice", "people", "series", "species"})
SHORTEST_PLURAL = 4


def is_plural(word: str) -> bool:
    """`bones`, `people`; not `bus`, `class`, `axis`."""
    lower = word.lower()
    if lower in _PLURALS:
        return True
    return len(lower) >= SHORTEST_PLURAL and lower.endswith("s") and not lower.endswith(("ss", "us", "is"))


def word_list(name: str) -> frozenset[str]:
    """The words of a section of the list of English words."""
    return load_word_sections(__package__, "data/english.txt")[name]
