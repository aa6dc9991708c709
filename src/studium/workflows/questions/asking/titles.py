"""What a document without headings is about: the case it decides, or the line that stands over it."""

import re
from collections.abc import Sequence

from studium.workflows.questions.source import Sentence

LONGEST_TITLE = 10
FIRST_SENTENCES = 12
_CASE = re.compile(r"[A-Z][^.:;]{2,50}(?:\.[^.:;]{0,20})? v\. [A-Z].{2,60}")


def title_of(sentences: Sequence[Sentence]) -> str:
    """The title of a document, or nothing where none is sure."""
    first = [each for each in sentences[:FIRST_SENTENCES] if not each.heading and "\n" not in each.quote]
    if case := next((each.text for each in first if _CASE.fullmatch(each.text)), ""):
        return case
    return first[0].text if first and first[0] is sentences[0] and _is_title(first[0].text) else ""


def _is_title(text: str) -> bool:
    words = text.split()
    return 0 < len(words) <= LONGEST_TITLE and text[-1].isalnum() and ":" not in text and text[0].isupper()
