"""The words of a text, as the index counts them: case-folded, plurals as singulars, CJK in pairs of signs."""

import re
from collections.abc import Iterator
from unicodedata import normalize

# Kana, Han and Thai are written without spaces.
_WORD = re.compile(
    r"(?P<unspaced>[\u0e00-\u0eff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)|[^\W_\u0e00-\u0eff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_SHORTEST_PLURAL = 4
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a an and are as at be by can did do does for from had has have how i if in into is it its me my of on or so
        than that the their them then there these they this to was we were what when where which while who whose why
        will with you your""",
    )
)


def words_of(text: str) -> list[str]:
    """Every word of a text that is indexed."""
    return [word for match in _words(text) for word in _indexed(match)]


def words_asked(text: str) -> list[str]:
    """The words to look for, without those that only make it a question, if there are others.

    Of an unspaced script, a single sign counts only where it stands alone.
    """
    found = list(_words(text))
    telling = [match for match in found if match[0] not in _FUNCTION_WORDS] or found
    return [word for match in telling for word in (_pairs(match[0]) if match["unspaced"] else _indexed(match))]


def _words(text: str) -> Iterator[re.Match[str]]:
    return _WORD.finditer(normalize("NFKC", text).casefold())


def _indexed(match: re.Match[str]) -> list[str]:
    word = match[0]
    return [*_pairs(word), *word] if match["unspaced"] and len(word) > 1 else [_singular(word)]


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _singular(word: str) -> str:
    """English plurals as singulars (Harman's S-stemmer): `routers` becomes `router`; `bus` and `class` stay."""
    if len(word) < _SHORTEST_PLURAL or not word.isascii() or not word.endswith("s"):
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    return word if word.endswith(("us", "ss")) else word[:-1]
