"""Whether two concepts are the same idea, related, or different; nothing is merged by it.

How near the texts are tells most. What it does not tell is seen by how they are built: one may deny what the other
says, or keep the subject and say something else of it (`Inflation hurts savers`, `Inflation helps debtors`).
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule
from studium.workflows.concepts.desk import Embed
from studium.workflows.concepts.sameness.said import Said, Words, denied_by_one, opposed, read, shared
from studium.workflows.concepts.sameness.scale import similarities
from studium.workflows.concepts.skills import Compared, DuplicateGiven, Duplicates, Idea

SAME = 0.34  # cosine of title and text from which on they may be one idea
RELATED = 0.25  # cosine below which they have nothing to do with each other
ALIKE_BY_WORDS = 0.12  # share of words, where there is no embedder
LITERAL = 0.7  # share of words from which on two texts are one with small changes
PARALLEL = 0.5  # share of words from which on one word that is turned round turns the whole
SURELY = 0.85  # cosine from which on nothing but a contradiction sets them apart
OPENING = 2  # how many words texts begin with when they are built alike

Verdict = Literal["same", "related", "different"]
_SEEN: dict[Verdict, str] = {
    "same": "They say one thing in other words",
    "related": "They have something in common, but too little to be one idea",
    "different": "They have little in common",
}


class Judgement(NamedTuple):
    """What two concepts are to each other, and what decided."""

    verdict: Verdict
    reasoning: str


def compare(one: Idea, other: Idea, similarity: float | None) -> Judgement:
    """What two concepts are to each other; `similarity` is the cosine of their whole texts."""
    first, second = read(one.title, one.concept), read(other.title, other.concept)
    words = shared(first.text, second.text)
    near = f"{words:.0%} of their words shared" if similarity is None else f"similarity {similarity:.2f}"
    verdict = _by_nearness(words, similarity)
    contradiction = _contradiction(first, second) if verdict != "different" else None
    if contradiction:
        return Judgement("related", f"They speak of one thing, but {contradiction} ({near}).")
    if max(words / LITERAL, (similarity or 0) / SURELY) >= 1:
        return Judgement("same", f"They say it in nearly the same words ({near}).")
    point = _another_point(first, second) if verdict == "same" and first.glossed == second.glossed else None
    if point:
        return Judgement("related", f"{point} ({near}).")
    return Judgement(verdict, f"{_SEEN[verdict]} ({near}).")


def _by_nearness(words: float, similarity: float | None) -> Verdict:
    if similarity is None:
        return "same" if words >= ALIKE_BY_WORDS else "different"
    return "same" if similarity >= SAME else "related" if similarity >= RELATED else "different"


def whole_text(idea: Idea) -> str:
    """The text of a concept as it is embedded."""
    return f"{idea.title}. {idea.concept}"


def duplicates_rule(embed: Embed) -> Rule:
    """The rule that says what each of the others is to a candidate; where `embed` gives nothing, words decide."""

    def duplicates(given: DuplicateGiven, _tools: Sequence[Tool]) -> Duplicates:
        nearness = similarities(embed, whole_text(given.candidate), [whole_text(other) for other in given.others])
        judged = (
            (other, compare(given.candidate, other, near)) for other, near in zip(given.others, nearness, strict=True)
        )
        return Duplicates(
            compared=tuple(
                Compared(other=other.key, verdict=verdict, reasoning=reasoning)
                for other, (verdict, reasoning) in judged
            )
        )

    return duplicates


def _contradiction(one: Said, other: Said) -> str | None:
    """What one denies or turns round that the other affirms: of the titles' subject, or in texts else built alike."""
    titles_meet = bool(one.title.all & other.title.all)
    texts_parallel = shared(one.text, other.text) >= PARALLEL
    for mine, theirs, meet in ((one.title, other.title, titles_meet), (one.text, other.text, texts_parallel)):
        found = _turned(mine, theirs) if meet else None
        if found:
            return found
    return None


def _turned(one: Words, other: Words) -> str | None:
    denied = denied_by_one(one, other)
    if denied:
        return f"one denies what the other says of “{one.spelled(denied)}”"
    opposites = opposed(one, other)
    if opposites:
        return f"one says “{one.spelled(opposites[0])}” where the other says “{other.spelled(opposites[1])}”"
    if one.numbers and other.numbers and one.numbers != other.numbers:
        return f"one says {', '.join(sorted(one.numbers))} and the other {', '.join(sorted(other.numbers))}"
    return None


def _another_point(one: Said, other: Said) -> str | None:
    """How two concepts in one language are seen to make two points about one subject."""
    if _opening(one.title, other.title):
        return f"They say different things of “{one.title.words[0]}”"
    if _opening(one.text, other.text) >= OPENING:
        return f"They begin alike (“{' '.join(one.text.words[:OPENING])}”) and go on otherwise"
    return None


def _opening(one: Words, other: Words) -> int:
    """How many words two texts begin with alike before each goes its own way."""
    pairs = enumerate(zip(one.ordered, other.ordered, strict=False))
    return next((index for index, (mine, theirs) in pairs if mine != theirs), 0)
