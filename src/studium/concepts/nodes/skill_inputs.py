"""Builds skill inputs from quotes and proposals."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from studium.concepts.domain import ConceptGraph, Quote
from studium.concepts.proposal import CandidateConcept, Proposal, quote_key
from studium.concepts.search import candidate_view
from studium.concepts.skills import CritiqueInput, QuoteView, RelationView
from studium.concepts.state import ConceptExtractionState

MAX_BATCH_QUOTES = 150
MAX_BATCH_CHARS = 24_000


def quotes_by_key(graph: ConceptGraph, state: ConceptExtractionState) -> dict[str, Quote]:
    """The quotes of the extraction, without those that were deleted from the graph since."""
    kept = {quote.uuid: quote for quote in graph.quotes_of(state["content_uuid"])}
    named = enumerate(state.get("quotes", ()))
    return {quote_key(position): kept[uuid] for position, uuid in named if uuid in kept}


def quote_views(quotes: Mapping[str, Quote], keys: Iterable[str]) -> tuple[QuoteView, ...]:
    """These quotes as a model sees them."""
    return tuple(
        QuoteView(key=key, text=each.text, section=each.section, page=each.page_reference, note=each.note)
        for key in dict.fromkeys(keys)
        if (each := quotes.get(key))
    )


def batch_quotes(quotes: Sequence[QuoteView]) -> Iterator[tuple[QuoteView, ...]]:
    """The quotes in as few batches as fit into a prompt."""
    batch: list[QuoteView] = []
    signs = 0
    for quote in quotes:
        if batch and (len(batch) == MAX_BATCH_QUOTES or signs + len(quote.text) > MAX_BATCH_CHARS):
            yield tuple(batch)
            batch, signs = [], 0
        batch.append(quote)
        signs += len(quote.text)
    if batch:
        yield tuple(batch)


def proposal_input(proposal: Proposal, quotes: Mapping[str, Quote], language: str) -> CritiqueInput:
    """The input for all concepts of a proposal that are not rejected."""
    given = partial_proposal_input(proposal, quotes, language, {each.key for each in proposal.live_concepts})
    loose = quote_views(quotes, proposal.unattributed)
    return given.model_copy(update={"quotes": (*given.quotes, *loose), "unattributed": proposal.unattributed})


def partial_proposal_input(
    proposal: Proposal, quotes: Mapping[str, Quote], language: str, keys: Collection[str]
) -> CritiqueInput:
    """The input for some concepts of a proposal, with their quotes and relations."""
    chosen = [each for each in proposal.live_concepts if each.key in keys]
    return CritiqueInput(
        language=language,
        concepts=tuple(map(candidate_view, chosen)),
        quotes=quote_views(quotes, _carrying(chosen)),
        relations=tuple(
            RelationView(
                source=each.source, target=each.target, title=each.title, type=each.type, reasoning=each.reasoning
            )
            for each in proposal.live_relations
            if each.source in keys
        ),
        unattributed=(),
    )


def _carrying(concepts: Iterable[CandidateConcept]) -> Iterator[str]:
    for each in concepts:
        yield from (backing.quote for backing in each.quotes)
