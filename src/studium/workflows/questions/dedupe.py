"""Whether a question was asked before."""

from collections.abc import Sequence

from studium.core.domain.ports import Similarity
from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule
from studium.workflows.questions.sameness.asked import read_question
from studium.workflows.questions.sameness.pair import pair_of
from studium.workflows.questions.skills import Deduped, DedupeGiven

NEAREST = 12
ALIKE = 0.78
ALIKE_BUT_FOR_A_WORD = 0.9
# The vectors of many questions take long: only this many times as many as are wanted are compared by them.
_WIDER = 4


def same_question(one: str, other: str, similarity: Similarity | None = None) -> bool:
    """Whether two questions have the same answer; where rules tell them apart, no similarity overrules."""
    if one.split() == other.split():
        return True
    pair = pair_of(one, other)
    if pair.contradicts:
        return False
    if pair.says_the_same or pair.asks_for_another:
        return pair.says_the_same
    # The embedder knows English; elsewhere only words tell.
    if similarity is None or pair.one.language != "en":
        return pair.mostly_shared
    return similarity(one, other) >= (ALIKE_BUT_FOR_A_WORD if pair.replaces_a_word else ALIKE)


def nearest_questions(
    question: str, accepted: Sequence[str], k: int = NEAREST, similarity: Similarity | None = None
) -> tuple[str, ...]:
    """The accepted questions most like this one, the nearest first."""
    shared = {other: _shared_words(question, other) for other in accepted}
    by_words = sorted(shared, key=lambda other: (-shared[other], other))
    if similarity is None:
        return tuple(by_words[:k])
    near = {other: similarity(question, other) + shared[other] for other in by_words[: k * _WIDER]}
    return tuple(sorted(near, key=lambda other: (-near[other], other))[:k])


def dedupe_rule(similarity: Similarity | None = None) -> Rule:
    """The rule that answers the deduplicator's skill."""

    def dedupe(given: DedupeGiven, _tools: Sequence[Tool]) -> Deduped:
        same = (asked for asked in given.accepted if same_question(given.question, asked, similarity))
        return Deduped(duplicate_of=next(same, None))

    return dedupe


def _shared_words(one: str, other: str) -> float:
    """Which share of their words two questions have in common, from 0 to 1."""
    mine, theirs = read_question(one).stems, read_question(other).stems
    return 2 * len(mine & theirs) / ((len(mine) + len(theirs)) or 1)
