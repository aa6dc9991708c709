"""A proposal while it is being changed: what stands, what may be named, and what had to be refused."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from studium.core.domain.finding import Finding, Severity
from studium.domain.concept import RelationType
from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.proposal import Backing, Candidate, Detection, Link, Proposal, unattributed
from studium.workflows.concepts.revising.links import drawn_links, holders, moved, shown, whole
from studium.workflows.concepts.revising.naming import kept_concepts, last_number, nearest_concept, nearest_quote, told

NewUuid = Callable[[str, Sequence[str]], str]


@dataclass
class Revision:
    """The working copy that changes are made to, one after another.

    `links` are the relations as they were drawn, and
    `kept` the titles, by id, of the kept concepts that the proposal knew of.
    """

    concepts: list[Candidate]
    links: list[Link]
    detections: tuple[Detection, ...]
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
            links=drawn_links(proposal),
            detections=proposal.detections,
            quotes=quotes,
            new_uuid=new_uuid,
            last_number=last_number(proposal),
            kept=kept_concepts(proposal),
        )

    def proposal(self) -> Proposal:
        """What stands after all changes so far."""
        relations, drawn = shown(self.links, self.concepts), tuple(self.links)
        return Proposal(
            concepts=tuple(self.concepts),
            relations=relations,
            drawn=() if drawn == relations else drawn,
            detections=self.detections,
            unattributed=unattributed(self.concepts, self.quotes),
        )

    def refuse(self, change: Change, code: str, why: str) -> None:
        """Say that a change, or a part of it, was not made."""
        message = f"{change.action.capitalize()} {change.concept}".strip() + f": {why}."
        self.findings.append(Finding(code=f"concepts.change_{code}", severity=Severity.WARNING, message=message))

    def named(self, change: Change, key: str) -> Candidate | None:
        """The concept with this key; where there is none, that is told."""
        wanted = key.strip().casefold()
        found = next((each for each in self.concepts if each.key.casefold() == wanted), None)
        if found:
            return found
        if holder := holders(self.concepts).get(wanted):
            self.refuse(change, "merged_concept", f"{wanted} is part of {told(holder)}; take that apart first")
        elif not wanted:
            self.refuse(change, "unnamed_concept", "it does not say which concept")
        else:
            instead = nearest_concept(key, self.concepts)
            self.refuse(change, "unknown_concept", f"there is no concept {key.strip()}; {instead}")
        return None

    def named_living(self, change: Change, key: str) -> Candidate | None:
        """The concept with this key, if nobody rejected it; otherwise that is told."""
        found = self.named(change, key)
        if found and not found.lives:
            self.refuse(change, "rejected_concept", f"{told(found)} is rejected; restore it first")
            return None
        return found

    def known_quotes(self, change: Change, keys: Iterable[str]) -> tuple[str, ...]:
        """Those of the keys that quotes of the book have, each once; the others are told."""
        known = []
        for key in dict.fromkeys(key.strip().casefold() for key in keys):
            if key in self.quotes:
                known.append(key)
            else:
                self.refuse(change, "unknown_quote", f"there is no quote {key}; {nearest_quote(key, self.quotes)}")
        return tuple(known)

    def put(self, concept: Candidate) -> None:
        """Let the concept stand in the place of the one with its key."""
        self.concepts[self.place(concept.key)] = concept

    def place(self, key: str) -> int:
        """Where the concept with this key stands."""
        return next(at for at, each in enumerate(self.concepts) if each.key == key)

    def new_concept(self, title: str, quotes: Sequence[Backing], **texts: str | None) -> Candidate:
        """A concept with a key that was never used and an id that no other has."""
        self.last_number += 1
        key, carrying = f"c{self.last_number}", [each.quote for each in quotes]
        uuid = self.new_uuid(title, carrying)
        if uuid in {each.uuid for each in whole(self.concepts)}:
            uuid = self.new_uuid(f"{title} ({key})", carrying)
        given = {name: text for name, text in texts.items() if text}
        return Candidate.model_validate(
            {"concept": "", **given, "key": key, "uuid": uuid, "title": title, "quotes": tuple(quotes)}
        )

    def between(self, one: str, other: str, kind: RelationType | None) -> list[int]:
        """Where the links stand that bind the two, whichever way they are told; of any type where none is given."""
        holder, found = holders(self.concepts), []
        for at, link in enumerate(self.links):
            now = moved(link, holder)
            told_as = {(now.source, now.target): now.type, (now.target, now.source): now.type.inverse}
            if (one, other) in told_as and kind in (None, told_as[one, other]):
                found.append(at)
        return found
