"""Turns a proposal into a document for an editor, and the edits back into changes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple, TypedDict

from studium.concepts.domain import RelationType
from studium.concepts.proposal import CandidateConcept, CandidateRelation, ItemStatus, Proposal, ProposalChange
from studium.concepts.proposal_edits.apply import single_line
from studium.concepts.proposal_edits.revision import (
    last_key_number,
    list_names,
    merged_into,
    relation_identity,
    stored_concepts,
    suggest_concept,
    suggest_quote,
    with_merged,
)
from studium.core.domain.errors import BadInput

_ABOUT = ("book", "begun", "round")  # what the inbox shows above the sections
_SECTIONS = ("concepts", "relations", "kept", "rejected", "unattributed", "quotes")
_FIELDS = ("key", "title", "concept", "analysis", "quotes")
_RELATION = re.compile(rf"(.+?)(?<!\s)\s+({'|'.join(RelationType)})\s+(.+)", re.IGNORECASE | re.DOTALL)
_REMEDY = "Correct the document there, or leave it as it was."


class EditedConcept(NamedTuple):
    """A concept as the edited document has it; a new one has the key that it will get."""

    key: str
    title: str
    concept: str
    analysis: str
    quotes: tuple[str, ...]


class EditedProposal(NamedTuple):
    """The concepts and relations of an edited document."""

    concepts: tuple[EditedConcept, ...]
    relations: tuple[CandidateRelation, ...]


def strip_line_ends(text: str) -> str:
    """A text without the white space that editors add or remove."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()


def stored_concept_names(proposal: Proposal) -> dict[str, tuple[str, str]]:
    """The stored concepts that the proposal mentions, by id: a short name (`k1`) and the title."""
    kept = stored_concepts(proposal)
    return {uuid: (f"k{number}", title) for number, (uuid, title) in enumerate(kept.items(), 1)}


def read_document(proposal: Proposal, document: object) -> EditedProposal:
    """Read the edited document of a proposal; BadInput says what cannot be read, and where."""
    if not isinstance(document, Mapping):
        raise _bad("The document", "is not a mapping with `concepts` and `relations`")
    for name in document:
        if name not in (*_ABOUT, *_SECTIONS):
            raise _bad(f"`{name}`", _unknown_name(name, _SECTIONS))
    concepts = _ConceptReader(proposal).read(_section(document, "concepts"))
    relations = _RelationReader(proposal, concepts).read(_section(document, "relations"))
    return EditedProposal(concepts, relations)


class _ConceptReader:
    """Reads the concepts of a document."""

    def __init__(self, proposal: Proposal) -> None:
        self._proposal = proposal
        self._next = last_key_number(proposal) + 1
        carrying = {each.quote for concept in with_merged(proposal.concepts) for each in concept.quotes}
        self._quotes = sorted(carrying | set(proposal.unattributed), key=lambda key: (len(key), key))

    def read(self, items: list[Any]) -> tuple[EditedConcept, ...]:
        found: dict[str, EditedConcept] = {}
        for number, item in enumerate(items, 1):
            edited = self._read_concept(f"Concept {number}", item)
            if edited.key in found:
                raise _bad(
                    f"Concept {number}",
                    f"has the key {edited.key}, which another concept already has; leave the key out for a new concept",
                )
            found[edited.key] = edited
        return tuple(found.values())

    def _read_concept(self, where: str, item: object) -> EditedConcept:
        if not isinstance(item, Mapping):
            raise _bad(where, "is not a mapping with `title`, `concept` and `quotes`")
        for name in item:
            if name not in _FIELDS:
                raise _bad(where, f"has a `{name}`, which " + _unknown_name(name, _FIELDS))
        key = self._key(where, _text(where, item, "key"))
        where = f"{where} ({key})"
        title = single_line(_text(where, item, "title"))
        if not title:
            raise _bad(where, "has no title")
        return EditedConcept(
            key=key,
            title=title,
            concept=strip_line_ends(_text(where, item, "concept")),
            analysis=strip_line_ends(_text(where, item, "analysis")),
            quotes=self._quote_keys(where, item.get("quotes")),
        )

    def _key(self, where: str, key: str) -> str:
        wanted = key.strip().casefold()
        if not wanted:
            self._next += 1
            return f"c{self._next - 1}"
        if self._proposal.concept(wanted):
            return wanted
        if holder := merged_into(self._proposal.concepts).get(wanted):
            raise _bad(where, f"has the key {wanted}, which is part of {holder.key}")
        instead = suggest_concept(wanted, self._proposal.concepts)
        raise _bad(where, f"has the key {key}, which no concept has; {instead}; leave the key out for a new concept")

    def _quote_keys(self, where: str, value: object) -> tuple[str, ...]:
        given = value.replace(",", " ").split() if isinstance(value, str) else value or []
        if not isinstance(given, list):
            raise _bad(where, "has `quotes` that are not a list of keys such as q1")
        keys = tuple(dict.fromkeys(str(each).strip().casefold() for each in given))
        for key in keys:
            if key not in self._quotes:
                raise _bad(where, f"names the quote {key}, which does not exist; {suggest_quote(key, self._quotes)}")
        return keys


