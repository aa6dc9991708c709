"""Text ReAct: what models without tool calls really write, and the loop over Ollama's wire."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies

from studium.core.domain.skill import FinalTool, Skill, Tool, ToolReply, skill
from studium.core.domain.value import Value
from studium.core.llm.tool_loop import closest_name, parse_react_step
from studium.testing import Reply, WireServer

SEARCH = {"query": "ospf"}

ACTIONS = {
    "as asked": 'Thought: I look.\nAction: search\nAction Input: {"query": "ospf"}',
    "bold labels": '**Thought:** I look.\n**Action:** search\n**Action Input:** {"query": "ospf"}',
    "bold with the colon outside": '**Thought**: I look.\n**Action**: search\n**Action Input**: {"query": "ospf"}',
    "capitals": 'THOUGHT: I look.\nACTION: search\nACTION INPUT: {"query": "ospf"}',
    "lower case": 'thought: I look.\naction: search\naction input: {"query": "ospf"}',
    "underscore": 'Action: search\nAction_Input: {"query": "ospf"}',
    "no space": 'Action: search\nActionInput: {"query": "ospf"}',
    "numbered": 'Thought 1: I look.\nAction 1: search\nAction Input 1: {"query": "ospf"}',
    "headings": '### Thought: I look.\n### Action: search\n### Action Input: {"query": "ospf"}',
    "bullets": '- Thought: I look.\n- Action: search\n- Action Input: {"query": "ospf"}',
    "wide colon": 'Action\uff1a search\nAction Input\uff1a {"query": "ospf"}',
    "thought without a label": 'I shall look.\nAction: search\nAction Input: {"query": "ospf"}',
    "action without a label": 'search\nAction Input: {"query": "ospf"}',
    "name in backticks": 'Action: `search`\nAction Input: {"query": "ospf"}',
    "name in quotes": 'Action: "search"\nAction Input: {"query": "ospf"}',
    "name in brackets": 'Action: [search]\nAction Input: {"query": "ospf"}',
    "JSON in a fence": 'Action: search\nAction Input:\n```json\n{"query": "ospf"}\n```',
    "JSON in a fence on the line": 'Action: search\nAction Input: ```{"query": "ospf"}```',
    "JSON over lines": 'Action: search\nAction Input: {\n  "query": "ospf"\n}',
    "single quotes": "Action: search\nAction Input: {'query': 'ospf'}",
    "trailing comma": 'Action: search\nAction Input: {"query": "ospf",}',
    "trailing prose": 'Action: search\nAction Input: {"query": "ospf"}\nI will wait for the result.',
    "JSON in a string": 'Action: search\nAction Input: "{\\"query\\": \\"ospf\\"}"',
    "several actions": 'Action: search\nAction Input: {"query": "ospf"}\nAction: see\nAction Input: {"number": 2}',
    "made-up observation": (
        'Action: search\nAction Input: {"query": "ospf"}\nObservation: found\nThought: good\nFinal Answer: {"a": 1}'
    ),
    "input on the action's next line": 'Action: search\n{"query": "ospf"}',
    "input on the action's line": 'Action: search {"query": "ospf"}',
    "Python call": 'Action: search(query="ospf")',
    "Python call in backticks": 'Action: `search(query="ospf")`',
    "Python call of a dict": 'Action: search({"query": "ospf"})',
    "bare Python call": 'I look.\nsearch(query="ospf")',
    "bare JSON": '{"action": "search", "action_input": {"query": "ospf"}}',
    "bare JSON in a fence": '```json\n{"action": "search", "action_input": {"query": "ospf"}}\n```',
    "JSON after prose": 'I look.\n{"action": "search", "action_input": {"query": "ospf"}}',
    "JSON as the action": 'Action: {"action": "search", "action_input": {"query": "ospf"}}',
    "JSON in the words of others": '{"name": "search", "arguments": {"query": "ospf"}}',
    "JSON with tool": '{"tool": "search", "tool_input": {"query": "ospf"}}',
    "thoughts in tags": '<think>Action: see</think>\nAction: search\nAction Input: {"query": "ospf"}',
}


@pytest.mark.parametrize("shape", ACTIONS)
def test_an_action_is_read(shape: str):
    step = parse_react_step(ACTIONS[shape])
    assert (step.action, step.arguments.fit(["query"]), step.is_final) == ("search", SEARCH, False)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("Action: search\nAction Input: ospf", {"query": "ospf"}),
        ('Action: search\nAction Input: "ospf"', {"query": "ospf"}),
        ('Action: search("ospf", 5)', {"query": "ospf", "limit": 5}),
        ('Action: search("ospf", limit=5)', {"query": "ospf", "limit": 5}),
        ("Action: search[ospf areas]", {"query": "ospf areas"}),
        ("Action: search", {}),
        ("Action: search()", {}),
        ('Action: search\nAction Input: {"query": "a {b} \\"c\\"", "limit": 1}', {"query": 'a {b} "c"', "limit": 1}),
        ("Action: search\nAction Input: {'query': \"it's\", 'deep': true,}", {"query": "it's", "deep": True}),
    ],
)
def test_arguments_are_read(text: str, arguments: dict[str, Any]):
    step = parse_react_step(text)
    assert step.action == "search"
    assert step.arguments.fit(["query", "limit"]) == arguments


FINALS = {
    "as asked": 'Thought: done.\nFinal Answer: {"answer": "DR"}',
    "bold": '**Final Answer:** {"answer": "DR"}',
    "other case": 'FINAL ANSWER: {"answer": "DR"}',
    "underscore": 'final_answer: {"answer": "DR"}',
    "fence": 'Final Answer:\n```json\n{"answer": "DR"}\n```',
    "prose before": 'Final Answer: The answer is {"answer": "DR"}.',
    "as an action": '{"action": "Final Answer", "action_input": {"answer": "DR"}}',
    "as JSON": '{"final_answer": {"answer": "DR"}}',
    "bare": "Final Answer: DR",
}


@pytest.mark.parametrize("shape", FINALS)
def test_a_final_answer_is_read(shape: str):
    step = parse_react_step(FINALS[shape])
    assert step.is_final
    assert step.arguments.fit(["answer"]) == {"answer": "DR"}


@pytest.mark.parametrize("text", ["", "I do not know.", "Thought: hm", "Observation: made up", '{"answer": 1}'])
def test_a_text_without_a_step_is_a_thought(text: str):
    step = parse_react_step(text)
    assert not step.action
    assert not step.is_final


def test_the_thought_is_kept():
    assert parse_react_step("Thought: I look.\nAction: search").thought == "I look."


@given(strategies.text() | strategies.text(alphabet="{}[]()\"'`:,\n ActionInputFlswer"))
def test_no_text_breaks_the_reader(text: str):
    parse_react_step(text)
    parse_react_step(f"Action: search\nAction Input: {text}")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Search", "search_text"),
        ("search text", "search_text"),
        ("serch_text", "search_text"),
        ("ReadLines", "read_lines"),
        ("weather", "weather"),
    ],
)
def test_a_misspelt_name_means_the_nearest_tool(written: str, meant: str):
    assert closest_name(written, ["search_text", "read_lines"]) == meant


class Title(Value):
    title: str


class Query(Value):
    query: str


class Found(Value):
    answer: str


class Exhausted(Value):
    reason: str


ASK = skill("questions.ask", "generator", Title, Found)
SEARCH_TOOL = Tool("search", "Search the text.", Query, lambda given: ToolReply(f"found: {given.query}"))


@pytest.fixture(autouse=True)
def prompt(prompts: Path) -> None:
    (prompts / "questions").mkdir()
    text = "---\nvariables: [title]\nsources: [title]\n---\n# System\nYou ask.\n# User\n{{title}}\n"
    (prompts / "questions" / "ask.md").write_text(text)


async def test_a_model_without_tools_searches_in_text_and_answers(chat: Any):
    with WireServer(
        [
            Reply('Thought: I look.\nAction: serach\nAction Input: {"query": "DR"}'),
            Reply('Final Answer: {"answer": "DR"}'),
        ]
    ) as server:
        answer = await chat(server, "ollama", tools="text").answer(ASK, Title(title="OSPF"), tools=[SEARCH_TOOL])

    assert answer.output == Found(answer="DR")
    first, second = server.requests
    assert first.tools == ()
    assert first.body["options"]["stop"] == ["\nObservation:"]
    assert "- search: Search the text." in first.messages[0].text
    assert second.messages[-1].role == "user"
    note = "Observation: There is no action `serach`; `search` was taken. <search "
    assert second.messages[-1].text.startswith(note)
    assert "found: DR" in second.messages[-1].text


async def test_mistakes_in_text_are_reported_and_the_loop_is_replayed(chat: Any):
    replies = [
        Reply("Action: weather\nAction Input: {}"),
        Reply("Action: search\nAction Input: {}"),
        Reply("I think."),
        Reply("Final Answer: {}"),
        Reply('Final Answer: {"answer": "DR"}'),
    ]
    with WireServer(replies) as server:
        answer = await chat(server, "ollama", tools="text").answer(ASK, Title(title="OSPF"), tools=[SEARCH_TOOL])
        again = await chat(server, "ollama", tools="text").answer(ASK, Title(title="OSPF"), tools=[SEARCH_TOOL])

    assert answer.output == Found(answer="DR")
    assert again.cached
    told = [message.text for message in server.requests[-1].messages if message.role == "user"][1:]
    assert told[0].startswith("Observation: There is no tool `weather`")
    assert told[1].startswith("Observation: The arguments of `search` are wrong: query: Field required")
    assert told[2].startswith("Go on with `Action:`")
    assert told[3].startswith("Observation: The arguments of `final_answer` are wrong: answer: Field required")


async def test_several_final_tools_are_distinguished_in_text(chat: Any):
    endings = (FinalTool("submit", "Hand it in.", Found), FinalTool("give_up", "Give up.", Exhausted))
    either = Skill("questions.ask", "generator", Title, endings)
    with WireServer(
        [Reply('Action: give_up\nAction Input: {"reason": "dry"}'), Reply('Final Answer: {"reason": "empty"}')]
    ) as server:
        model = chat(server, "ollama", tools="text")
        named = await model.answer(either, Title(title="a"), tools=[SEARCH_TOOL])
        told_apart = await model.answer(either, Title(title="b"), tools=[SEARCH_TOOL])
    assert named.output == Exhausted(reason="dry")
    assert told_apart.output == Exhausted(reason="empty")


async def test_a_model_that_never_calls_a_tool_is_stopped(chat: Any):
    with WireServer([Reply("Hm."), Reply("Well.")]) as server:
        answer = await chat(server, "ollama", tools="text").answer(ASK, Title(title="OSPF"), tools=[SEARCH_TOOL])
    assert [finding.code for finding in answer.findings] == ["mind.invalid_output"]
