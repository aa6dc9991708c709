"""Relating concepts, no longer relating them, and saying of a relation that it stands or goes."""

from typing import NamedTuple

from studium.domain.concept import RelationType
from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.proposal import Candidate, Link, Standing
from studium.workflows.concepts.revising.naming import listed, told
from studium.workflows.concepts.revising.revision import Revision


class Ends(NamedTuple):
    """What a relation binds: a concept, and another by its key or a kept one by its id and title."""

    concept: Candidate
    target: str
    title: str


def relate(revision: Revision, change: Change) -> None:
    """Relate a concept to another; a rejected relation comes back, and a new reasoning replaces the old one."""
    ends = _ends(revision, change)
    if ends is None:
        return
    if change.type is None:
        why = f"it does not say how they relate; the types are {', '.join(RelationType)}"
        revision.refuse(change, "untyped_relation", why)
    elif not all(each.lives for each in revision.concepts if each.key in (ends.concept.key, ends.target)):
        revision.refuse(
            change, "rejected_concept", f"{ends.concept.key} or {ends.target} is rejected; restore it first"
        )
    elif known := revision.between(ends.concept.key, ends.target, change.type):
        _renew(revision, change, known)
    elif ends.target == ends.concept.same_as:
        revision.refuse(change, "relation_to_itself", f"{told(ends.concept)} is the kept “{ends.title}” itself")
    else:
        revision.links.append(
            Link(
                source=ends.concept.key,
                target=ends.target,
                title=ends.title,
                type=change.type,
                reasoning=change.reasoning,
            )
        )


def unrelate(revision: Revision, change: Change) -> None:
    """Take the relation of two concepts away; whatever binds them, where no type is given."""
    gone = set(_found(revision, change))
    revision.links = [link for at, link in enumerate(revision.links) if at not in gone]


def set_relation_standing(revision: Revision, change: Change, standing: Standing) -> None:
    """Say that the relation of two concepts stands, goes or comes back; whatever binds them, where no type is given."""
    for at in _found(revision, change):
        revision.links[at] = revision.links[at].model_copy(update={"standing": standing})


def _renew(revision: Revision, change: Change, known: list[int]) -> None:
    links = [revision.links[at] for at in known]
    rejected = all(link.standing is Standing.REJECTED for link in links)
    if not rejected and change.reasoning in {"", *(link.reasoning for link in links)}:
        revision.refuse(change, "known_relation", f"{links[0].key} is there already")
        return
    new: dict[str, object] = {"reasoning": change.reasoning} if change.reasoning else {}
    if rejected:
        new["standing"] = Standing.PROPOSED
    for at in known:
        revision.links[at] = revision.links[at].model_copy(update=new)


def _found(revision: Revision, change: Change) -> list[int]:
    """Where the links stand that the change names; where there is none, that is told."""
    ends = _ends(revision, change)
    if ends is None:
        return []
    found = revision.between(ends.concept.key, ends.target, change.type)
    if not found:
        there = [link.key for link in revision.proposal().relations if ends.concept.key in (link.source, link.target)]
        instead = f"there are {listed(there)}" if there else f"{told(ends.concept)} relates to nothing"
        named = f"{ends.concept.key} {change.type or 'to'} {ends.target}"
        revision.refuse(change, "unknown_relation", f"there is no relation {named}; {instead}")
    return found


def _ends(revision: Revision, change: Change) -> Ends | None:
    concept = revision.named(change, change.concept)
    if concept is None:
        return None
    if change.target in revision.kept:
        return Ends(concept, change.target, revision.kept[change.target])
    target = revision.named(change, change.target)
    if target == concept:
        revision.refuse(change, "relation_to_itself", f"{told(concept)} cannot relate to itself")
        return None
    return Ends(concept, target.key, "") if target else None
