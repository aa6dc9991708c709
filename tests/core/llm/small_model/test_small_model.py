"""A real small model answers one skill of each kind over each real wire: asserted on form, never on quality."""

from contextlib import closing
from typing import Literal

import numpy as np
import pytest
import pytest_asyncio
from tests.real.smollm2 import NAME

from studium.core.database import Database
from studium.core.domain.errors import MissingModel
from studium.core.domain.run import RunContext, use_context
from studium.core.domain.skill import FinalTool, Skill, Tool, ToolReply, skill
from studium.core.domain.usage import Budget
from studium.core.domain.value import Value
from studium.core.llm.chat_model import ChatModel
from studium.core.llm.embeddings import build_embedder
from studium.core.llm.providers import ModelSpec

pytestmark = pytest.mark.llm
MODELS = {"xllamacpp": f"openai:{NAME}", "ollama": f"ollama:{NAME}"}
HONEST = {"mind.invalid_output", "mind.max_turns"}
PROMPT = """\
---
variables: [statement]
sources: [statement]
---
# System
You judge whether a statement about networks is true.
# User
{{statement}}
"""


class Claim(Value):
    statement: str


class Verdict(Value):
    """Bounded in every field, so that a server that keeps to the schema cannot run on for ever."""

    is_true: bool
    certainty: Literal["low", "medium", "high"]


class Query(Value):
    words: str


CLAIM = Claim(statement="OSPF elects a designated router on each broadcast segment.")
JUDGE = skill("questions.judge", "questions.validator", Claim, Verdict)
RESEARCH = Skill("questions.judge", "questions.validator", Claim, (FinalTool("submit", "Submit it.", Verdict),), 1, 3)
SEARCH = Tool("search", "Search the book.", Query, lambda query: ToolReply(f"Nothing about {query.words}."))


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.part(name)]) for name in MODELS])
def server(request):
    """A real server: its model and its address."""
    return MODELS[request.param], request.getfixturevalue(f"{request.param}_address")


@pytest_asyncio.fixture
async def chat(server, tmp_path):
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "judge.md").write_text(PROMPT)
    models = []
    with Database.open(f"sqlite:///{tmp_path}/database.db") as database:

        def make(**changes):
            name, address = server
            settings = {"base_url": address, "max_tokens": 120, "timeout": 250, "retries": 0} | changes
            models.append(ChatModel(ModelSpec(**{"name": name} | settings), database.turns, [tmp_path]))
            return models[-1]

        yield make
        for model in models:
            await model.aclose()


async def test_a_structured_answer_matches_its_schema_and_is_paid_for_once(chat):
    model = chat()
    first = await model.answer(JUDGE, CLAIM)
    assert isinstance(first.output, Verdict), first.findings
    again = await model.answer(JUDGE, CLAIM)
    assert (again.output, again.cached) == (first.output, True)


@pytest.mark.parametrize("tools", ["native", "text"])
async def test_a_loop_with_tools_ends_within_its_turns_in_an_output_or_an_honest_finding(chat, tools):
    with use_context(RunContext(budget=Budget())) as context:
        answer = await chat(tools=tools).answer(RESEARCH, CLAIM, tools=[SEARCH])
    assert 1 <= context.budget.calls <= RESEARCH.max_turns
    if answer.output is None:
        assert {finding.code for finding in answer.findings} <= HONEST
        assert answer.findings
    else:
        assert isinstance(answer.output, Verdict)


def test_vectors_are_of_unit_length_and_the_same_for_the_same_text(server):
    name, address = server
    texts = [CLAIM.statement, "A rose is a rose.", CLAIM.statement]
    with closing(build_embedder(name, base_url=address)) as embedder:
        vectors = embedder.embed(texts)
    assert vectors.shape == (3, 576)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-4)
    same, other = vectors[0] @ vectors[2], vectors[0] @ vectors[1]
    assert same == pytest.approx(1, abs=1e-3)
    assert other < 0.99


@pytest.mark.part("ollama")
@pytest.mark.parametrize("server", ["ollama"], indirect=True)
async def test_a_model_missing_in_ollama_is_reported_with_the_command_that_pulls_it(chat):
    with pytest.raises(MissingModel) as raised:
        await chat(name="ollama:qwen3:14b").answer(JUDGE, CLAIM)
    assert "ollama pull qwen3:14b" in raised.value.remedy