class _RelationReader:
    """Reads the relations of a document, whose ends are named by key, short name, id or title."""

    def __init__(self, proposal: Proposal, concepts: tuple[EditedConcept, ...]) -> None:
        self._ours = {edited.key for edited in concepts} | {each.key for each in proposal.concepts}
        kept = stored_concept_names(proposal)
        titled = [(edited.title, edited.key) for edited in concepts] + [
            (title, uuid) for uuid, (_, title) in kept.items()
        ]
        # A title of two concepts is ambiguous.
        counted = Counter(single_line(title).casefold() for title, _ in titled)
        self._names = {name: end for title, end in titled if counted[name := single_line(title).casefold()] == 1}
        self._names |= {name: uuid for uuid, (name, _) in kept.items()} | {uuid.casefold(): uuid for uuid in kept}
        self._names |= {key: key for key in self._ours}
        self._shown = [*(edited.key for edited in concepts), *(name for name, _ in kept.values())]
        self._stay = {edited.key for edited in concepts} | set(kept)
        self._known = {relation_identity(link) for link in proposal.relations}

    def read(self, items: list[Any]) -> tuple[CandidateRelation, ...]:
        return tuple(self._link(f"Relation {number}", item) for number, item in enumerate(items, 1))

    def _link(self, where: str, item: object) -> CandidateRelation:
        told, reasoning = item, ""
        if isinstance(item, Mapping) and len(item) == 1:
            told, reasoning = next((key, _text(where, item, key)) for key in item)
        found = _RELATION.fullmatch(told.strip()) if isinstance(told, str) else None
        if not found:
            types = ", ".join(RelationType)
            raise _bad(where, f"({told}) is not written as in `c1 OPPOSES c2: why`; the types are {types}")
        source, target = (self._end(where, name) for name in (found[1], found[3]))
        kind = RelationType(found[2].upper())
        if source not in self._ours:
            source, target, kind = target, source, kind.inverse
        if source not in self._ours or source == target:
            raise _bad(where, f"({told}) must relate two concepts, one of them proposed")
        link = CandidateRelation(source=source, target=target, type=kind, reasoning=strip_line_ends(reasoning))
        if {source, target} - self._stay and relation_identity(link) not in self._known:
            raise _bad(where, f"({told}) relates a concept that is no longer in the proposal")
        return link

    def _end(self, where: str, name: str) -> str:
        wanted = single_line(name).strip("“”\"'").casefold()
        if wanted in self._names:
            return self._names[wanted]
        close = get_close_matches(wanted, self._names, n=1)
        instead = f"the nearest is {close[0]}" if close else f"there are {list_names(self._shown)}"
        raise _bad(where, f"names {name.strip()}, which does not exist; {instead}")


def _section(document: Mapping[Any, Any], name: str) -> list[Any]:
    if name not in document:
        raise _bad("The document", f"has no `{name}`; leave it empty to remove all of them")
    items = document[name] or []
    if not isinstance(items, list):
        raise _bad(f"`{name}`", "is not a list")
    return items


def _text(where: str, item: Mapping[Any, Any], name: str) -> str:
    value = item.get(name)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _bad(where, f"has a `{name}` that is not text; put it in quotation marks")
    return str(value)


def _unknown_name(name: object, known: tuple[str, ...]) -> str:
    close = get_close_matches(str(name), known, n=1)
    return f"is not known; did you mean `{close[0]}`?" if close else f"is not known; there are {', '.join(known)}"


def _bad(where: str, what: str) -> BadInput:
    return BadInput(f"{where} {what.rstrip('.')}" + ("" if what.endswith("?") else "."), remedy=_REMEDY)


class ConceptDocument(TypedDict):
    """A concept in the document: its texts, and the keys of its quotes."""

    key: str
    title: str
    concept: str
    analysis: str
    quotes: list[str]


