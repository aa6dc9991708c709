"""A proposal as a plain document that a person edits in any editor, and what the edits mean."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.proposal import Candidate, Link, Proposal, Standing
from studium.workflows.concepts.revising.document import Document, Wish, plain, read_document, short_names
from studium.workflows.concepts.revising.links import identity
from studium.workflows.concepts.revising.texts import one_line


def as_document(proposal: Proposal, quotes: Mapping[str, str], kept_titles: Mapping[str, str]) -> dict[str, Any]:
    """The living concepts and relations to be edited, and below them, for reference, what they speak of.

    `quotes` are the texts by key; kept concepts get short names (`k1`), and their titles by id where `kept_titles`
    has them.
    """
    kept = short_names(proposal)
    known = {uuid: title for uuid, (_, title) in kept.items()} | dict(kept_titles)
    return {
        "concepts": [_concept(each) for each in proposal.living],
        "relations": [_relation(link, kept) for link in proposal.living_relations],
        "kept": {name: known[uuid] for uuid, (name, _) in kept.items()},
        "rejected": {each.key: each.title for each in proposal.concepts if not each.lives},
        "unattributed": list(proposal.unattributed),
        "quotes": dict(quotes),
    }


def changes_from(proposal: Proposal, document: object) -> tuple[Change, ...]:
    """What a person changed in the document of this proposal; BadInput where it can no longer be read."""
    read = read_document(proposal, document)
    return (*_concept_changes(proposal, read), *_relation_changes(proposal, read))


def _concept(concept: Candidate) -> dict[str, Any]:
    return {
        "key": concept.key,
        "title": one_line(concept.title),
        "concept": plain(concept.concept),
        "analysis": plain(concept.analysis),
        "quotes": [each.quote for each in concept.quotes],
    }


def _relation(link: Link, kept: Mapping[str, tuple[str, str]]) -> str | dict[str, str]:
    target = kept[link.target][0] if link.target in kept else link.target
    told = f"{link.source} {link.type.value} {target}"
    return {told: plain(link.reasoning)} if link.reasoning.strip() else told


def _concept_changes(proposal: Proposal, read: Document) -> Iterator[Change]:
    for wish in read.concepts:
        before = proposal.concept(wish.key)
        if before is None:
            yield Change(
                action="add", title=wish.title, text=wish.concept, analysis=wish.analysis or None, quotes=wish.quotes
            )
            continue
        if not before.lives:
            yield Change(action="restore", concept=wish.key)
        if edited := _edits(before, wish):
            yield Change.model_validate({"action": "edit", "concept": wish.key, **edited})
    stay = {wish.key for wish in read.concepts}
    yield from (Change(action="reject", concept=each.key) for each in proposal.living if each.key not in stay)


def _edits(before: Candidate, wish: Wish) -> dict[str, object]:
    pairs = {
        "title": (one_line(before.title), wish.title),
        "text": (plain(before.concept), wish.concept),
        "analysis": (plain(before.analysis), wish.analysis),
        "quotes": (tuple(dict.fromkeys(each.quote for each in before.quotes)), wish.quotes),
    }
    return {name: new for name, (old, new) in pairs.items() if new != old}


def _relation_changes(proposal: Proposal, read: Document) -> Iterator[Change]:
    wanted = _first_said(read.relations)
    # A relation of a concept that goes or comes is left as it is: it does so with the concept.
    gone = {each.key for each in proposal.concepts} - {wish.key for wish in read.concepts}
    for link in proposal.living_relations:
        if identity(link) not in wanted and not gone & {link.source, link.target}:
            yield Change(action="reject", concept=link.source, target=link.target, type=link.type)
    known = _first_said(link for link in proposal.relations if link.standing is not Standing.REJECTED)
    for name, link in wanted.items():
        before = plain(known[name].reasoning) if name in known else None
        if link.reasoning == before or gone & {link.source, link.target}:
            continue
        if before and not link.reasoning:
            yield Change(action="unrelate", concept=link.source, target=link.target, type=link.type)
        yield Change(action="relate", concept=link.source, target=link.target, type=link.type, reasoning=link.reasoning)


def _first_said(links: Iterable[Link]) -> dict[tuple[str, str, str], Link]:
    first: dict[tuple[str, str, str], Link] = {}
    for link in links:
        first.setdefault(identity(link), link)
    return first
