"""A proposal while it is being edited, with the changes that were refused."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from studium.concepts.domain import RelationType
from studium.concepts.proposal import (
    CandidateConcept,
    CandidateRelation,
    DuplicateDetection,
    Proposal,
    ProposalChange,
    SupportingQuote,
    unattributed_quotes,
)
from studium.core.domain.finding import Finding, Severity


def relation_identity(link: CandidateRelation) -> tuple[str, str, str]:
    """The key of links that say the same: `c1 PART_OF c2` and `c2 HAS_PART c1` share it."""
    return min(
        (link.source, link.target, link.type.value),
        (link.target, link.source, link.type.inverse.value),
    )


def with_merged(concepts: Iterable[CandidateConcept]) -> Iterator[CandidateConcept]:
    """The concepts, and all that was ever merged into them."""
    for each in concepts:
        yield each
        yield from with_merged(each.merged)


def merged_into(concepts: Sequence[CandidateConcept]) -> dict[str, CandidateConcept]:
    """For each merged concept, by key: the concept that it is part of now."""
    return {part.key: each for each in concepts for part in with_merged(each.merged)}


def redirect_relation(link: CandidateRelation, holder: Mapping[str, CandidateConcept]) -> CandidateRelation:
    """The link between the concepts that its ends are part of now; itself if neither was merged."""
    source, target = holder.get(link.source), holder.get(link.target)
    if source:
        link = link.model_copy(update={"source": source.key})
    if target:
        title = target.title if link.title else ""
        link = link.model_copy(update={"target": target.key, "title": title})
    return link


def current_relations(
    drawn: Sequence[CandidateRelation], concepts: Sequence[CandidateConcept]
) -> tuple[CandidateRelation, ...]:
    """The links as they are now: none of a concept with itself, and of those that say the same, the one not moved."""
    holder = merged_into(concepts)
    now = [redirect_relation(link, holder) for link in drawn]
    told = {relation_identity(link) for link, stands in zip(drawn, now, strict=True) if stands is link}
    standing = []
    for link, stands in zip(drawn, now, strict=True):
        if stands is not link:
            if stands.source == stands.target or relation_identity(stands) in told:
                continue
            told.add(relation_identity(stands))
        standing.append(stands)
    return tuple(standing)


def original_relations(proposal: Proposal) -> list[CandidateRelation]:
    """The links of a proposal as they were drawn, with the relations added or removed since the last change."""
    if not proposal.drawn:
        return list(proposal.relations)
    holder = merged_into(proposal.concepts)
    now = [redirect_relation(link, holder) for link in proposal.drawn]
    told = {relation_identity(link) for link in proposal.relations}
    kept = [
        link
        for link, stands in zip(proposal.drawn, now, strict=True)
        if stands.source == stands.target or relation_identity(stands) in told
    ]
    known = {relation_identity(link) for link in now}
    return [*kept, *(link for link in proposal.relations if relation_identity(link) not in known)]


_SHOWN = 8
_KEY = re.compile(r"c(\d+)")


def concept_label(concept: CandidateConcept) -> str:
    """A concept's display name: `c3 “Deep work”`."""
    return f"{concept.key} “{concept.title}”"


