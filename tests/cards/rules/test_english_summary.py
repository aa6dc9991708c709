"""Of a long English answer, Back shows what says something about the question: no titles, no lines that lead over."""

import sys
from subprocess import run

import pytest
from tests.cards.pipeline import Pipeline, fields

from studium.cards.card_specs import CardSpec
from studium.cards.models import CardSource, ProposedCard, QAReport
from studium.cards.rules import english_sentences
from studium.cards.rules.english_sentences import says_something, what_is_asked
from studium.cards.rules.mapping import RULE
from studium.cards.rules.skill_rules import qa_check_card
from studium.cards.rules.summarise import summarise_answer
from studium.cards.skills import MadeCard
from studium.cards.state import CardPolicy
from studium.core.domain.decision import Action

CODE = "```text\n" + "broker --partition 3\n" * 30 + "```"
BROKER = f"""\
A broker stores the messages of its partitions on disk.

### Replication

There are three replicas of each partition. The leader of a partition answers all clients:

{CODE}

### Storage

{CODE}

### Retention

This section is about old messages. The broker deletes a segment after seven days. {"It does so at night. " * 20}

### Common pitfalls

{CODE}
"""


@pytest.mark.parametrize(
    "sentence",
    [
        "A partition has one leader.",
        "Commit the offsets after the work is done.",
        "The leader answers all clients:",
        "**Note:** a follower copies what the leader wrote.",
        "**Leader** - the replica that clients talk to",
        "When the leader fails, a follower takes over.",
        "Merge what others have.",
        "Because the disk is read in order.",
        "Yes.",
    ],
)
def test_a_statement_a_command_and_a_definition_say_something(sentence):
    assert says_something(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Common pitfalls",
        "Choosing the right key: a guide",
        "Testing the broker",
        "Why it is fast",
        "What is a partition?",
        "**2. Commit the offsets**",
        "There are three kinds:",
        "There are several ways to do it.",
        "Here is an example of a consumer:",
        "It can be configured in the following way:",
        "This guide covers the common mistakes.",
        "See the chapter about brokers.",
        "Send slow work to:",
        "When the leader is gone:",
    ],
)
def test_a_title_a_question_and_a_line_that_leads_over_say_nothing(sentence):
    assert not says_something(sentence)


def test_a_question_asks_about_its_subject_object_and_verb_and_not_about_the_place():
    asked = what_is_asked("How does a broker keep the messages in a large cluster?")
    assert asked.stems == {"broker", "keep", "messag"}
    assert asked.verbs == {"keep"}
    assert what_is_asked("What do you know about partitions?").stems == {"partit"}


def test_sections_are_shown_by_what_they_say_and_never_by_their_titles_alone():
    back = summarise_answer(BROKER, 400, "How does a broker store the messages of a partition?").text
    assert back == (
        "A broker stores the messages of its partitions on disk.\n\n"
        "**Replication**\n\nThe leader of a partition answers all clients\n\n"
        "**Retention**\n\nThe broker deletes a segment after seven days."
    )


def test_a_section_that_says_more_about_the_question_comes_first_if_not_all_fit():
    disks = f"### Disks\n\nThe broker keeps all messages on disks. {'Slowly. ' * 60}"
    sections = "".join(f"\n\n### Topic {n}\n\nThe weather of day {n} is fine. {'It stays so. ' * 30}" for n in range(5))
    answer = f"The broker keeps all messages.{sections}\n\n{disks}"
    back = summarise_answer(answer, 100, "Where does the broker keep all messages?").text
    assert back == "The broker keeps all messages.\n\n**Disks**\n\nThe broker keeps all messages on disks."


def test_the_lead_is_the_paragraph_that_answers():
    answer = f"See also: [[c-kafka]]\n\nThis note is long.\n\nA consumer group shares the partitions.\n\n{CODE}"
    assert summarise_answer(answer, 100, "What does a consumer group share?").text == (
        "A consumer group shares the partitions."
    )


