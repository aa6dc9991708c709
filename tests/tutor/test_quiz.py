"""A quiz asks what is due or weak, and grades what was meant rather than how it was spelled."""

from datetime import timedelta
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from studium.core.domain.errors import BadInput
from studium.tutor.mastery import Learner, Outcome, topics
from studium.tutor.quiz import QuizQuestion, grade, load_questions, next_question, parse_questions

LABS = Path(str(files("studium") / "tutor" / "labs" / "shipped"))
INTERFACE = "interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n no shutdown"
OSPF = "router ospf 1\n network 10.0.0.0 0.0.0.255 area 0\n passive-interface GigabitEthernet0/1"


def asked(kind, *answers, **more):
    return QuizQuestion.model_validate({"question": "Q", "kind": kind, "answers": list(answers), "topic": "t", **more})


@pytest.mark.parametrize(
    ("wanted", "typed", "verdict"),
    [
        ("show ip route", "show ip route", "right"),
        ("show ip route", "sh ip ro", "right"),
        ("show ip route", "R1#SHOW  ip route ", "right"),
        ("show ip route", "do show ip route", "right"),
        ("show ip route", "show route", "wrong"),
        ("show ip route", "show ip interface brief", "wrong"),
        ("show ip route", "", "wrong"),
        ("show ip interface brief", "sh ip int br", "right"),
        ("configure terminal", "conf t", "right"),
        ("configure terminal", "", "wrong"),
        ("configure terminal", "enable", "wrong"),
        ("copy running-config startup-config", "copy run start", "right"),
        ("copy running-config startup-config", "write", "wrong"),
        ("do show ip route", "do sh ip route", "right"),
        ("do show ip route", "show ip route", "wrong"),
        (INTERFACE, "conf t\nint g0/0\nno shut\nip add 10.0.0.1 255.255.255.0\nend", "right"),
        (INTERFACE, "R1(config)#int gig 0/0\nR1(config-if)#ip address 10.0.0.1 255.255.255.0\nno shutdown", "right"),
        (INTERFACE, "interface gi0/0\nip address 10.0.0.1/24\nno shutdown", "partly"),
        (INTERFACE, "interface gi0/0\nip address 10.0.0.1 255.255.255.0", "partly"),
        (INTERFACE, "interface gi0/1\nip address 10.0.0.1 255.255.255.0\nno shutdown", "wrong"),
        (OSPF, "router ospf 1\npassive-interface g0/1\nnetwork 10.0.0.0 0.0.0.255 area 0", "right"),
        (OSPF, "router ospf 1\nnetwork 10.0.0.0 0.0.0.255 area 1\npassive-interface g0/1", "partly"),
        (OSPF, "router ospf 2\nnetwork 10.0.0.0 0.0.0.255 area 0\npassive-interface g0/1", "wrong"),
        ("ip route 10.0.0.0/8 10.1.1.1", "ip route 10.0.0.0 255.0.0.0 10.1.1.1", "right"),
        ("no ip route 0.0.0.0 0.0.0.0 10.1.1.1", "ip route 0.0.0.0 0.0.0.0 10.1.1.1", "wrong"),
        ("hostname R1", "hostname R", "wrong"),
        (
            "access-list 1 deny 10.0.0.1\naccess-list 1 permit any",
            "access-list 1 permit any\naccess-list 1 deny 10.0.0.1",
            "wrong",
        ),
    ],
)
def test_commands_are_graded_by_what_they_do(wanted, typed, verdict):
    assert grade(asked("command", wanted), typed).verdict == verdict


@pytest.mark.parametrize(
    ("wanted", "typed", "verdict"),
    [
        ("255.255.255.0", "/24", "right"),
        ("/24", "It is 255.255.255.0.", "right"),
        ("/24", "/25", "wrong"),
        ("15", "fifteen", "right"),
        ("15", "15 hops", "right"),
        ("15", "15 or 16", "wrong"),
        ("administrative distance", "The Administrative Distance!", "right"),
        ("administrative distance", "adminstrative distnace", "right"),
        ("administrative distance", "distance", "partly"),
        ("administrative distance", "not the administrative distance", "partly"),
        ("administrative distance", "metric", "wrong"),
        ("10.0.0.62", "10.0.0.63", "wrong"),
        ("area 0", "area 1", "partly"),
        ("rip", "rib", "wrong"),
        ("OSPF", "", "wrong"),
    ],
)
def test_short_answers_are_graded_by_what_they_mean(wanted, typed, verdict):
    assert grade(asked("short", wanted), typed).verdict == verdict


