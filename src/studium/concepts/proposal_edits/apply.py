"""Applies changes to a proposal, and reports those that make no sense."""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from studium.concepts.domain import RelationType
from studium.concepts.proposal import (
    CandidateConcept,
    CandidateRelation,
    ChangeAction,
    ItemStatus,
    MergeRecord,
    Proposal,
    ProposalChange,
    SplitPart,
    SupportingQuote,
)
from studium.concepts.proposal_edits.revision import (
    NewUuid,
    Revision,
    concept_label,
    list_names,
    merged_into,
    redirect_relation,
    relation_identity,
)
from studium.core.domain.finding import Finding


class RelationEnds(NamedTuple):
    """The ends of a relation: a concept, and another by its key or a stored one by its id and title."""

    concept: CandidateConcept
    target: str
    title: str


def add_relation(revision: Revision, change: ProposalChange) -> None:
    """Relate a concept to another; a rejected relation comes back, and a new reasoning replaces the old one."""
    ends = _ends(revision, change)
    if ends is None:
        return
    if change.type is None:
        why = f"it does not say how they relate; the types are {', '.join(RelationType)}"
        revision.refuse(change, "untyped_relation", why)
    elif not all(each.is_live for each in revision.concepts if each.key in (ends.concept.key, ends.target)):
        revision.refuse(
            change, "rejected_concept", f"{ends.concept.key} or {ends.target} is rejected; restore it first"
        )
    elif known := revision.between(ends.concept.key, ends.target, change.type):
        _renew(revision, change, known)
    elif ends.target == ends.concept.same_as:
        revision.refuse(
            change, "relation_to_itself", f"{concept_label(ends.concept)} is the existing “{ends.title}” itself"
        )
    else:
        revision.links.append(
            CandidateRelation(
                source=ends.concept.key,
                target=ends.target,
                title=ends.title,
                type=change.type,
                reasoning=change.reasoning,
            )
        )


def remove_relation(revision: Revision, change: ProposalChange) -> None:
    """Remove the relation of two concepts; all of them if no type is given."""
    gone = set(_found(revision, change))
    revision.links = [link for at, link in enumerate(revision.links) if at not in gone]


def set_relation_status(revision: Revision, change: ProposalChange, standing: ItemStatus) -> None:
    """Approve, reject or restore the relation of two concepts; of any type if none is given."""
    for at in _found(revision, change):
        revision.links[at] = revision.links[at].model_copy(update={"standing": standing})


def _renew(revision: Revision, change: ProposalChange, known: list[int]) -> None:
    links = [revision.links[at] for at in known]
    rejected = all(link.standing is ItemStatus.REJECTED for link in links)
    says_it = all(change.reasoning in ("", link.reasoning) for link in links)
    if not rejected and says_it:
        revision.refuse(change, "known_relation", f"{links[0].key} already exists")
        return
    new: dict[str, object] = {"reasoning": change.reasoning} if change.reasoning else {}
    if rejected:
        new["standing"] = ItemStatus.PROPOSED
    for at in known:
        revision.links[at] = revision.links[at].model_copy(update=new)


def _found(revision: Revision, change: ProposalChange) -> list[int]:
    """The positions of the relations that a change names; reports if there are none."""
    ends = _ends(revision, change)
    if ends is None:
        return []
    found = revision.between(ends.concept.key, ends.target, change.type)
    if not found:
        there = [link.key for link in revision.proposal().relations if ends.concept.key in (link.source, link.target)]
        instead = f"there are {list_names(there)}" if there else f"{concept_label(ends.concept)} relates to nothing"
        named = f"{ends.concept.key} {change.type or 'to'} {ends.target}"
        revision.refuse(change, "unknown_relation", f"there is no relation {named}; {instead}")
    return found


def _ends(revision: Revision, change: ProposalChange) -> RelationEnds | None:
    concept = revision.find(change, change.concept)
    if concept is None:
        return None
    if change.target in revision.kept:
        return RelationEnds(concept, change.target, revision.kept[change.target])
    target = revision.find(change, change.target)
    if target == concept:
        revision.refuse(change, "relation_to_itself", f"{concept_label(concept)} cannot relate to itself")
        return None
    return RelationEnds(concept, target.key, "") if target else None


STATUS_OF_ACTION = {"approve": ItemStatus.APPROVED, "reject": ItemStatus.REJECTED, "restore": ItemStatus.PROPOSED}


def set_status(revision: Revision, change: ProposalChange) -> None:
    """Approve, reject or restore a concept, or a relation of it where the change names one."""
    standing = STATUS_OF_ACTION[change.action]
    if change.target or change.type:
        set_relation_status(revision, change, standing)
    elif concept := revision.find(change, change.concept):
        revision.replace(concept.model_copy(update={"standing": standing}))


