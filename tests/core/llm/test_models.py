"""Models without a chat model, and the router that chooses one by role."""

from time import process_time

import pytest

from studium.core.domain.finding import Finding, Severity
from studium.core.domain.run import RunContext, use_context
from studium.core.domain.skill import Answer, Tool, ToolReply, skill
from studium.core.domain.usage import CallOutcome
from studium.core.domain.value import Value
from studium.core.llm.models import ModelRouter, RulesModel, ScriptedModel


class Text(Value):
    text: str


class Length(Value):
    length: int


COUNT = skill("texts.count", "counter", Text, Length)
JUDGE = skill("texts.judge", "judge", Text, Length)


def count(given: Text, _tools: object) -> Length:
    return Length(length=len(given.text))


async def test_a_rule_answers_and_the_call_is_counted_for_the_current_item():
    with use_context(RunContext(run="r1", item="a.md")) as context:
        answer = await RulesModel({"texts.count": count}).answer(COUNT, Text(text="four"))

    assert answer == Answer(Length(length=4))
    (call,) = context.calls
    assert (call.skill, call.role, call.model, call.outcome) == (
        "texts.count",
        "counter",
        "rules",
        CallOutcome.ANSWERED,
    )


async def test_a_rule_may_be_async_and_use_tools():
    async def rule(given: Text, tools: list[Tool]) -> Length:
        reply = tools[0].run(given)
        return Length(length=len(reply.text))

    twice = Tool("twice", "Says it twice.", Text, lambda given: ToolReply(given.text * 2))
    answer = await RulesModel({"texts.count": rule}).answer(COUNT, Text(text="four"), tools=[twice])

    assert answer.output == Length(length=8)


async def test_a_rule_that_cannot_answer_says_why():
    finding = Finding(code="texts.empty", severity=Severity.ERROR, message="There is nothing to count.")
    with use_context(RunContext()) as context:
        answer = await RulesModel({"texts.count": lambda *_: Answer(None, (finding,))}).answer(COUNT, Text(text=""))

    assert answer.findings == (finding,)
    assert context.calls[0].outcome is CallOutcome.FAILED


async def test_a_skill_without_a_rule_is_named():
    with pytest.raises(LookupError, match=r"no rule answers the skill texts\.judge; there are rules for texts\.count"):
        await RulesModel({"texts.count": count}).answer(JUDGE, Text(text=""))


async def test_rules_answer_thousands_of_times_a_second():
    model, given = RulesModel({"texts.count": count}), Text(text="four")
    start = process_time()
    for _ in range(1000):
        await model.answer(COUNT, given)
    assert process_time() - start < 2


async def test_a_script_is_read_in_order_and_remembers_what_was_asked():
    model = ScriptedModel({"texts.count": [Length(length=1), Length(length=2)], "texts.judge": count})

    outputs = [(await model.answer(COUNT, Text(text=text))).output for text in ("a", "b")]
    judged = await model.answer(JUDGE, Text(text="ccc"))

    assert outputs == [Length(length=1), Length(length=2)]
    assert judged.output == Length(length=3)
    assert [(asked.skill, asked.given) for asked in model.asked] == [
        ("texts.count", Text(text="a")),
        ("texts.count", Text(text="b")),
        ("texts.judge", Text(text="ccc")),
    ]


async def test_an_exhausted_or_empty_script_reports_it():
    model = ScriptedModel({"texts.count": [Length(length=1)]})
    await model.answer(COUNT, Text(text="a"))

    with pytest.raises(LookupError, match=r"only 1 answers to texts\.count"):
        await model.answer(COUNT, Text(text="b"))
    with pytest.raises(LookupError, match=r"no answers to texts\.judge"):
        await model.answer(JUDGE, Text(text="b"))


async def test_each_role_has_its_model_and_the_others_the_default():
    judge, default = ScriptedModel({"texts.judge": count}), ScriptedModel({"texts.count": count})
    model = ModelRouter({"judge": judge}, default)

    await model.answer(JUDGE, Text(text="a"))
    await model.answer(COUNT, Text(text="b"))
    await model.aclose()

    assert [asked.skill for asked in judge.asked] == ["texts.judge"]
    assert [asked.skill for asked in default.asked] == ["texts.count"]
