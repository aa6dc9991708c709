"""Questions are read by their grammar: what is asked, about what, and whether it is denied."""

import asyncio
import subprocess
import sys

import pytest

from studium.tutor import NetworkingLabTutor
from studium.tutor.rules.question import main_question, read_question
from studium.tutor.rules.sentences import correct_spelling


@pytest.fixture
def ask():
    """Asks a new tutor, who answers by rules from the shipped pages."""

    def asked(question, lab="04-ospf-single-area"):
        tutor = NetworkingLabTutor()
        tutor.start_lab(lab)
        return asyncio.run(tutor.ask(question))

    return asked


@pytest.mark.parametrize(
    ("question", "kind", "about", "verb", "is_denied"),
    [
        ("what is route poisoning", "definition", "route poisoning", "be", False),
        ("what does administrative distance mean", "definition", "administrative distance", "mean", False),
        ("whats the purpose of a loopback", "definition", "loopback", "be", False),
        ("how do i bring an interface up", "procedure", "interface", "bring", False),
        ("which command saves the configuration", "procedure", "configuration", "save", False),
        ("why is r3 not a neighbour", "reason", "neighbour", "be", True),
        ("how many subnets fit in there", "amount", "many subnets", "fit", False),
        ("diffrence between a hub and a bridge", "difference", "hub", "be", False),
        ("can you explain route summarization", "request", "route summarization", "explain", False),
        ("is rip a link state protocol", "yes_no", "link state protocol", "be", False),
        ("are wildcard masks the same as subnet masks", "yes_no", "wildcard masks", "be", False),
    ],
)
def test_a_question_is_read(question, kind, about, verb, is_denied):
    read = main_question(question)
    assert read is not None
    assert (read.kind, read.about[0], read.verb, read.is_denied) == (kind, about, verb, is_denied)


def test_the_plural_of_a_word_is_no_mistake():
    assert correct_spelling("the timers of hellos", {"timer", "times"}) == "the timers of hellos"


def test_who_wants_just_the_command_gets_the_next_step(ask):
    assert ask("can you give me the right command for r2")["response"].startswith("The goal of this lab:")


def test_who_asks_nothing_does_not_wait_for_the_parser():
    """A command is diagnosed by a tutor that has not loaded it."""
    run = (
        "import sys; from studium.tutor import NetworkingLabTutor; tutor = NetworkingLabTutor();"
        " tutor.start_lab('01-basic-routing'); tutor.typed('show clock', '09:00:00');"
        " sys.exit('studium.core.text.english.parser' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", run], check=False).returncode == 0


def test_what_is_compared_are_two_things():
    assert main_question("whats the difference between an access port and a trunk").about == ("access port", "trunk")


@pytest.mark.parametrize("question", ["", "???", "¿Qué es la distancia administrativa?", "Was ist eine Subnetzmaske?"])
def test_what_is_not_english_is_not_read(question):
    assert main_question(question) is None


def test_it_is_what_was_named_before():
    """`it` is the lab's only where nothing else has been named."""
    assert not any(clause.is_own for clause in read_question("what is port security and why does it drop frames"))
    assert any(clause.is_own for clause in read_question("why does it drop them"))


def test_a_question_about_dropped_frames_is_no_trouble(ask):
    assert ask("what is port security and why does it drop frames")["intent"] == "teaching"


def test_a_denied_question_about_the_lab_is_trouble(ask):
    assert ask("why is r3 not a neighbour")["intent"] == "troubleshooting"
    assert ask("show ip ospf neighbor does not list r2")["intent"] == "troubleshooting"


def test_the_thing_is_defined_although_more_is_asked(ask):
    answer = ask("what is a vlan and why would i prefer it to more cables between the hosts")["response"]
    assert answer.startswith("A VLAN (virtual LAN) is a broadcast domain made by configuration")


def test_who_asks_how_is_told_mode_and_syntax_first(ask):
    answer = ask("how do i change the dead interval")["response"]
    assert answer.startswith("Mode: interface configuration. Syntax: `ip ospf dead-interval SECONDS`")


def test_a_misspelt_question_is_read_as_meant(ask):
    answer = ask("which comand turns off auto summary", "06-rip")["response"]
    assert "`no auto-summary`" in answer.splitlines()[0]


def test_misspelt_words_are_looked_up(ask):
    answer = ask("what is the administratve distence")["response"]
    assert "administrative distance" in answer.lower()


@pytest.mark.parametrize("question", ["how do i bake a chocolate cake", "whats the capital of portugal"])
def test_what_no_page_is_about_is_not_answered_with_other_things(ask, question):
    answer = ask(question)
    assert answer["response"].startswith("The documents I have say nothing about this.\n\nThe goal of this lab:")
    assert answer["citations"] == []


def test_a_question_about_the_own_work_gets_the_state_of_the_lab(ask):
    assert ask("is my configuration right so far?")["response"].startswith("The goal of this lab:")
    assert ask("what is left to do")["response"].startswith("The goal of this lab:")
