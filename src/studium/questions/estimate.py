"""What a run is likely to take, before anything is spent."""

from dataclasses import dataclass

from studium.core.domain.usage import Price

# What is assumed of one accepted question: exploring and submitting, one comparison, exploring and answering; one
# candidate in four refused on the way.
GENERATOR_CALLS = 4.0
DEDUPLICATOR_CALLS = 1.0
VALIDATOR_CALLS = 3.0
ATTEMPTS = 1.33
INPUT_TOKENS = 3500
OUTPUT_TOKENS = 250


@dataclass(frozen=True)
class Estimate:
    """The documents, questions, calls and tokens expected; `cost` is None where a price is not known."""

    documents: int
    questions: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


@dataclass(frozen=True)
class ModelCalls:
    """Who takes a part in the loop: its model (`rules` costs nothing), and the model's price if it is known."""

    model: str
    calls: float
    price: Price | None


def estimate_cost(documents: int, per_document: int, parts: tuple[ModelCalls, ...]) -> Estimate:
    """What so many questions about so many documents are expected to take."""
    questions = documents * per_document
    paid = [part for part in parts if part.model != "rules"]
    calls = [questions * ATTEMPTS * part.calls for part in paid]
    known = all(part.price is not None for part in paid)
    cost = sum(
        count * part.price.of(INPUT_TOKENS, OUTPUT_TOKENS)
        for count, part in zip(calls, paid, strict=True)
        if part.price
    )
    total = round(sum(calls))
    return Estimate(documents, questions, total, total * INPUT_TOKENS, total * OUTPUT_TOKENS, cost if known else None)
