"""The small words of five languages: they tell the language, and they carry no fact."""

import re
from functools import lru_cache

from studium.workflows.questions.comparing.lexicon import lexicon

_KANA = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LETTERS = re.compile(r"[^\W\d_]+")

FUNCTION_WORDS = lexicon("comparing").by_language("function_words")
NEGATIONS = lexicon("comparing").by_language("negations")


@lru_cache(maxsize=4096)
def language_of(text: str) -> str:
    """Which of the known languages a text is most likely in; English where nothing tells."""
    if _KANA.search(text):
        return "ja"
    if _CYRILLIC.search(text):
        return "ru"
    words = [word.casefold() for word in _LETTERS.findall(text[:4000]) if len(word) > 1]
    hits = {code: sum(word in FUNCTION_WORDS[code] for word in words) for code in ("en", "de", "es", "fr")}
    return max(hits, key=lambda code: hits[code])


def is_function_word(word: str, language: str) -> bool:
    """Whether a case-folded word carries no fact of its own in this language."""
    return word in FUNCTION_WORDS.get(language, frozenset())


def negates(word: str, language: str) -> bool:
    """Whether a case-folded word turns a statement into its opposite."""
    return word in NEGATIONS[language] or word.endswith(("n't", "n’t"))
