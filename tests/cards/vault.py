"""Realistic long notes, as many as a test wants: the hand-written ones, taken apart and put together anew.

An answer gets the opening of one note and sections of several others in its language, until it is as long as answers in
real vaults are (the median is 4,500 characters).
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from studium.cards.notes import read_note
from studium.core.documents.registry import read_document

NOTES = Path(__file__).parent / "sample_notes"


class Written(NamedTuple):
    question: str
    opening: str
    sections: tuple[str, ...]
    language: str


@cache
def written() -> tuple[Written, ...]:
    """Every long answer of the hand-written notes, in parts."""
    found = []
    for path in sorted(NOTES.glob("q-*.md")):
        document = read_document(path).document
        assert document is not None
        for card in read_note(document, name=path.name).cards:
            opening, *sections = re.split(r"(?m)^(?=### )", card.back)
            found.append(
                Written(card.front, opening.strip(), tuple(s.strip() for s in sections), card.language or "en")
            )
    return tuple(found)


def long_notes(count: int, seed: int = 1) -> Iterator[tuple[str, int]]:
    """Notes, each with the length of its answer."""
    random = Random(seed)
    for _ in range(count):
        own = random.choice([each for each in written() if each.opening])
        others = [s for each in written() if each.language == own.language and each is not own for s in each.sections]
        length = int(random.lognormvariate(8.41, 0.45))
        sections = list(own.sections)
        for section in random.sample(others, len(others)):
            if sum(map(len, [own.opening, *sections])) < length:
                sections.append(section)
        answer = "\n\n".join([own.opening, *sections])
        question, reply = ("Вопрос (RU)", "Ответ (RU)") if own.language == "ru" else ("Question (EN)", "Answer (EN)")
        header = f"---\ntopic: interview\nlanguage_tags: [{own.language}]\n---\n"
        yield f"{header}# {question}\n> {own.question}\n\n## {reply}\n{answer}\n", len(answer)
