"""The answers of one visit, and how they are taken back."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from studium.app.review_actions import RefusedAnswer, answer_review, answer_reviews, reopen_review
from studium.core.domain.decision import Review
from studium.core.domain.errors import Conflict
from studium.web.house import service
from studium.web.inbox.live import live
from studium.web.parts.figures import counted

_GONE_ON = " Its book had gone on with your answer: what was kept stays kept, and can be changed under Concepts."


@dataclass(frozen=True)
class Given:
    """One answer, to one review or to many."""

    reviews: tuple[str, ...]
    told: str
    moments: tuple[datetime | None, ...]
    """When each was answered: a later answer is somebody else's."""


@dataclass
class Answers:
    """What was answered on this visit, last first."""

    given: list[Given] = field(default_factory=list)

    async def give(
        self, review: str, status: str, answer: dict[str, Any] | None = None, comment: str | None = None
    ) -> Given:
        """Answer one review."""
        taken = await answer_review(service(), review, status, answer, comment)
        live.put(taken)
        return self._remember([taken], f"{status.capitalize()}: {short(taken.decision.item)}")

    async def give_all(self, reviews: Sequence[str], status: str) -> tuple[Given | None, list[RefusedAnswer]]:
        """Give many reviews one answer; says which did not take it."""
        taken, refused = await answer_reviews(service(), reviews, status)
        await live.look()
        told = f"{status.capitalize()}: {counted(len(taken), 'review')}"
        return (self._remember(taken, told) if taken else None), refused

    async def undo(self, given: Given) -> str:
        """Open again what was answered; says so, and what it means."""
        went_on, others = False, 0
        for review, moment in zip(given.reviews, given.moments, strict=True):
            try:
                opened, has_gone_on = await reopen_review(service(), review, moment)
            except Conflict:
                others += 1
                continue
            live.put(opened)
            went_on |= has_gone_on
        self.given = [each for each in self.given if each is not given]
        if others:
            return f"{others} answered anew elsewhere meanwhile: that answer stays.{_GONE_ON if went_on else ''}"
        return f"Taken back: {given.told.partition(': ')[2]}.{_GONE_ON if went_on else ''}"

    def _remember(self, taken: Sequence[Review], told: str) -> Given:
        given = Given(tuple(each.id for each in taken), told, tuple(each.answered_at for each in taken))
        self.given.insert(0, given)
        return given


def short(item: str) -> str:
    """What an item is called in passing."""
    return item.partition("#")[0].rpartition("/")[2] or item
