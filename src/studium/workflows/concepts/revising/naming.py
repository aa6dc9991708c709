"""What to say when a change names something that is not there: what there is instead."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from studium.workflows.concepts.proposal import Candidate, Proposal
from studium.workflows.concepts.revising.links import whole

_SHOWN = 8
_KEY = re.compile(r"c(\d+)")


def told(concept: Candidate) -> str:
    """A concept as people are told of it: `c3 “Deep work”`."""
    return f"{concept.key} “{concept.title}”"


def listed(names: Sequence[str]) -> str:
    """The names in a row, the first few where there are many."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def nearest_concept(name: str, concepts: Sequence[Candidate]) -> str:
    """What to name instead of a concept that does not exist, as the end of a sentence."""
    if not concepts:
        return "there are no concepts yet"
    by_name = {key: each for each in concepts for key in (each.title.casefold(), each.key.casefold())}
    close = get_close_matches(name.strip().casefold(), by_name, n=1)
    if close:
        return f"the nearest is {told(by_name[close[0]])}"
    return f"there are {listed([each.key for each in concepts])}"


def nearest_quote(name: str, quotes: Sequence[str]) -> str:
    """What to name instead of a quote that does not exist, as the end of a sentence."""
    if not quotes:
        return "the book has no quotes"
    close = get_close_matches(name.strip().casefold(), quotes, n=1)
    return f"the nearest is {close[0]}" if close else f"the quotes are {quotes[0]} to {quotes[-1]}"


def kept_concepts(proposal: Proposal) -> dict[str, str]:
    """The kept concepts that a proposal knows of: their titles by id."""
    ours = {each.key for each in whole(proposal.concepts)}
    found: dict[str, str] = {}
    for uuid, title in (
        *((link.target, link.title) for link in (*proposal.relations, *proposal.drawn)),
        *((each.other, each.title) for each in proposal.detections),
    ):
        found[uuid] = found.get(uuid) or title
    return {uuid: title for uuid, title in found.items() if uuid not in ours}


def numbers_used(proposal: Proposal) -> Iterable[int]:
    """The numbers of all concept keys that a proposal ever used, as far as it tells."""
    keys = {each.key for each in whole(proposal.concepts)}
    keys |= {key for link in (*proposal.relations, *proposal.drawn) for key in (link.source, link.target)}
    keys |= {key for each in proposal.detections for key in (each.candidate, each.other)}
    return (int(number[1]) for key in keys if (number := _KEY.fullmatch(key)))


def last_number(proposal: Proposal) -> int:
    """The highest number that a concept key of the proposal ever had; the next concept gets the one after it."""
    return max(numbers_used(proposal), default=0)