def test_a_sentence_that_the_parser_does_not_understand_may_still_open_the_answer():
    assert not says_something("A broker stores messages.")
    answer = f"A broker stores messages.\n\n### Disks\n\nDisks are cheap. {'They stay so. ' * 20}"
    assert summarise_answer(answer, 60, "What does a broker store?").text.startswith("A broker stores messages.")


def test_a_title_stays_over_its_code_and_goes_without_it():
    small = "```sh\nbroker start\n```"
    answer = f"A broker starts alone.\n\n**1. Start**\n\n{small}\n\n**2. Stop**\n\n{CODE}"
    assert summarise_answer(answer, 200, "How does a broker start?").text == (
        f"A broker starts alone.\n\n**1. Start**\n\n{small}"
    )


def test_a_paragraph_is_shown_under_its_title():
    answer = f"A broker starts alone.\n\n**In a cluster**\n\nThe broker starts with the others.\n\n{CODE}"
    assert summarise_answer(answer, 200, "How does a broker start?").text == (
        "A broker starts alone.\n\n**In a cluster**\n\nThe broker starts with the others."
    )


def test_a_section_has_one_title():
    answer = f"A broker starts alone.\n\n### Start\n\n**Flags:**\n\n- The broker starts with a port.\n\n{CODE}"
    assert summarise_answer(answer, 200, "How does a broker start?").text == (
        "A broker starts alone.\n\n**Flags:**\n\n- The broker starts with a port."
    )


def test_a_definition_of_what_is_asked_needs_no_verb():
    answer = f"**Theory:**\nSaga (pattern) - a chain of local transactions.\n\n**Use:**\nIt is common.\n\n{CODE}"
    assert summarise_answer(answer, 100, "What is a saga?").text.startswith("**Theory:**\nSaga (pattern) - a chain")


def test_the_titles_of_a_list_come_with_what_is_nested_under_them():
    items = "\n".join(
        f"- {title}:\n  - a {title.lower()} stores one copy of it. {'More of this. ' * 20}"
        for title in ("Leader", "Follower")
    )
    back = summarise_answer(f"A partition has replicas.\n\n{items}", 200, "What replicas does a partition have?").text
    assert back == (
        "A partition has replicas.\n\n"
        "- Leader:\n  - a leader stores one copy of it.\n- Follower:\n  - a follower stores one copy of it."
    )


def test_a_list_item_that_announces_code_is_not_shown_without_it():
    answer = f"A broker may be slow.\n\n- **Wrong:**\n\n{CODE}\n\n- **Right:**\n\n{CODE}"
    assert summarise_answer(answer, 200, "Why is a broker slow?").text == "A broker may be slow."


def test_a_russian_answer_is_chosen_as_before(monkeypatch):
    monkeypatch.setattr(english_sentences, "parse", None)
    monkeypatch.setattr(english_sentences, "parse_all", None)
    long = "Это предложение длинное и подробное. " * 20
    answer = f"Брокер хранит сообщения.\n\n### Реплики\n\n{long}\n\n### Диски\n\n{long}"
    assert summarise_answer(answer, 60, "Что хранит брокер?").text == "Брокер хранит сообщения.\n\n- Реплики\n- Диски"


async def test_an_answer_that_fits_is_not_parsed(pipeline, monkeypatch):
    monkeypatch.setattr(english_sentences, "parse", None)
    monkeypatch.setattr(english_sentences, "parse_all", None)
    card = await pipeline.card("# Question\nWhat does the broker keep?\n\n# Answer\nCommon pitfalls\n")
    assert fields(card)["Back"] == "Common pitfalls"


def test_the_parser_is_not_loaded_with_the_rules():
    code = "import sys, studium.cards.rules.skill_rules; sys.exit('onnxruntime' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0


