"""Atomicity: one concept holds one idea."""

import re
from collections.abc import Iterator, Mapping

from studium.workflows.concepts.judging.halves import joins_two_ideas
from studium.workflows.concepts.judging.words import in_quotes, lexicon, sentences
from studium.workflows.concepts.skills import CritiqueGiven, Idea, Remark

MOST_SENTENCES = 3
FEWEST_CLAIMS = 2

_LISTED = re.compile(r"(?:^|\n)[ \t]*(?:[-*•–]|\(?\d{1,2}[.)]|\(?[a-h]\))[ \t]+\S|(?<=\s)\(?[1-9]\)\s+\w")


def atomicity(given: CritiqueGiven) -> Iterator[Remark]:
    """The concepts that hold more than one idea."""
    texts = {quote.key: quote.text for quote in given.quotes}
    for idea in given.concepts:
        yield from _two_titles(idea, texts)
        yield from _many_claims(idea)


def _two_titles(idea: Idea, texts: Mapping[str, str]) -> Iterator[Remark]:
    parts = joins_two_ideas(idea.title, [texts[key] for key in idea.quotes if key in texts])
    if parts:
        left, right = in_quotes(parts.left), in_quotes(parts.right)
        message = f"The title of {idea.key} joins two ideas. Split {idea.key} into {left} and {right}."
        yield Remark(message=message, concepts=(idea.key,), quotes=tuple(key for key in idea.quotes if key in texts))


def _many_claims(idea: Idea) -> Iterator[Remark]:
    claims, told = len(_LISTED.findall(idea.concept)), sentences(idea.concept)
    ordinals = "|".join(map(re.escape, lexicon()["ordinals"]))
    claims = max(claims, sum(bool(re.match(rf"(?:{ordinals})\b[,:]?\s", each, re.IGNORECASE)) for each in told))
    if claims >= FEWEST_CLAIMS:
        message = f"{idea.key} lists {claims} claims: keep one in it, and make the others concepts of their own."
    elif len(told) > MOST_SENTENCES:
        message = f"{idea.key} takes {len(told)} sentences: say its one idea in {MOST_SENTENCES} at most."
    else:
        return
    yield Remark(message=message, concepts=(idea.key,))