class ProposalDocument(TypedDict):
    """A proposal as a person edits it; only `concepts` and `relations` are read back.

    A relation is `c1 SUPPORTS c2`, or that with its reasoning.
    """

    concepts: list[ConceptDocument]
    relations: list[str | dict[str, str]]
    kept: dict[str, str]
    rejected: dict[str, str]
    unattributed: list[str]
    quotes: dict[str, str]


def proposal_document(
    proposal: Proposal, quotes: Mapping[str, str], kept_titles: Mapping[str, str]
) -> ProposalDocument:
    """The concepts and relations that are not rejected, to be edited; below them, for reference, their quotes.

    `quotes` are the texts by key; stored concepts get short names (`k1`), and their titles by id if `kept_titles`
    has them.
    """
    kept = stored_concept_names(proposal)
    known = {uuid: title for uuid, (_, title) in kept.items()} | dict(kept_titles)
    return {
        "concepts": [_concept(each) for each in proposal.live_concepts],
        "relations": [_relation(link, kept) for link in proposal.live_relations],
        "kept": {name: known[uuid] for uuid, (name, _) in kept.items()},
        "rejected": {each.key: each.title for each in proposal.concepts if not each.is_live},
        "unattributed": list(proposal.unattributed),
        "quotes": dict(quotes),
    }


def document_changes(proposal: Proposal, document: object) -> tuple[ProposalChange, ...]:
    """What a person changed in the document of this proposal; BadInput if it can no longer be read."""
    read = read_document(proposal, document)
    return (*_concept_changes(proposal, read), *_relation_changes(proposal, read))


def _concept(concept: CandidateConcept) -> ConceptDocument:
    return {
        "key": concept.key,
        "title": single_line(concept.title),
        "concept": strip_line_ends(concept.concept),
        "analysis": strip_line_ends(concept.analysis),
        "quotes": [each.quote for each in concept.quotes],
    }


def _relation(link: CandidateRelation, kept: Mapping[str, tuple[str, str]]) -> str | dict[str, str]:
    target = kept[link.target][0] if link.target in kept else link.target
    told = f"{link.source} {link.type.value} {target}"
    return {told: strip_line_ends(link.reasoning)} if link.reasoning.strip() else told


def _concept_changes(proposal: Proposal, read: EditedProposal) -> Iterator[ProposalChange]:
    for edited in read.concepts:
        before = proposal.concept(edited.key)
        if before is None:
            yield ProposalChange(
                action="add",
                title=edited.title,
                text=edited.concept,
                analysis=edited.analysis or None,
                quotes=edited.quotes,
            )
            continue
        if not before.is_live:
            yield ProposalChange(action="restore", concept=edited.key)
        if fields := _edits(before, edited):
            yield ProposalChange.model_validate({"action": "edit", "concept": edited.key, **fields})
    stay = {edited.key for edited in read.concepts}
    yield from (
        ProposalChange(action="reject", concept=each.key) for each in proposal.live_concepts if each.key not in stay
    )


def _edits(before: CandidateConcept, edited: EditedConcept) -> dict[str, object]:
    pairs = {
        "title": (single_line(before.title), edited.title),
        "text": (strip_line_ends(before.concept), edited.concept),
        "analysis": (strip_line_ends(before.analysis), edited.analysis),
        "quotes": (tuple(dict.fromkeys(each.quote for each in before.quotes)), edited.quotes),
    }
    return {name: new for name, (old, new) in pairs.items() if new != old}


def _relation_changes(proposal: Proposal, read: EditedProposal) -> Iterator[ProposalChange]:
    wanted = _first_said(read.relations)
    # Relations of a concept that is removed or restored need no change: they follow the concept.
    gone = {each.key for each in proposal.concepts} - {edited.key for edited in read.concepts}
    for link in proposal.live_relations:
        if relation_identity(link) not in wanted and not gone & {link.source, link.target}:
            yield ProposalChange(action="reject", concept=link.source, target=link.target, type=link.type)
    known = _first_said(link for link in proposal.relations if link.standing is not ItemStatus.REJECTED)
    for name, link in wanted.items():
        before = strip_line_ends(known[name].reasoning) if name in known else None
        if link.reasoning == before or gone & {link.source, link.target}:
            continue
        if before and not link.reasoning:
            yield ProposalChange(action="unrelate", concept=link.source, target=link.target, type=link.type)
        yield ProposalChange(
            action="relate", concept=link.source, target=link.target, type=link.type, reasoning=link.reasoning
        )


def _first_said(links: Iterable[CandidateRelation]) -> dict[tuple[str, str, str], CandidateRelation]:
    first: dict[tuple[str, str, str], CandidateRelation] = {}
    for link in links:
        first.setdefault(relation_identity(link), link)
    return first
