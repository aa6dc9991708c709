"""Usage: what each call of a mind took."""

from enum import StrEnum

from studium.domain.value import Value


class Outcome(StrEnum):
    """How a call ended."""

    ANSWERED = "answered"
    INVALID = "invalid"
    FAILED = "failed"


class Price(Value):
    """What a model costs, in money per million tokens."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """The price of one call."""
        return (self.input * input_tokens + self.output * output_tokens) / 1_000_000


class Call(Value):
    """One call of a mind: one turn of a chat model, or one rule that answered."""

    skill: str
    role: str
    model: str
    outcome: Outcome
    seconds: float
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    cached: bool = False


class Turn(Value):
    """One reply of a chat model, kept so that the same question is never paid for twice.

    `reply` is the model's message in JSON: `{"content": …, "tool_calls": […]}`.
    """

    key: str
    skill: str
    model: str
    reply: dict[str, object]
