"""What a student and the tutor said to each other is kept, whole and bounded."""

import pytest

from studium.tutor import NetworkingLabTutor
from studium.tutor.domain import TypedCommand
from studium.tutor.state import Citation, Proof
from studium.tutor.student_store import ChatExchange, StudentStore

LAB = "02-static-routing"
SAID = ChatExchange(
    question="Why?",
    response="Because. [1]",
    citations=(Citation(number=1, source="x.md", heading="Routes", quote="A route."),),
    proofs=(Proof(device="r1", commands=("no shutdown",), proved=True, told="Proved on r1."),),
)


def test_what_was_said_comes_back_as_it_was_for_its_lab_alone(tmp_path):
    failed = ChatExchange(question="And now?", problem="The tutor could not answer.", remedy="Ask again.")
    StudentStore(tmp_path).save_conversation(LAB, [SAID, failed])
    assert StudentStore(tmp_path).conversation(LAB) == (SAID, failed)
    assert StudentStore(tmp_path).conversation("03-default-route") == ()


def test_only_the_last_two_hundred_messages_are_kept(tmp_path):
    student = StudentStore(tmp_path)
    student.save_conversation(LAB, [ChatExchange(question=str(number), response="Yes.") for number in range(150)])
    assert [each.question for each in student.conversation(LAB)] == [str(number) for number in range(50, 150)]


def test_what_is_begun_anew_leaves_nothing_behind(tmp_path):
    student = StudentStore(tmp_path)
    student.save_conversation(LAB, [SAID])
    student.save_conversation(LAB, [])
    student.save_conversation(LAB, [])
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    "broken", [b"", b"[{", b"{}", b'[{"question": 1}]', b"\xff\xfe", b'[{"question": "?", "new": 1}]']
)
def test_a_file_that_cannot_be_read_is_as_if_there_were_none(tmp_path, broken):
    student = StudentStore(tmp_path)
    student.save_conversation(LAB, [SAID])
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_bytes(broken)
    assert student.conversation(LAB) == ()
    student.save_conversation(LAB, [SAID])
    assert student.conversation(LAB) == (SAID,)


def test_a_command_that_was_cut_off_while_it_was_written_is_left_out(tmp_path):
    student = StudentStore(tmp_path)
    student.typed(LAB, TypedCommand(command="show version"))
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_bytes(file.read_bytes() + b'{"command": "sho\xc3')
    assert [each.command for each in student.history(LAB)] == ["show version"]


def test_a_tutor_continues_an_earlier_conversation():
    tutor = NetworkingLabTutor()
    tutor.start_lab(LAB)
    tutor.resume([("Why?", "Because.")])
    assert tutor._state("And?")["conversation_history"] == [
        {"role": "user", "content": "Why?"},
        {"role": "assistant", "content": "Because."},
    ]