def list_names(names: Sequence[str]) -> str:
    """The names as a list; only the first few if there are many."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def suggest_concept(name: str, concepts: Sequence[CandidateConcept]) -> str:
    """What to name instead of a concept that does not exist, as the end of a sentence."""
    if not concepts:
        return "there are no concepts yet"
    by_name = {key: each for each in concepts for key in (each.title.casefold(), each.key.casefold())}
    close = get_close_matches(name.strip().casefold(), by_name, n=1)
    if close:
        return f"the nearest is {concept_label(by_name[close[0]])}"
    return f"there are {list_names([each.key for each in concepts])}"


def suggest_quote(name: str, quotes: Sequence[str]) -> str:
    """What to name instead of a quote that does not exist, as the end of a sentence."""
    if not quotes:
        return "the book has no quotes"
    close = get_close_matches(name.strip().casefold(), quotes, n=1)
    return f"the nearest is {close[0]}" if close else f"the quotes are {quotes[0]} to {quotes[-1]}"


def stored_concepts(proposal: Proposal) -> dict[str, str]:
    """The stored concepts that a proposal mentions: their titles by id."""
    ours = {each.key for each in with_merged(proposal.concepts)}
    found: dict[str, str] = {}
    for uuid, title in (
        *((link.target, link.title) for link in (*proposal.relations, *proposal.drawn)),
        *((each.other, each.title) for each in proposal.detections),
    ):
        found[uuid] = found.get(uuid) or title
    return {uuid: title for uuid, title in found.items() if uuid not in ours}


def used_key_numbers(proposal: Proposal) -> Iterable[int]:
    """The numbers of all concept keys that a proposal ever used, as far as it shows."""
    keys = {each.key for each in with_merged(proposal.concepts)}
    keys |= {key for link in (*proposal.relations, *proposal.drawn) for key in (link.source, link.target)}
    keys |= {key for each in proposal.detections for key in (each.candidate, each.other)}
    return (int(number[1]) for key in keys if (number := _KEY.fullmatch(key)))


def last_key_number(proposal: Proposal) -> int:
    """The highest number that a concept key of the proposal ever had; the next concept gets the one after it."""
    return max(used_key_numbers(proposal), default=0)


NewUuid = Callable[[str, Sequence[str]], str]


@dataclass
class Revision:
    """The working copy that changes are made to, one after another.

    `links` are the relations as they were drawn, and
    `kept` the titles, by id, of the kept concepts that the proposal knew of.
    """

    concepts: list[CandidateConcept]
    links: list[CandidateRelation]
    detections: tuple[DuplicateDetection, ...]
    quotes: Sequence[str]
    new_uuid: NewUuid
    last_number: int
    kept: Mapping[str, str]
    findings: list[Finding] = field(default_factory=list)

    @classmethod
    def of(cls, proposal: Proposal, quotes: Sequence[str], new_uuid: NewUuid) -> "Revision":
        """The working copy of a proposal for a book with these quotes, by key."""
        return cls(
            concepts=list(proposal.concepts),
            links=original_relations(proposal),
            detections=proposal.detections,
            quotes=quotes,
            new_uuid=new_uuid,
            last_number=last_key_number(proposal),
            kept=stored_concepts(proposal),
        )

    def proposal(self) -> Proposal:
        """The proposal after all changes so far."""
        relations, drawn = current_relations(self.links, self.concepts), tuple(self.links)
        return Proposal(
            concepts=tuple(self.concepts),
            relations=relations,
            drawn=() if drawn == relations else drawn,
            detections=self.detections,
            unattributed=unattributed_quotes(self.concepts, self.quotes),
        )

    def refuse(self, change: ProposalChange, code: str, why: str) -> None:
        """Report that a change, or a part of it, was not made."""
        message = f"{change.action.capitalize()} {change.concept}".strip() + f": {why}."
        self.findings.append(Finding(code=f"concepts.change_{code}", severity=Severity.WARNING, message=message))

    def find(self, change: ProposalChange, key: str) -> CandidateConcept | None:
        """The concept with this key; reports if there is none."""
        wanted = key.strip().casefold()
        found = next((each for each in self.concepts if each.key.casefold() == wanted), None)
        if found:
            return found
        if holder := merged_into(self.concepts).get(wanted):
            self.refuse(change, "merged_concept", f"{wanted} is part of {concept_label(holder)}; take that apart first")
        elif not wanted:
            self.refuse(change, "unnamed_concept", "it does not say which concept")
        else:
            instead = suggest_concept(key, self.concepts)
            self.refuse(change, "unknown_concept", f"there is no concept {key.strip()}; {instead}")
        return None

    def find_live(self, change: ProposalChange, key: str) -> CandidateConcept | None:
        """The concept with this key if it is not rejected; reports otherwise."""
        found = self.find(change, key)
        if found and not found.is_live:
            self.refuse(change, "rejected_concept", f"{concept_label(found)} is rejected; restore it first")
            return None
        return found

    def known_quotes(self, change: ProposalChange, keys: Iterable[str]) -> tuple[str, ...]:
        """The keys that are quotes of the book, without duplicates; reports the others."""
        known = []
        for key in dict.fromkeys(key.strip().casefold() for key in keys):
            if key in self.quotes:
                known.append(key)
            else:
                self.refuse(change, "unknown_quote", f"there is no quote {key}; {suggest_quote(key, self.quotes)}")
        return tuple(known)

    def replace(self, concept: CandidateConcept) -> None:
        """Replace the concept with the same key."""
        self.concepts[self.position(concept.key)] = concept

    def position(self, key: str) -> int:
        """The position of the concept with this key."""
        return next(at for at, each in enumerate(self.concepts) if each.key == key)

    def new_concept(self, title: str, quotes: Sequence[SupportingQuote], **texts: str | None) -> CandidateConcept:
        """A concept with a key that was never used and an id that no other has."""
        self.last_number += 1
        key, carrying = f"c{self.last_number}", [each.quote for each in quotes]
        uuid = self.new_uuid(title, carrying)
        if uuid in {each.uuid for each in with_merged(self.concepts)}:
            uuid = self.new_uuid(f"{title} ({key})", carrying)
        given = {name: text for name, text in texts.items() if text}
        return CandidateConcept.model_validate(
            {"concept": "", **given, "key": key, "uuid": uuid, "title": title, "quotes": tuple(quotes)}
        )

    def between(self, one: str, other: str, kind: RelationType | None) -> list[int]:
        """The positions of the links between the two, in either direction; of any type if none is given."""
        holder, found = merged_into(self.concepts), []
        for at, link in enumerate(self.links):
            now = redirect_relation(link, holder)
            told_as = {(now.source, now.target): now.type, (now.target, now.source): now.type.inverse}
            if (one, other) in told_as and kind in (None, told_as[one, other]):
                found.append(at)
        return found
