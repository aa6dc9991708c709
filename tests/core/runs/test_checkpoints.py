"""The state of a loop outlives the process, on SQLite and on PostgreSQL alike."""

from typing import TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from tests.damaged_files import damage_again_and_again

from studium.core.domain.errors import StorageFailed
from studium.core.runs.checkpoints import open_checkpoints
from studium.questions.domain import RejectedQA, RejectionReason

REFUSED = RejectedQA(
    question="Why?", answer="So.", rejection_reason=RejectionReason.TRIVIAL, rejection_detail="It needs no document."
)
TYPES = (RejectedQA, RejectionReason)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.part("postgres"))])
def url(request, tmp_path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("new_postgres_database")())
    return f"sqlite:///{tmp_path / 'deep' / 'checkpoints.sqlite'}"


def waiting_graph(checkpointer):
    class State(TypedDict, total=False):
        refused: RejectedQA
        said: str

    def refuse(_state):
        return {"refused": REFUSED}

    def ask(_state):
        return {"said": interrupt("Go on?")}

    graph = StateGraph(State)
    graph.add_node("refuse", refuse)
    graph.add_node("ask", ask)
    graph.add_edge(START, "refuse")
    graph.add_edge("refuse", "ask")
    graph.add_edge("ask", END)
    return graph.compile(checkpointer=checkpointer)


@pytest.mark.xdist_group("postgres")
async def test_a_waiting_graph_resumes_after_everything_was_closed(url):
    config = {"configurable": {"thread_id": "one"}}
    async with open_checkpoints(url, TYPES) as checkpoints:
        stopped = await waiting_graph(checkpoints).ainvoke({}, config, durability="sync")
        assert stopped["__interrupt__"][0].value == "Go on?"
    async with open_checkpoints(url, TYPES) as checkpoints:
        state = await waiting_graph(checkpoints).ainvoke(Command(resume="yes"), config)
    assert state == {"refused": REFUSED, "said": "yes"}


@pytest.mark.xdist_group("postgres")
async def test_an_unlisted_type_is_not_deserialised(tmp_path):
    url = f"sqlite:///{tmp_path / 'checkpoints.sqlite'}"
    config = {"configurable": {"thread_id": "one"}}
    async with open_checkpoints(url, TYPES) as checkpoints:
        await waiting_graph(checkpoints).ainvoke({}, config, durability="sync")
    async with open_checkpoints(url, ()) as checkpoints:
        found = await checkpoints.aget_tuple(config)
    assert not isinstance(found.checkpoint["channel_values"]["refused"], RejectedQA)


async def test_flipped_bytes_are_reported_as_damage(tmp_path):
    path = tmp_path / "checkpoints.sqlite"
    config = {"configurable": {"thread_id": "one"}}
    async with open_checkpoints(f"sqlite:///{path}", TYPES) as checkpoints:
        await waiting_graph(checkpoints).ainvoke({}, config, durability="sync")
    told = []
    for _ in damage_again_and_again(path, 10):
        try:
            async with open_checkpoints(f"sqlite:///{path}", TYPES) as checkpoints:
                await checkpoints.aget_tuple(config)
        except StorageFailed as error:
            told.append(f"{error} {error.remedy}")
    assert len(told) > 10
    assert all("checkpoints.sqlite is damaged" in each and "Restore the file from a copy" in each for each in told)