def add_concept(revision: Revision, change: ProposalChange) -> None:
    """Add a new concept."""
    title = single_line(change.title)
    if not title:
        revision.refuse(change, "empty_title", "a new concept needs a title")
        return
    quotes = [SupportingQuote(quote=key) for key in revision.known_quotes(change, change.quotes or ())]
    revision.concepts.append(
        revision.new_concept(
            title,
            quotes,
            concept=change.text,
            analysis=change.analysis,
            summary=change.summary,
            summary_short=change.summary_short,
            same_as=_known_kept(revision, change),
        )
    )


def edit_concept(revision: Revision, change: ProposalChange) -> None:
    """Replace the texts and quotes of a concept that the change gives."""
    concept = revision.find(change, change.concept)
    if concept is None:
        return
    texts = {
        "title": change.title,
        "concept": change.text,
        "analysis": change.analysis,
        "summary": change.summary,
        "summary_short": change.summary_short,
    }
    new: dict[str, object] = {name: text for name, text in texts.items() if text is not None}
    if change.text is not None:
        # The summary of the old text does not fit the new one.
        new = {"summary": "", "summary_short": ""} | new
    if not new and change.quotes is None and change.same_as is None:
        revision.refuse(change, "empty_edit", "it changes nothing")
        return
    if change.title is not None:
        new |= _new_title(revision, change, concept)
    if change.quotes is not None:
        new["quotes"] = _new_quotes(revision, change, concept)
    if change.same_as is not None and (_known_kept(revision, change) or not change.same_as):
        new["same_as"] = change.same_as or None
    revision.replace(concept.model_copy(update=new))


def single_line(title: str | None) -> str:
    """A title without the white space around it and the line breaks in it."""
    return " ".join((title or "").split())


def supporting_quotes(concept: CandidateConcept, keys: Sequence[str]) -> tuple[SupportingQuote, ...]:
    """The supporting quotes with these keys, with their earlier reasoning."""
    known: dict[str, SupportingQuote] = {}
    for each in concept.quotes:
        known.setdefault(each.quote, each)
    return tuple(known.get(key) or SupportingQuote(quote=key) for key in keys)


def _new_title(revision: Revision, change: ProposalChange, concept: CandidateConcept) -> dict[str, object]:
    title = single_line(change.title)
    if not title:
        revision.refuse(change, "empty_title", f"a concept needs a title; it stays “{concept.title}”")
        return {"title": concept.title}
    revision.links = [
        link.model_copy(update={"title": title}) if link.title and link.target == concept.key else link
        for link in revision.links
    ]
    return {"title": title}


def _new_quotes(revision: Revision, change: ProposalChange, concept: CandidateConcept) -> tuple[SupportingQuote, ...]:
    known = revision.known_quotes(change, change.quotes or ())
    # If every key is wrong, the person did not mean a concept without quotes.
    return concept.quotes if change.quotes and not known else supporting_quotes(concept, known)


def _known_kept(revision: Revision, change: ProposalChange) -> str | None:
    if change.same_as and change.same_as not in revision.kept:
        why = f"the proposal has no existing concept {change.same_as} to match it with"
        revision.refuse(change, "unknown_kept_concept", why)
        return None
    return change.same_as


def merge_concepts(revision: Revision, change: ProposalChange) -> None:
    """Merge the others into the concept: its texts stay, and it gets the quotes and relations of all."""
    concept = revision.find_live(change, change.concept)
    others = _others(revision, change, concept) if concept else []
    if concept is None or not others:
        return
    record = MergeRecord(
        places=tuple(revision.position(each.key) for each in others), quotes=concept.quotes, same_as=concept.same_as
    )
    united: dict[str, SupportingQuote] = {}
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
    revision.replace(joined)
    gone = {each.key for each in others}
    revision.concepts = [each for each in revision.concepts if each.key not in gone]


def unmerge_concept(revision: Revision, change: ProposalChange) -> None:
    """Undo the latest merge of a concept: the others come back as they were, and it keeps what was added since."""
    concept = revision.find(change, change.concept)
    if concept is None:
        return
    if not concept.merged:
        revision.refuse(change, "nothing_merged", f"nothing was merged into {concept_label(concept)}")
        return
    record = concept.merges[-1] if concept.merges else _guessed_record(revision, concept)
    count = len(concept.merged) - len(record.places)
    others = concept.merged[count:]
    own, added = {each.quote for each in record.quotes}, {each.quote for other in others for each in other.quotes}
    unedited = concept.same_as == _joint_same_as(concept.model_copy(update={"same_as": record.same_as}), others)
    revision.replace(
        concept.model_copy(
            update={
                "quotes": tuple(each for each in concept.quotes if each.quote in own or each.quote not in added),
                "same_as": record.same_as if unedited else concept.same_as,
                "merged": concept.merged[:count],
                "merges": concept.merges[:-1],
            }
        )
    )
    for place, other in sorted(zip(record.places, others, strict=True), key=lambda placed: placed[0]):
        revision.concepts.insert(place, other)


