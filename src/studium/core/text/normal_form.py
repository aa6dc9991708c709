"""Texts as they are compared: whatever their case, the form of their signs, their accents and spaces.

Keys that are stored are made elsewhere, so that they stay what they are.
"""

from functools import lru_cache
from unicodedata import normalize

from studium.core.text.locate import DASHES, DOUBLE_QUOTES, SINGLE_QUOTES, ZERO_WIDTH

_TYPED = str.maketrans(
    dict.fromkeys(SINGLE_QUOTES, "'")
    | dict.fromkeys(DOUBLE_QUOTES, '"')
    | dict.fromkeys(DASHES, "-")
    | dict.fromkeys(ZERO_WIDTH)
)
_OWN_LETTERS = "йїґў"


class _Bare(dict[int, str]):
    """What is left of each sign without its accents; each is found out once."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        parts = normalize("NFD", sign)
        is_accented = len(parts) > 1 and all("\u0300" <= mark <= "\u036f" for mark in parts[1:])
        bare = parts[0] if is_accented and sign.lower() not in _OWN_LETTERS else sign
        self[code] = "" if "\u0300" <= sign <= "\u036f" else bare
        return self[code]


_BARE = _Bare()


def fold(text: str, *, accents: bool = True, marks: bool = True) -> str:
    """A text in small letters, its signs in one form, with single spaces.

    Without `accents`, `É` is `e`; without `marks`, quotation marks and dashes are as on a typewriter.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    plain = text if marks else text.translate(_TYPED)
    # What is folded may decompose again: `ǰ`, or the Turkish `İ`.
    folded = normalize("NFKC", normalize("NFKC", plain).casefold())
    return " ".join((folded if accents else strip_accents(folded)).split())


def strip_accents(text: str) -> str:
    """A text without the accents on its letters; what is a letter of its own (`й`, `ї`, `が`) stays."""
    return text if text.isascii() else normalize("NFC", text).translate(_BARE)


@lru_cache(maxsize=10_000)
def fold_to_letters(text: str) -> str:
    """The letters and digits of a text alone, in small letters: `O'Brien, J.` and `obrien j` are one."""
    return "".join(filter(str.isalnum, fold(text)))


def collapse_spaces(text: str) -> str:
    """A text on one line with single spaces."""
    return " ".join(text.split())