def judged(back: str, question: str = "How does a broker store its messages?", answer: str = BROKER) -> QAReport:
    source = CardSource(kind="basic", syntax="q", front=question, back=answer, language="en", line=1, end_line=1)
    card = ProposedCard(deck_name="x", fields={"Front": question, "Back": back}, language="en")
    return qa_check_card(MadeCard(spec=CardSpec(card_id="x", sources=(source,)), card=card))


def messages(report: QAReport) -> list[str]:
    return [issue.message for issue in report.issues]


@pytest.mark.parametrize(
    "back",
    [
        "A broker stores the messages of its partitions on disk.\n\n- Replication\n- Common pitfalls",
        "A broker stores the messages of its partitions on disk.\n\n**Replication**",
    ],
)
def test_the_judge_does_not_pass_a_table_of_contents(back):
    report = judged(back)
    assert report.qa_score < CardPolicy().min_qa_score
    assert messages(report) == ["The answer names “Replication” and does not say what the note says there."]


def test_the_judge_wants_a_sentence_that_says_something_about_the_question():
    kinds = ("old", "new", "big", "small", "lost", "read", "sent", "kept")
    more = "\n".join(f"- The {kind} messages of the broker" for kind in kinds)
    more += "\n- Disk, segment, offset, leader, replica, follower, consumer, producer, topic, batch"
    report = judged(more, answer=f"{more}\n\n{BROKER}")
    assert "No sentence of the answer says anything about what the question asks." in messages(report)
    stated = f"The broker keeps the messages in segments.\n\n{more}"
    assert messages(judged(stated, answer=f"{stated}\n\n{BROKER}")) == []


def test_the_judge_does_not_pass_an_answer_that_refers_elsewhere():
    back = "See the sections “In short” and “In detail” for the whole answer."
    assert messages(judged(back, answer=back)) == ["The answer only refers to another place."]


def test_a_list_that_is_there_whole_is_not_taken_for_a_part_of_another_one():
    rules = "- Always commit the offsets\n- Name the group\n- Close the consumer"
    faults = "- Forgetting to commit the offsets\n- Two groups of one name"
    answer = f"Follow the rules.\n\n{rules}\n\n### Faults\n\n{faults}\n\n{'More follows. ' * 100}"
    assert messages(judged(f"Follow the rules.\n\n{rules}", "Which rules does a consumer follow?", answer)) == []
    assert "The note lists 3 things, the answer 2 of them." in messages(
        judged("Follow the rules.\n\n- Always commit the offsets\n- Name the group", "Which rules?", answer)
    )


async def test_a_title_over_the_first_paragraph_need_not_be_on_the_back(tmp_path):
    answer = f"**Theory of brokers:**\n\nThe broker keeps all messages.\n\n{CODE}"
    card = await Pipeline(tmp_path, CardPolicy(max_back_chars=100)).card(
        f"# Question\nWhat does the broker keep?\n\n# Answer\n{answer}\n"
    )
    assert card.decision.action is Action.CREATE
    assert fields(card)["Back"] == "The broker keeps all messages."


async def test_what_one_language_shows_is_not_missed_in_the_other(tmp_path):
    small = "```sh\nbroker start\n```"
    long = "Это предложение длинное и подробное. " * 20
    text = (
        "# Question (EN)\nHow does a broker start?\n\n# Вопрос (RU)\nКак запустить брокер?\n\n"
        f"## Answer (EN)\nA broker starts alone.\n\n**1. Start `broker`**\n\n{CODE}\n\n{small}\n\n"
        f"## Ответ (RU)\nБрокер запускают командой.\n\n**1. Start `broker`**\n\n{small}\n\n{long}\n"
    )
    card = await Pipeline(tmp_path, CardPolicy(max_back_chars=120)).card(text)
    english, russian = fields(card)["Back"].split(RULE)
    assert "1. Start" not in english
    assert "1. Start" in russian
    assert card.decision.action is Action.CREATE
