"""Model calls, their cost, and budgets."""

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
    """One cached reply of a chat model.

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
    """A budget for one item, within that of the whole run.

    A call is reserved before it is made and settled after it, so that calls in flight together cannot pass the limit.
    """

    limits: Limits = field(default_factory=Limits)
    parent: "Budget | None" = None
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def reserve(self, *, tokens: int = 0, cost: float = 0.0) -> str | None:
        """Reserve one call, or return the limit that it would exceed."""
        budgets = list(self.chain())
        for budget in budgets:
            if reason := budget.exceeded_limit(tokens, cost):
                return reason
        for budget in budgets:
            budget.add(1, tokens, cost)
        return None

    def release(self, *, tokens: int, cost: float) -> None:
        """Release the reservation of a call that is not made."""
        for budget in self.chain():
            budget.add(-1, -tokens, -cost)

    def settle(self, *, reserved_tokens: int, reserved_cost: float, tokens: int, cost: float) -> None:
        """Replace a call's reservation by what it really cost."""
        for budget in self.chain():
            budget.add(0, tokens - reserved_tokens, cost - reserved_cost)

    @property
    def run(self) -> "Budget":
        """The budget of the whole run."""
        return self.chain()[-1]

    def chain(self) -> "list[Budget]":
        """This budget and its parents."""
        return [self, *(self.parent.chain() if self.parent else [])]

    def exceeded_limit(self, tokens: int, cost: float) -> str | None:
        """The limit of this budget alone that one more call would exceed, in words."""
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
