from hypothesis import given
from hypothesis import strategies as st

from studium.core.domain.usage import Budget, Limits


def test_a_call_is_refused_when_the_item_has_spent_its_calls():
    budget = Budget(Limits(calls=2))
    assert budget.reserve() is None
    assert budget.reserve() is None
    assert budget.reserve() == "the limit of 2 model calls is reached"


def test_an_item_cannot_spend_what_the_run_does_not_have():
    run = Budget(Limits(cost=1.0))
    item = Budget(Limits(calls=10), parent=run)
    assert item.reserve(cost=0.9) is None
    assert item.reserve(cost=0.2) == "the limit of 1.00 in money would be passed"
    assert (item.calls, run.calls) == (1, 1), "a refused call is counted nowhere"


def test_what_was_reserved_and_not_used_can_be_spent_again():
    budget = Budget(Limits(tokens=100))
    assert budget.reserve(tokens=90) is None
    budget.settle(reserved_tokens=90, reserved_cost=0, tokens=10, cost=0)
    assert budget.reserve(tokens=90) is None


@given(
    limit=st.integers(1, 1000),
    calls=st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), max_size=40),
)
def test_calls_in_flight_together_never_exceed_the_limit(limit, calls):
    budget = Budget(Limits(tokens=limit))
    in_flight = [(estimate, min(estimate, used)) for estimate, used in calls if budget.reserve(tokens=estimate) is None]
    assert budget.tokens <= limit
    for estimate, used in in_flight:
        budget.settle(reserved_tokens=estimate, reserved_cost=0, tokens=used, cost=0)
    assert budget.tokens == sum(used for _, used in in_flight)
