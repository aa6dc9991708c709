"""Notes on disk and a small graph to run over them."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph

from studium.core.database import Database
from studium.core.domain.decision import Action, Decision
from studium.core.domain.run import RunItem, RunSpec


class Counting(TypedDict, total=False):
    number: int
    feedback: list[str]
    seen: str


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(f"sqlite:///{tmp_path / 'database.sqlite'}") as opened:
        yield opened


@pytest.fixture
def job_of() -> Callable[..., RunSpec]:
    """A job whose only step is the given function of the state."""

    def build(step: Callable[[Counting], Any], items: int = 5, **more: Any) -> RunSpec:
        graph = StateGraph(Counting)
        graph.add_node("step", step)
        graph.add_edge(START, "step")
        graph.add_edge("step", END)
        return RunSpec(
            feature="counting",
            arguments={"items": items},
            note=f"Count to {items}",
            graph=graph.compile(),
            items=[RunItem(f"item-{number}", partial(dict, number=number)) for number in range(items)],
            decide=more.pop("decide", lambda item, _state: [Decision(item=item.id, action=Action.CREATE)]),
            **more,
        )

    return build
