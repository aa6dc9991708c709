"""Split an English sentence into words as the Universal Dependencies treebanks do: `do n't`, `Dumar 's`."""

import re
from collections.abc import Iterator

Span = tuple[int, int]

_CLITIC = r"['\u2019](?:s|re|ve|ll|d|m)\b"
_WORD = re.compile(
    r"(?:https?|ftp)://[^\s<>\"\u201d]*[^\s<>\"\u201d.,;:!?)\]]"  # an address
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w.])(?:[A-Za-z]\.){2,}"  # `U.S.`, `e.g.`
    r"|(?<![\w.])(?:Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Inc|Corp|Co|Ltd|No|Nos|vs|cf|etc|al|Fig|Figs|Eq|Sec|Ch|Vol|Rev|Gen|Gov|Sen"
    r"|Rep|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.(?=\s|,|$)"
    r"|[~.]?/(?:[\w.+~*-]+/?)+|(?<![\w-])\.\w[\w.]*\w|(?<![\w-])--?[A-Za-z][\w-]*(?<=\w)"  # a path, an option
    r"|\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s)?\b"
    r"|\w+(?:::\w+)+(?:\(\))?|[a-z]+(?:-[a-z]+)*\.(?:d|py|js|conf|service|txt|html|xml|json|yaml|c|h|cpp|so|deb)\b"
    r"|\w+(?:_\w*)+(?:\(\))?|\w+(?:\.\w+)+(?:\(\))?|\w+\(\)"  # `read_lines`, `django.db.models`, `main()`
    rf"|(?i:can(?=not\b)|not\b)|[^\W_]+?(?=n['\u2019]t\b)|(?i:n['\u2019]t\b)|(?i:{_CLITIC})"
    rf"|[^\W_]+(?:['\u2019](?!(?:s|re|ve|ll|d|m|t)\b)[^\W_]+)*"
    r"|\.{2,}|--+|\S"
)


def split_english(text: str) -> list[Span]:
    """Where each word and each mark stands in a sentence."""
    return list(_spans(text))


def _spans(text: str) -> Iterator[Span]:
    for found in _WORD.finditer(text):
        start, end = found.span()
        # The point that ends the sentence is a word of its own, also after `etc.`
        if end == len(text.rstrip()) and end - start > 1 and text[end - 1] == "." and text[end - 2].isalpha():
            yield start, end - 1
            yield end - 1, end
        else:
            yield start, end


def letter_case(word: str) -> int:
    """The class of a word by its letters, as the parser was trained with."""
    if not any(sign.isalnum() for sign in word):
        return 5
    if any(sign.isdigit() for sign in word):
        return 4
    if word.isupper() and len(word) > 1:
        return 2
    if word[0].isupper():
        return 1
    return 3 if any(sign.isupper() for sign in word) else 0
