"""File names for titles: readable, taken by every file system, and usable in a link.

a/b: c?   ->   a-b - c          CON   ->   (CON)          ???   ->   Concept
"""

import re
from collections.abc import Collection, Iterable
from itertools import chain, count
from unicodedata import category, normalize

LONGEST = 100
_MOST_BYTES = 200  # of the 255 that a name may have: a number and the ending come behind it
_WRITTEN = {"/": "-", "\\": "-", "|": "-", '"': "'", "[": "(", "]": ")"}
_SPACED_COLON = re.compile(r"\s*:\s+")
_UNWELCOME = re.compile(r"[*?<>#^:]+|%%")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\..*)?", re.IGNORECASE)
_JOINERS = "\u200c\u200d"


def file_name(title: str, fallback: str) -> str:
    """A name, without ending, that reads like the title; the fallback where nothing of the title can stand in one."""
    text = "".join(_WRITTEN.get(char, char) for char in map(_spaced, normalize("NFC", title)))
    text = _UNWELCOME.sub(" ", _SPACED_COLON.sub(" - ", text))
    name = _shortened(_trimmed(text))
    if not name.strip("-' ()"):
        return fallback
    return f"({name})" if _RESERVED.fullmatch(name) else name


def folded(name: str) -> str:
    """A name as file systems compare it: neither case nor the form of an accent counts."""
    return normalize("NFC", normalize("NFC", name).casefold())


def free_name(name: str, qualifiers: Iterable[str], taken: Collection[str]) -> str:
    """The name, or what tells it from the (folded) names that are taken: a qualifier in brackets, else a number."""
    wordy = (
        f"{name} ({qualifier})" for qualifier in qualifiers if len(f"{name} ({qualifier})".encode()) <= _MOST_BYTES
    )
    numbered = (f"{name} ({number})" for number in count(2))
    return next(each for each in chain([name], wordy, numbered) if folded(each) not in taken)


def _spaced(char: str) -> str:
    """Nothing for a sign that cannot be seen, a space for any that parts words."""
    kind = category(char)
    if char.isspace() or kind in ("Zl", "Zp"):
        return " "
    return "" if kind in ("Cc", "Cs") or (kind == "Cf" and char not in _JOINERS) else char


def _trimmed(text: str) -> str:
    return " ".join(text.split()).lstrip(". -").rstrip(". -")


def _shortened(name: str) -> str:
    """Cut at a word, and never inside a letter or emoji that is made of several signs."""
    if len(name) <= LONGEST and len(name.encode()) <= _MOST_BYTES:
        return name
    import regex

    kept, size = "", 0
    for letter in regex.findall(r"\X", name):
        size += len(letter.encode())
        if len(kept) + len(letter) > LONGEST or size > _MOST_BYTES:
            break
        kept += letter
    words = kept.rpartition(" ")[0]
    return _trimmed(words if len(words) > len(kept) // 2 else kept) + "…"