def _others(revision: Revision, change: ProposalChange, concept: CandidateConcept) -> list[CandidateConcept]:
    """The concepts that can be merged, without duplicates; reports the others."""
    others: list[CandidateConcept] = []
    for key in change.others:
        other = revision.find_live(change, key)
        if other == concept:
            revision.refuse(change, "merge_with_itself", f"{concept_label(concept)} cannot be merged into itself")
        elif other and other not in others:
            others.append(other)
    if not change.others:
        revision.refuse(change, "empty_merge", f"it does not say what to merge into {concept_label(concept)}")
    return others


def _joint_same_as(concept: CandidateConcept, others: Sequence[CandidateConcept]) -> str | None:
    return next((each.same_as for each in (concept, *others) if each.same_as), None)


def _guessed_record(revision: Revision, concept: CandidateConcept) -> MergeRecord:
    """The merge that must have made a concept that arrived merged: its own quotes are those that no other added."""
    added = {each.quote for other in concept.merged for each in other.quotes}
    own = tuple(each for each in concept.quotes if each.quote not in added)
    places = tuple(len(revision.concepts) + at for at in range(len(concept.merged)))
    return MergeRecord(places=places, quotes=own or concept.quotes, same_as=concept.same_as)


_FEWEST = 2


def split_concept(revision: Revision, change: ProposalChange) -> None:
    """Replace a concept by its parts; the concept is rejected, so that it can be restored.

    Quotes that no part names and the relations go to the first part.
    """
    concept = revision.find_live(change, change.concept)
    if concept is None:
        return
    parts = [part for part in change.parts if single_line(part.title)]
    if len(parts) < len(change.parts):
        revision.refuse(change, "empty_title", "a part without a title was left out")
    if len(parts) < _FEWEST:
        why = f"{concept_label(concept)} can only be split into two or more parts with titles; it names {len(parts)}"
        revision.refuse(change, "empty_split", why)
        return
    quotes = _quotes_of_parts(revision, change, concept, parts)
    revision.replace(concept.model_copy(update={"standing": ItemStatus.REJECTED}))
    first = revision.position(concept.key) + 1
    for place, (part, carrying) in enumerate(zip(parts, quotes, strict=True), first):
        text = part.concept.strip() or concept.concept
        made = revision.new_concept(single_line(part.title), carrying, concept=text, analysis=part.analysis)
        revision.concepts.insert(place, made)
    revision.links = _handed_on(revision, concept.key, revision.concepts[first].key)


def _quotes_of_parts(
    revision: Revision, change: ProposalChange, concept: CandidateConcept, parts: list[SplitPart]
) -> list[tuple[SupportingQuote, ...]]:
    keys = [revision.known_quotes(change, part.quotes) for part in parts]
    named = {key for each in keys for key in each}
    left = tuple(each.quote for each in concept.quotes if each.quote not in named)
    keys[0] = tuple(dict.fromkeys((*keys[0], *left)))
    return [supporting_quotes(concept, each) for each in keys]


def _handed_on(revision: Revision, key: str, heir: str) -> list[CandidateRelation]:
    """The links, with those of the concept with this key passed on to its heir; each once."""
    holder, handed, links = merged_into(revision.concepts), set(), []
    for link in revision.links:
        now = redirect_relation(link, holder)
        if key not in (now.source, now.target) or now.source == now.target:
            links.append(link)
            continue
        ends = {"source": heir} if now.source == key else {"target": heir}
        new = now.model_copy(update=ends)
        if relation_identity(new) not in handed:
            handed.add(relation_identity(new))
            links.append(new)
    return links


_ACTIONS: Mapping[ChangeAction, Callable[[Revision, ProposalChange], None]] = {
    "approve": set_status,
    "reject": set_status,
    "restore": set_status,
    "edit": edit_concept,
    "merge": merge_concepts,
    "unmerge": unmerge_concept,
    "split": split_concept,
    "add": add_concept,
    "relate": add_relation,
    "unrelate": remove_relation,
}


def apply_changes(
    proposal: Proposal, changes: Sequence[ProposalChange], *, quotes: Sequence[str], new_uuid: NewUuid
) -> tuple[Proposal, tuple[Finding, ...]]:
    """The proposal after the changes, made in order, and those that could not be made.

    `quotes` are the keys of all quotes of the book; `new_uuid` gives the id of a new concept by title and quotes.
    """
    revision = Revision.of(proposal, quotes, new_uuid)
    for change in changes:
        _ACTIONS[change.action](revision, change)
    return revision.proposal(), tuple(revision.findings)


def proposal_fingerprint(proposal: Proposal) -> str:
    """A fingerprint of exactly this proposal, by which an answer names it."""
    # Defaults are left out, so that a field which a later release adds does not make old reviews stale.
    plain = json.dumps(proposal.model_dump(mode="json", exclude_defaults=True), sort_keys=True)
    return sha256(plain.encode()).hexdigest()[:12]
