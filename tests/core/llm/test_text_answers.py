"""Answers in plain words, heard while they come."""

from typing import Any

import pytest
from tests.core.llm.conftest import Note

from studium.core.database import Database
from studium.core.domain.run import RunContext, use_context
from studium.core.domain.skill import Skill, TextAnswer, text_skill
from studium.core.llm.client import ThinkFilter
from studium.core.llm.models import RulesModel
from studium.testing import Fault, Reply, WireServer

PROTOCOLS = ["openai", "ollama", "gemini", "anthropic"]
ANSWER = "Each router floods its links [1]. All of them then know the same map."


@pytest.fixture
def explain() -> Skill[TextAnswer]:
    return text_skill("cards.make", "cards.mapper", Note)


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_an_answer_is_streamed_and_paid_for_once(
    chat: Any, explain: Skill[TextAnswer], note: Note, database: Database, protocol: str
):
    heard: list[str] = []
    with WireServer([Reply(ANSWER, input_tokens=50, output_tokens=20)]) as server:
        model = chat(server, protocol)
        with use_context(RunContext(on_text=heard.append)):
            answer = await model.answer(explain, note)
        assert "".join(heard) == answer.output.text == ANSWER
        assert len(heard) > 3
        (request,) = server.requests
        assert request.stream
        assert request.schema is None
        (made,) = database.metrics.measure().skills
        assert (made.spent.input_tokens, made.spent.output_tokens) == (50, 20)

        again: list[str] = []
        with use_context(RunContext(on_text=again.append)):
            assert (await model.answer(explain, note)).cached
        assert again == [ANSWER]
        assert len(server.requests) == 1


async def test_without_a_listener_the_answer_comes_whole(chat: Any, explain: Skill[TextAnswer], note: Note):
    with WireServer([Reply(f"<think>hm</think>\n{ANSWER}")]) as server:
        answer = await chat(server, "openai").answer(explain, note)
    assert answer.output.text == ANSWER


async def test_thinking_is_not_streamed(chat: Any, explain: Skill[TextAnswer], note: Note):
    heard: list[str] = []
    reply = Reply(f"<think>They ask about OSPF.</think>\n\n{ANSWER}")
    with WireServer([reply]) as server, use_context(RunContext(on_text=heard.append)):
        await chat(server, "ollama").answer(explain, note)
    assert "".join(heard) == ANSWER


async def test_a_fault_before_the_first_word_is_retried(chat: Any, explain: Skill[TextAnswer], note: Note):
    heard: list[str] = []
    with WireServer([Fault("server_error"), Reply(ANSWER)]) as server, use_context(RunContext(on_text=heard.append)):
        answer = await chat(server, "openai").answer(explain, note)
    assert answer.output.text == "".join(heard) == ANSWER


async def test_an_empty_answer_is_a_finding(chat: Any, explain: Skill[TextAnswer], note: Note):
    with WireServer(lambda _request: Reply("  ")) as server:
        answer = await chat(server, "openai").answer(explain, note)
    assert answer.output is None
    assert "said nothing" in answer.findings[0].message


async def test_answers_of_rules_are_streamed_too(explain: Skill[TextAnswer], note: Note):
    heard: list[str] = []
    model = RulesModel({explain.name: lambda given, _tools: TextAnswer(text=f"About {given.note[:4]}.")})
    with use_context(RunContext(on_text=heard.append)):
        await model.answer(explain, note)
    assert heard == ["About OSPF."]


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        (["<thi", "nk>a", "b</think>", " yes"], "yes"),
        (["<", "b>bold</b>"], "<b>bold</b>"),
        (["", "plain ", "words"], "plain words"),
        (["  <think>never ends"], ""),
    ],
)
def test_only_thinking_at_the_start_is_removed(pieces: list[str], told: str):
    think_filter = ThinkFilter()
    assert "".join(map(think_filter.feed, pieces)).lstrip() == told
