"""A small job for a cluster: each text file is asked about in several steps, and a checkpoint is kept after each."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from studium.core.database import Database
from studium.core.domain.decision import Action, Decision
from studium.core.domain.errors import BadInput
from studium.core.domain.run import RunItem, RunSpec
from studium.core.domain.skill import skill
from studium.core.domain.usage import Limits
from studium.core.domain.value import Value
from studium.core.llm.chat_model import ChatModel
from studium.core.llm.providers import ModelSpec
from studium.core.runs.checkpoints import open_checkpoints
from studium.core.runs.runner import Runner

STEPS = 3
PROMPT = "---\nvariables: [text, step]\nsources: [text]\n---\n# System\nRead.\n# User\nStep {{step}}: {{text}}\n"


class Given(Value):
    text: str
    step: int


class Read(Value):
    word: str


READ = skill("cluster.read", "cluster.reader", Given, Read)


class Reading(TypedDict, total=False):
    path: str
    words: list[str]
    refused: str | None


@dataclass(frozen=True)
class Setting:
    """What the workers are told: where the database and the model are, and what may be spent."""

    database: str
    model: str
    prompts: str
    concurrency: int = 4
    limits: Limits = field(default_factory=Limits)
    requests_per_minute: int | None = None
    retries: int = 4


@asynccontextmanager
async def open_reading(setting: Setting, paths: tuple[Path, ...]) -> AsyncIterator[tuple[Runner, RunSpec]]:
    """What the driver and each worker open."""
    spec = ModelSpec(
        "openai:reader",
        base_url=setting.model,
        requests_per_minute=setting.requests_per_minute,
        retries=setting.retries,
    )
    with Database.open(setting.database) as database:
        model = ChatModel(spec, database.turns, [Path(setting.prompts)])
        async with open_checkpoints(setting.database, ()) as checkpoints:
            job = RunSpec(
                feature="reading",
                arguments={"paths": [str(path) for path in paths]},
                note=f"{len(paths)} papers",
                graph=reading_graph(model, checkpoints),
                items=[RunItem(path.name, partial(dict, path=str(path))) for path in paths],
                decide=decide,
                checkpointed=True,
            )
            yield Runner(database, setting.concurrency, setting.limits), job
        await model.aclose()


def reading_graph(model: ChatModel, checkpointer: Any) -> Any:
    async def read(state: Reading) -> Reading:
        text, words = text_of(state["path"]), state.get("words", [])
        if text == "poison":
            os._exit(9)
        answer = await model.answer(READ, Given(text=text, step=len(words)))
        if answer.output is None:
            return {"refused": answer.findings[0].message}
        return {"words": [*words, answer.output.word]}

    def is_done(state: Reading) -> str:
        return END if state.get("refused") or len(state.get("words", [])) == STEPS else "read"

    graph = StateGraph(Reading)
    graph.add_node("read", read)
    graph.add_edge(START, "read")
    graph.add_conditional_edges("read", is_done, ["read", END])
    return graph.compile(checkpointer=checkpointer)


def text_of(path: str) -> str:
    try:
        return Path(path).read_text()
    except FileNotFoundError:
        raise BadInput(f"{Path(path).name} is not there.") from None


def decide(item: RunItem, state: dict[str, Any]) -> list[Decision]:
    words, refused = state.get("words", []), state.get("refused")
    action = Action.SKIP if refused else Action.CREATE
    reasons = (refused,) if refused else ()
    return [Decision(item=item.id, action=action, reasons=reasons, proposal={"words": words})]