def test_to_repeat_the_question_is_no_answer():
    question = asked("short", "255.255.255.224", question="Which mask is /27?")
    assert grade(question, "/27").verdict == "wrong"
    assert grade(question, "255.255.255.224").verdict == "right"


def test_any_of_several_answers_will_do():
    question = asked("short", "router ID", "RID")
    assert [grade(question, answer).verdict for answer in ("rid", "the router-id", "router id")] == [
        "right",
        "wrong",
        "right",
    ]


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("b", "right"),
        ("B)", "right"),
        ("2", "right"),
        ("ospf.", "right"),
        ("a", "wrong"),
        ("4", "wrong"),
        ("", "wrong"),
    ],
)
def test_a_choice_is_its_text_its_letter_or_its_number(typed, verdict):
    assert grade(asked("choice", "OSPF", choices=["RIP", "OSPF", "BGP"]), typed).verdict == verdict


def test_the_text_of_a_choice_comes_before_its_number():
    question = asked("choice", 2, choices=[4, 3, 2])
    assert grade(question, "2").verdict == "right"
    assert grade(question, "c").verdict == "right"


def test_a_wrong_answer_gets_the_right_one_and_why():
    graded = grade(
        asked("command", INTERFACE, explanation="Interfaces start shut down."), "int g0/0\nno shut\nmtu 9000"
    )
    assert graded.explanation == (
        "Missing: `ip address 10.0.0.1 255.255.255.0`. Not asked for: `mtu 9000`.\n"
        f"The answer is:\n{INTERFACE}\nInterfaces start shut down."
    )
    assert graded.outcome is Outcome.QUIZ_PARTLY


def test_what_is_overdue_is_asked_first_then_what_is_weakest(now):
    questions = [
        QuizQuestion(question=topic, kind="short", answers=("x",), topic=topic) for topic in ("rip", "bgp", "ospf")
    ]
    learner = (
        Learner()
        .after("rip", Outcome.QUIZ_RIGHT, now)
        .after("bgp", Outcome.HINT_USED, now)
        .after("ospf", Outcome.QUIZ_WRONG, now)
    )
    assert next_question(questions, learner, now).topic == "ospf"
    assert next_question(questions, learner, now, asked={"ospf"}).topic == "bgp"
    assert next_question(questions, learner, now + timedelta(days=2), asked={"ospf"}).topic == "rip"
    assert next_question(questions, learner, now, asked={"rip", "bgp", "ospf"}) is None


@pytest.fixture(params=sorted(path.parent.name for path in LABS.glob("*/quiz.yaml")))
def shipped(request):
    """The questions of a lab."""
    path = LABS / request.param / "quiz.yaml"
    return parse_questions(yaml.safe_load(path.read_text("utf-8")), str(path))


def test_the_questions_of_the_labs_take_their_own_answers_and_no_others(shipped):
    assert len(shipped) >= 6
    for question in shipped:
        assert question.topic in topics()
        assert {grade(question, answer).verdict for answer in question.answers} == {"right"}
        assert grade(question, "").verdict == "wrong"
        others = {answer for other in shipped for answer in other.answers if other.kind == question.kind}
        others -= set(question.answers)
        assert [answer for answer in others if grade(question, answer).verdict == "right"] == []


def test_every_bad_question_of_a_file_is_named_at_once():
    entries = [
        {"question": "Q", "kind": "short", "answer": 15, "topic": "rip"},
        {"question": "Q", "kind": "essay", "answer": "x"},
        {"question": "Q", "kind": "choice", "answer": "x", "choices": ["y"]},
        {"question": "Q", "kind": "short", "answers": []},
    ]
    assert parse_questions(entries[:1], "quiz.yaml")[0].answers == ("15",)
    with pytest.raises(BadInput) as bad:
        parse_questions(entries, "quiz.yaml")
    assert [f"question {number}" in bad.value.what for number in (1, 2, 3, 4)] == [False, True, True, True]


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"questions:\n",
        b"x",
        b"questions: {a: b}",
        b"- question: x\n  kind: choice\n  answer: a\n  choices: 5",
        b"\xff\xfe-",
    ],
    ids=["empty", "no list", "a word", "a mapping", "choices that are none", "no text"],
)
def test_a_file_of_questions_that_has_none_is_bad_input(tmp_path, written):
    (tmp_path / "quiz.yaml").write_bytes(written)
    with pytest.raises(BadInput, match=r"quiz\.yaml"):
        load_questions(tmp_path)
