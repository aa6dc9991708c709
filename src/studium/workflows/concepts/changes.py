"""What may be done to a proposal, item by item: by a person, by a refinement, or by feedback put into practice."""

from typing import Literal

from pydantic import Field, StrictBool

from studium.core.domain.value import Value
from studium.domain.concept import RelationType

Action = Literal["approve", "reject", "restore", "edit", "merge", "unmerge", "split", "add", "relate", "unrelate"]


class Part(Value):
    """One concept that another is split into; `quotes` are keys (`q12`)."""

    title: str
    concept: str = ""
    analysis: str = ""
    quotes: tuple[str, ...] = ()


class Change(Value):
    """One change to a proposal.

    - approve, reject, restore: `concept` stands, goes, or comes back; with `target` and `type`, a relation of it does.
    - edit: the fields that are given replace those of `concept`; `quotes` replaces its quotes; `same_as` says which
      kept concept (by id) it is, and "" that it is none.
    - merge: `others` become part of `concept`; unmerge takes `concept` apart again.
    - split: `concept` becomes the `parts`.
    - add: a new concept with `title`, `text` and `quotes`.
    - relate, unrelate: `concept` relates to `target` by `type`, or no longer.
    """

    action: Action
    concept: str = ""
    others: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    title: str | None = None
    text: str | None = Field(default=None, description="What the concept says.")
    analysis: str | None = None
    summary: str | None = None
    summary_short: str | None = None
    quotes: tuple[str, ...] | None = None
    same_as: str | None = None
    target: str = ""
    type: RelationType | None = None
    reasoning: str = ""


class ReviewAnswer(Value):
    """What a person answers to a proposal: changes, free words, and whether what then stands is to be kept.

    `proposal` is the fingerprint of what the person was shown; an answer to something older is refused.
    """

    approved: StrictBool = False
    feedback: str = ""
    changes: tuple[Change, ...] = ()
    proposal: str | None = None
