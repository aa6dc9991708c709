"""Quotes and proposals as they are shown to whoever judges."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from studium.domain.concept import ConceptGraph, Quote
from studium.workflows.concepts.neighbours import as_idea
from studium.workflows.concepts.proposal import Candidate, Proposal, quote_key
from studium.workflows.concepts.skills import CritiqueGiven, QuoteShown, RelationShown
from studium.workflows.concepts.state import ConceptExtractionState

MOST_QUOTES = 150
MOST_SIGNS = 24_000


def quotes_by_key(graph: ConceptGraph, state: ConceptExtractionState) -> dict[str, Quote]:
    """The quotes that the work is about; one that was dropped from the graph meanwhile is missing."""
    kept = {quote.uuid: quote for quote in graph.quotes_of(state["content_uuid"])}
    named = enumerate(state.get("quotes", ()))
    return {quote_key(position): kept[uuid] for position, uuid in named if uuid in kept}


def shown(quotes: Mapping[str, Quote], keys: Iterable[str]) -> tuple[QuoteShown, ...]:
    """These quotes, as a mind is to see them."""
    return tuple(
        QuoteShown(key=key, text=each.text, section=each.section, page=each.page_reference, note=each.note)
        for key in dict.fromkeys(keys)
        if (each := quotes.get(key))
    )


def in_batches(quotes: Sequence[QuoteShown]) -> Iterator[tuple[QuoteShown, ...]]:
    """The quotes, in as few parts as a mind can take at once."""
    batch: list[QuoteShown] = []
    signs = 0
    for quote in quotes:
        if batch and (len(batch) == MOST_QUOTES or signs + len(quote.text) > MOST_SIGNS):
            yield tuple(batch)
            batch, signs = [], 0
        batch.append(quote)
        signs += len(quote.text)
    if batch:
        yield tuple(batch)


def as_given(proposal: Proposal, quotes: Mapping[str, Quote], language: str) -> CritiqueGiven:
    """The living part of a proposal, whole."""
    given = part_given(proposal, quotes, language, {each.key for each in proposal.living})
    loose = shown(quotes, proposal.unattributed)
    return given.model_copy(update={"quotes": (*given.quotes, *loose), "unattributed": proposal.unattributed})


def part_given(proposal: Proposal, quotes: Mapping[str, Quote], language: str, keys: Collection[str]) -> CritiqueGiven:
    """These concepts of a proposal, with the quotes that carry them and how they relate."""
    chosen = [each for each in proposal.living if each.key in keys]
    return CritiqueGiven(
        language=language,
        concepts=tuple(map(as_idea, chosen)),
        quotes=shown(quotes, _carrying(chosen)),
        relations=tuple(
            RelationShown(
                source=each.source, target=each.target, title=each.title, type=each.type, reasoning=each.reasoning
            )
            for each in proposal.living_relations
            if each.source in keys
        ),
        unattributed=(),
    )


def _carrying(concepts: Iterable[Candidate]) -> Iterator[str]:
    for each in concepts:
        yield from (backing.quote for backing in each.quotes)
