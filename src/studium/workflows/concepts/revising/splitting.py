"""Splitting a concept into several."""

from studium.workflows.concepts.changes import Change, Part
from studium.workflows.concepts.proposal import Backing, Candidate, Link, Standing
from studium.workflows.concepts.revising.links import holders, identity, moved
from studium.workflows.concepts.revising.naming import told
from studium.workflows.concepts.revising.revision import Revision
from studium.workflows.concepts.revising.texts import backings, one_line

_FEWEST = 2


def split(revision: Revision, change: Change) -> None:
    """Let the parts stand for a concept, which is rejected, so that it can come back.

    Quotes that no part names and the relations go to the first part.
    """
    concept = revision.named_living(change, change.concept)
    if concept is None:
        return
    parts = [part for part in change.parts if one_line(part.title)]
    if len(parts) < len(change.parts):
        revision.refuse(change, "empty_title", "a part without a title was left out")
    if len(parts) < _FEWEST:
        why = f"{told(concept)} can only be split into two or more parts with titles; it names {len(parts)}"
        revision.refuse(change, "empty_split", why)
        return
    quotes = _quotes_of_parts(revision, change, concept, parts)
    revision.put(concept.model_copy(update={"standing": Standing.REJECTED}))
    first = revision.place(concept.key) + 1
    for place, (part, carrying) in enumerate(zip(parts, quotes, strict=True), first):
        text = part.concept.strip() or concept.concept
        made = revision.new_concept(one_line(part.title), carrying, concept=text, analysis=part.analysis)
        revision.concepts.insert(place, made)
    revision.links = _handed_on(revision, concept.key, revision.concepts[first].key)


def _quotes_of_parts(
    revision: Revision, change: Change, concept: Candidate, parts: list[Part]
) -> list[tuple[Backing, ...]]:
    keys = [revision.known_quotes(change, part.quotes) for part in parts]
    named = {key for each in keys for key in each}
    left = tuple(each.quote for each in concept.quotes if each.quote not in named)
    keys[0] = tuple(dict.fromkeys((*keys[0], *left)))
    return [backings(concept, each) for each in keys]


def _handed_on(revision: Revision, key: str, heir: str) -> list[Link]:
    """The links, those of the concept with this key handed on to its heir; each said once."""
    holder, handed, links = holders(revision.concepts), set(), []
    for link in revision.links:
        now = moved(link, holder)
        if key not in (now.source, now.target) or now.source == now.target:
            links.append(link)
            continue
        ends = {"source": heir} if now.source == key else {"target": heir}
        new = now.model_copy(update=ends)
        if identity(new) not in handed:
            handed.add(identity(new))
            links.append(new)
    return links
