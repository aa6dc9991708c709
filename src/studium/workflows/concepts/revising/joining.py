"""Merging concepts into one, and taking them apart again exactly."""

from collections.abc import Sequence

from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.proposal import Backing, Candidate, Merge
from studium.workflows.concepts.revising.naming import told
from studium.workflows.concepts.revising.revision import Revision


def merge(revision: Revision, change: Change) -> None:
    """Let the others become part of the concept: its texts stay, the quotes and relations of all are its own."""
    concept = revision.named_living(change, change.concept)
    others = _others(revision, change, concept) if concept else []
    if concept is None or not others:
        return
    record = Merge(
        places=tuple(revision.place(each.key) for each in others), quotes=concept.quotes, same_as=concept.same_as
    )
    united: dict[str, Backing] = {}
    for backing in (backing for each in others for backing in each.quotes):
        united.setdefault(backing.quote, backing)
    own = {each.quote for each in concept.quotes}
    joined = concept.model_copy(
        update={
            "quotes": (*concept.quotes, *(each for each in united.values() if each.quote not in own)),
            "same_as": _joint_same_as(concept, others),
            "merged": (*concept.merged, *others),
            "merges": (*concept.merges, record),
        }
    )
    revision.put(joined)
    gone = {each.key for each in others}
    revision.concepts = [each for each in revision.concepts if each.key not in gone]


def unmerge(revision: Revision, change: Change) -> None:
    """Take the latest merge of a concept apart: the others come back whole, and it keeps what it has got since."""
    concept = revision.named(change, change.concept)
    if concept is None:
        return
    if not concept.merged:
        revision.refuse(change, "nothing_merged", f"nothing was merged into {told(concept)}")
        return
    record = concept.merges[-1] if concept.merges else _guessed_record(revision, concept)
    count = len(concept.merged) - len(record.places)
    others = concept.merged[count:]
    own, brought = {each.quote for each in record.quotes}, {each.quote for other in others for each in other.quotes}
    unedited = concept.same_as == _joint_same_as(concept.model_copy(update={"same_as": record.same_as}), others)
    revision.put(
        concept.model_copy(
            update={
                "quotes": tuple(each for each in concept.quotes if each.quote in own or each.quote not in brought),
                "same_as": record.same_as if unedited else concept.same_as,
                "merged": concept.merged[:count],
                "merges": concept.merges[:-1],
            }
        )
    )
    for place, other in sorted(zip(record.places, others, strict=True), key=lambda placed: placed[0]):
        revision.concepts.insert(place, other)


def _others(revision: Revision, change: Change, concept: Candidate) -> list[Candidate]:
    """Those that can become part of the concept, each once; what cannot is told."""
    others: list[Candidate] = []
    for key in change.others:
        other = revision.named_living(change, key)
        if other == concept:
            revision.refuse(change, "merge_with_itself", f"{told(concept)} cannot become part of itself")
        elif other and other not in others:
            others.append(other)
    if not change.others:
        revision.refuse(change, "empty_merge", f"it does not say what is to become part of {told(concept)}")
    return others


def _joint_same_as(concept: Candidate, others: Sequence[Candidate]) -> str | None:
    return next((each.same_as for each in (concept, *others) if each.same_as), None)


def _guessed_record(revision: Revision, concept: Candidate) -> Merge:
    """What the merge of a concept that came merged must have been: its own quotes are those that no other brought."""
    brought = {each.quote for other in concept.merged for each in other.quotes}
    own = tuple(each for each in concept.quotes if each.quote not in brought)
    places = tuple(len(revision.concepts) + at for at in range(len(concept.merged)))
    return Merge(places=places, quotes=own or concept.quotes, same_as=concept.same_as)
