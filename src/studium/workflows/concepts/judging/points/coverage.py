"""Quote coverage: every concept rests on quotes that exist, and every quote is accounted for."""

from collections.abc import Iterator

from studium.workflows.concepts.judging.words import in_words
from studium.workflows.concepts.skills import CritiqueGiven, Idea, Remark


def quote_coverage(given: CritiqueGiven) -> Iterator[Remark]:
    """The concepts without quotes, and the quotes that are nowhere, or in two places that exclude each other."""
    known = {quote.key for quote in given.quotes}
    for idea in given.concepts:
        yield from _resting(idea, known)
    carrying = {key for idea in given.concepts for key in idea.quotes}
    listed = set(given.unattributed)
    for key in (quote.key for quote in given.quotes):
        if key not in carrying and key not in listed:
            message = f"{key} carries no concept and is not listed as unattributed: give it a concept, or list it."
            yield Remark(message=message, quotes=(key,))
        elif key in carrying and key in listed:
            holders = tuple(idea.key for idea in given.concepts if key in idea.quotes)
            message = f"{key} is listed as unattributed, but {in_words(holders)} rests on it: take it off the list."
            yield Remark(message=message, concepts=holders, quotes=(key,))
    for key in given.unattributed:
        if key not in known:
            yield Remark(message=f"{key} is listed as unattributed, but there is no such quote: take it off the list.")


def _resting(idea: Idea, known: set[str]) -> Iterator[Remark]:
    missing = tuple(dict.fromkeys(key for key in idea.quotes if key not in known))
    if all(key in missing for key in idea.quotes):
        yield Remark(message=f"{idea.key} rests on no quote. Reject {idea.key}.", concepts=(idea.key,))
    elif missing:
        named = in_words(missing)
        message = f"There is no quote {in_words(missing)}. Remove {named} from {idea.key}."
        yield Remark(message=message, concepts=(idea.key,))
