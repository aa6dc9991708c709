"""Whatever a student learns anywhere is kept, whoever else learns about her at that moment."""

import subprocess
import sys
import time
from datetime import UTC, datetime
from threading import Event, Thread

import pytest

from studium.core.config import load_settings
from studium.core.domain.errors import Conflict
from studium.core.files import file_lock, wait_for_lock
from studium.tutor import NetworkingLabTutor, lab_use_cases
from studium.tutor import use_cases as tutor
from studium.tutor.devices.replay import ReplayDevice
from studium.tutor.domain import CheckResult, TypedCommand
from studium.tutor.lab_use_cases import Console
from studium.tutor.mastery import Outcome
from studium.tutor.setup import load_lab, silent_tutor, student_store
from studium.tutor.student_store import StudentStore

LAB = "02-static-routing"
NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
RECORDED = (
    TypedCommand(
        command="show ip route", output="C 10.0.12.0/30 is directly connected, GigabitEthernet0/1", prompt="R1#"
    ),
    TypedCommand(command="show", output="% Incomplete command.", prompt="R1#"),
)
LEARNS_SLOWLY = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from studium.tutor.student_store import StudentStore
from studium.tutor.mastery import Outcome
with StudentStore(Path(sys.argv[1])).update_learner() as known:
    print("learning", flush=True)
    sys.stdin.readline()
    known.learner = known.learner.after("there", Outcome.ERROR, datetime.now(UTC))
"""


@pytest.fixture
def settings(tmp_path):
    return load_settings(overrides=(f"home={tmp_path / 'home'}", "embedder=none"))


@pytest.fixture
def console(settings):
    """Opens a terminal on a router that was recorded."""
    lab = load_lab(settings, LAB)
    return lambda: Console(
        "r1", ReplayDevice("r1", RECORDED), student_store(settings), silent_tutor(settings, lab), LAB
    )


@pytest.fixture
def answer_quiz(settings):
    """Answers a question of the quiz wrongly."""
    return lambda: tutor.grade(settings, tutor.quiz_questions(settings, LAB)[0], "no shutdown")


def learn(her, topic):
    with her.update_learner() as known:
        known.learner = known.learner.after(topic, Outcome.ERROR, NOW)


def outcomes(settings):
    return [each.outcome for each in student_store(settings).learner().recent]


def reach_a_goal(settings):
    following = silent_tutor(settings, load_lab(settings, LAB))
    with student_store(settings).update_learner(following):
        following.checked([CheckResult(check=following.lab.checks[0], holds=True)])


def test_a_command_in_a_terminal_leaves_what_was_learnt_since_it_was_opened(settings, console, answer_quiz):
    terminal = console()
    answer_quiz()
    reach_a_goal(settings)
    known = student_store(settings).learner()
    assert known.of("static_routing").due
    terminal.run("show ip route")
    assert student_store(settings).learner() == known
    terminal.run("show")
    assert outcomes(settings) == [Outcome.QUIZ_WRONG, Outcome.GOAL_REACHED, Outcome.ERROR]


def test_two_terminals_do_not_overwrite_each_other(settings, console):
    one, other = console(), console()
    one.run("show")
    other.run("show")
    one.run("show ip route")
    assert outcomes(settings) == [Outcome.ERROR, Outcome.ERROR]


def test_what_was_reached_does_not_come_back_after_a_reset(settings, console):
    reach_a_goal(settings)
    terminal = console()
    student_store(settings).forget(LAB)
    terminal.run("show")
    assert student_store(settings).learner().reached == ()


async def test_what_happens_while_the_tutor_thinks_is_kept_and_so_is_what_he_learnt(settings, console, answer_quiz):
    thinking = NetworkingLabTutor()
    thinking.start_lab(LAB)
    reach_a_goal(settings)
    tutor.refresh_tutor(settings, thinking)
    answered = await thinking.ask("Give me a hint for the static route.")
    assert answered["strategy"] == "hint"
    answer_quiz()
    console().run("show")
    student_store(settings).forget(LAB)
    tutor.save_learning(settings, thinking)
    expected = [Outcome.GOAL_REACHED, Outcome.QUIZ_WRONG, Outcome.ERROR, Outcome.HINT_USED]
    assert outcomes(settings) == expected
    assert student_store(settings).learner().reached == ()
    tutor.save_learning(settings, thinking)
    assert outcomes(settings) == expected, "what was kept once is not kept again"


async def test_a_mistake_in_a_terminal_teaches_once_however_often_the_tutor_is_asked(settings, console):
    asked = NetworkingLabTutor()
    asked.start_lab(LAB)
    terminal = console()
    for _ in range(2):
        terminal.run("show")
        answered = await asked.ask("What is a route?", tutor.refresh_tutor(settings, asked))
        tutor.save_learning(settings, asked)
        assert [each["error_type"] for each in answered["diagnoses"]][-1:] == ["INCOMPLETE_COMMAND"]
    assert outcomes(settings).count(Outcome.ERROR) == 2


def test_a_check_and_a_hint_add_to_what_is_known(settings, tmp_path, answer_quiz):
    answer_quiz()
    line = "ip route 192.168.2.0 255.255.255.0 10.0.12.2"
    recording = tmp_path / "r1.txt"
    recording.write_text(f"R1#show running-config\nhostname R1\n{line}\nend\nR1#\n")
    assert lab_use_cases.check_lab(settings, LAB, 0.0, recording)[0].holds
    lab_use_cases.give_hint(settings, LAB, "r1-command", 1)
    assert outcomes(settings) == [Outcome.QUIZ_WRONG, Outcome.GOAL_REACHED, Outcome.HINT_USED]


def test_what_is_learnt_in_another_process_at_the_same_moment_is_kept(tmp_path):
    command = [sys.executable, "-c", LEARNS_SLOWLY, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "learning\n"
        here = Thread(target=learn, args=(StudentStore(tmp_path), "here"))
        here.start()
        here.join(0.3)
        other.communicate("\n", timeout=30)
        here.join()
    assert [each.topic for each in StudentStore(tmp_path).learner().recent] == ["there", "here"]


def test_what_goes_wrong_in_the_middle_of_learning_changes_nothing(tmp_path):
    her = StudentStore(tmp_path)

    def fail():
        with her.update_learner() as known:
            known.learner = known.learner.after("ospf", Outcome.ERROR, NOW)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert her.learner().recent == ()
    learn(her, "ospf")
    assert len(her.learner().recent) == 1


def test_whoever_waits_for_a_lock_has_it_as_soon_as_it_is_let_go(tmp_path):
    taken, had = Event(), []

    def work():
        with file_lock(tmp_path, "it"):
            taken.set()
            time.sleep(0.2)
            had.append("first")

    worker = Thread(target=work)
    worker.start()
    taken.wait()
    with wait_for_lock(tmp_path, "it"):
        had.append("second")
    worker.join()
    assert had == ["first", "second"]


def test_nobody_waits_for_a_lock_forever(tmp_path):
    with file_lock(tmp_path, "it"), pytest.raises(Conflict, match="it right now"), wait_for_lock(tmp_path, "it", 0.1):
        pytest.fail("it is held by somebody else")
