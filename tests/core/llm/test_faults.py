"""Every fault of a server ends in the right answer, a finding, or an error of ours that says what to do."""

import socket
from typing import Any

import pytest

from studium.core.database import Database
from studium.core.domain.errors import MissingModel, ServiceDown
from studium.core.domain.skill import Skill
from studium.core.domain.value import Value
from studium.core.llm.faults import Fault as Diagnosis
from studium.core.llm.faults import FaultKind, diagnose, fault_finding
from studium.core.llm.providers import ModelSpec
from studium.testing import Fault, Reply, WireServer

GOOD = Reply('{"front": "Who is elected?", "back": "A designated router."}')
PROTOCOLS = ["openai", "ollama", "gemini", "anthropic"]
PASSING = {
    "too_many": Fault.too_many(retry_after=0.25),
    "server_error": Fault.server_error(),
    "hang": Fault.hang(2),
    "drop": Fault.drop(),
    "cut_body": Fault.cut_body(),
}
SPOILED = {"truncated": Fault.truncated(), "wrong_schema": Fault.wrong_schema(), "empty": Fault.empty()}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("fault", PASSING)
async def test_a_transient_fault_is_retried(chat: Any, make_card: Skill[Any], note: Value, protocol: str, fault: str):
    with WireServer([PASSING[fault], GOOD]) as server:
        answer = await chat(server, protocol, timeout=0.8 if fault == "hang" else 10.0).answer(make_card, note)

    assert answer.output.back == "A designated router."
    assert answer.findings == ()
    assert len(server.requests) == 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("fault", PASSING)
async def test_a_permanent_fault_is_a_finding(chat: Any, make_card: Skill[Any], note: Value, protocol: str, fault: str):
    with WireServer(lambda _: PASSING[fault]) as server:
        model = chat(server, protocol, timeout=0.2 if fault == "hang" else 10.0, retries=1)
        answer = await model.answer(make_card, note)

    assert answer.output is None
    assert [finding.code for finding in answer.findings] == ["mind.unavailable"]
    assert "was asked 2 times about cards.make and gave no answer" in answer.findings[0].message


async def test_every_attempt_is_recorded(chat: Any, make_card: Skill[Any], note: Value, database: Database):
    with WireServer([Fault.server_error(), Fault.drop(), GOOD]) as server:
        await chat(server).answer(make_card, note)
    (made,) = database.metrics.measure().skills
    assert (made.failed, made.spent.calls) == (2, 3)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("fault", SPOILED)
async def test_an_unusable_answer_is_requested_again_once(
    chat: Any, make_card: Skill[Any], note: Value, protocol: str, fault: str
):
    with WireServer([SPOILED[fault], GOOD]) as server:
        answer = await chat(server, protocol).answer(make_card, note)

    assert answer.output.front == "Who is elected?"
    asked_again = server.requests[1].messages
    assert [message.role for message in asked_again] == ["system", "user", "assistant", "user"]
    assert asked_again[-1].text.startswith("That answer cannot be used: ")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("fault", SPOILED)
async def test_an_answer_unusable_twice_is_a_finding(
    chat: Any, make_card: Skill[Any], note: Value, protocol: str, fault: str
):
    with WireServer(lambda _: SPOILED[fault]) as server:
        answer = await chat(server, protocol).answer(make_card, note)

    assert answer.output is None
    assert [finding.code for finding in answer.findings] == ["mind.invalid_output"]
    assert ("max_tokens" in answer.findings[0].message) == (fault == "truncated")
    assert len(server.requests) == 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_slow_stream_is_an_answer(chat: Any, make_card: Skill[Any], note: Value, protocol: str):
    with WireServer([Fault.slow_stream(0.01)]) as server:
        answer = await chat(server, protocol).answer(make_card, note)
    assert answer.output is not None


