"""Usage: what each call of a model took."""

from dataclasses import dataclass, field
from enum import StrEnum

from studium.core.domain.value import Value


class CallOutcome(StrEnum):
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
    """One call of a model: one turn of a chat model, or one rule that answered."""

    skill: str
    role: str
    model: str
    outcome: CallOutcome
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


class Limits(Value):
    """The most that may be spent; `None` is no limit."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None


@dataclass
class Budget:
    """What may be spent on one item, inside what may be spent on the whole run.

    A call is reserved before it is made and settled after it, so that calls in flight together cannot pass the limit.
    """

    limits: Limits = field(default_factory=Limits)
    parent: "Budget | None" = None
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def reserve(self, *, tokens: int = 0, cost: float = 0.0) -> str | None:
        """Set one call aside; or say which limit it would pass, and set nothing aside."""
        budgets = list(self.chain())
        for budget in budgets:
            if reason := budget.refusal(tokens, cost):
                return reason
        for budget in budgets:
            budget.add(1, tokens, cost)
        return None

    def release(self, *, tokens: int, cost: float) -> None:
        """Give back what was set aside for a call that is not made after all."""
        for budget in self.chain():
            budget.add(-1, -tokens, -cost)

    def settle(self, *, reserved_tokens: int, reserved_cost: float, tokens: int, cost: float) -> None:
        """Replace what was set aside for a call by what it really took."""
        for budget in self.chain():
            budget.add(0, tokens - reserved_tokens, cost - reserved_cost)

    @property
    def run(self) -> "Budget":
        """The budget of the whole run: the one that is part of no other."""
        return self.chain()[-1]

    def chain(self) -> "list[Budget]":
        """This budget and those it is part of."""
        return [self, *(self.parent.chain() if self.parent else [])]

    def refusal(self, tokens: int, cost: float) -> str | None:
        """The limit of this budget alone that one more call would pass."""
        limits = self.limits
        if limits.calls is not None and self.calls + 1 > limits.calls:
            return f"the limit of {limits.calls} model calls is reached"
        if limits.tokens is not None and self.tokens + tokens > limits.tokens:
            return f"the limit of {limits.tokens} tokens would be passed"
        if limits.cost is not None and self.cost + cost > limits.cost:
            return f"the limit of {limits.cost:.2f} in money would be passed"
        return None

    def add(self, calls: int, tokens: int, cost: float) -> None:
        """Count what was spent."""
        self.calls += calls
        self.tokens += tokens
        self.cost += cost