@pytest.mark.parametrize(
    ("protocol", "remedy"),
    [
        ("ollama", "ollama pull qwen3:14b"),
        ("openai", "Check the name of the model."),
        ("gemini", "Check the name of the model."),
        ("anthropic", "Check the name of the model."),
    ],
)
async def test_a_missing_model_says_how_to_get_it(
    chat: Any, make_card: Skill[Any], note: Value, protocol: str, remedy: str
):
    with WireServer([Fault.missing_model()]) as server, pytest.raises(MissingModel) as missing:
        await chat(server, protocol).answer(make_card, note)
    assert missing.value.remedy == remedy
    assert server.address in missing.value.what


@pytest.mark.parametrize(
    ("protocol", "variable"),
    [
        ("ollama", "OLLAMA_API_KEY"),
        ("openai", "OPENAI_API_KEY"),
        ("gemini", "GOOGLE_API_KEY"),
        ("anthropic", "ANTHROPIC_API_KEY"),
    ],
)
async def test_a_refused_key_names_its_variable(
    chat: Any, make_card: Skill[Any], note: Value, protocol: str, variable: str
):
    with WireServer([Fault.unauthorized()]) as server, pytest.raises(ServiceDown) as refused:
        await chat(server, protocol).answer(make_card, note)
    assert variable in refused.value.remedy


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_missing_server_is_named(
    chat: Any, make_card: Skill[Any], note: Value, waits: list[float], protocol: str
):
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(ServiceDown) as down:
        await chat(address, protocol).answer(make_card, note)
    assert address in down.value.what
    assert len(waits) == 2
    assert protocol != "ollama" or down.value.remedy == "ollama serve"


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_the_retry_delay_of_the_server_is_respected(
    chat: Any, make_card: Skill[Any], note: Value, waits: list[float], protocol: str
):
    with WireServer([Fault.too_many(retry_after=7), GOOD]) as server:
        await chat(server, protocol).answer(make_card, note)
    assert waits == [7.0]


async def test_a_wait_that_is_too_long_is_a_finding_at_once(chat: Any, make_card: Skill[Any], note: Value):
    with WireServer([Fault.too_many(retry_after=3600)]) as server:
        answer = await chat(server).answer(make_card, note)
    assert answer.findings[0].code == "mind.unavailable"


async def test_the_delays_double(chat: Any, make_card: Skill[Any], note: Value, waits: list[float]):
    with WireServer(lambda _: Fault.server_error()) as server:
        await chat(server, retries=4).answer(make_card, note)
    assert waits == [0.25, 0.5, 1.0, 2.0]


def test_delays_have_jitter():
    fault = Diagnosis(FaultKind.BROKEN, "")
    assert [fault.delay(3, iter([chance]).__next__) for chance in (0.0, 0.5, 1.0)] == [1.0, 1.5, 2.0]
    asked = Diagnosis(FaultKind.BUSY, "", wait=2.0)
    assert [asked.delay(1, iter([chance]).__next__) for chance in (0.0, 1.0)] == [2.0, 3.0]


def test_a_delay_in_the_words_of_gemini_is_read():
    error = ValueError("429 RESOURCE_EXHAUSTED {'@type': 'google.rpc.RetryInfo', 'retryDelay': '34s'}")
    fault = diagnose(error)
    assert fault is not None
    assert fault.wait == 34.0


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ConnectionRefusedError(), FaultKind.REFUSED),
        (ConnectionResetError(), FaultKind.DROPPED),
        (TimeoutError(), FaultKind.SLOW),
        (TypeError("Received response with null value for `choices`."), FaultKind.GARBLED),
    ],
)
def test_plain_errors_are_understood_too(error: Exception, kind: FaultKind):
    fault = diagnose(error)
    assert fault is not None
    assert fault.kind is kind


def test_a_programming_error_is_not_a_call_fault():
    assert diagnose(AttributeError("no attribute")) is None


class RejectedError(Exception):
    status_code = 400


def test_a_rejected_request_is_a_finding_of_its_item_and_not_tried_again():
    fault = diagnose(RejectedError("the prompt is too long"))
    assert fault is not None
    assert not fault.is_transient
    finding = fault_finding(fault, ModelSpec("openai:gpt-4o"), "cards.make", 1)
    assert finding.code == "mind.rejected"
    assert "the request was rejected (the prompt is too long)" in finding.message
