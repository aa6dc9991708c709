"""Plain instructions put into changes, and what is not understood said word for word."""

import csv
from pathlib import Path

import pytest
from tests.concepts.rules.critique.conftest import IDEAS, QUOTES, relation

from studium.concepts.proposal import ProposalChange
from studium.concepts.rules.skill_rules import SUPPORTED_INSTRUCTIONS, feedback_rule
from studium.concepts.skills import ChangesOutput, FeedbackInput

INSTRUCTIONS = list(
    csv.DictReader(
        (Path(__file__).parent / "instructions.tsv").read_text(encoding="utf-8").splitlines(),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
)


def follow(words: str) -> ChangesOutput:
    relations = (relation("c1 OPPOSES c4"),)
    return feedback_rule(
        FeedbackInput(language="en", feedback=words, concepts=IDEAS, quotes=QUOTES, relations=relations), ()
    )


def in_short(change: ProposalChange) -> str:
    """A change as `instructions.tsv` writes it."""
    start = f"{change.action} {change.concept}"
    if change.others:
        return f"{start} < {' '.join(change.others)}"
    if change.parts:
        return f"{start} > " + "; ".join(f"{part.title}: {','.join(part.quotes)}" for part in change.parts)
    if change.type:
        return f"{start} {change.type} {change.target}"
    fields = {"title": change.title, "text": change.text}
    told = [f" {name}={value}" for name, value in fields.items() if value is not None]
    quotes = [] if change.quotes is None else [f" quotes={','.join(change.quotes)}"]
    return start + "".join(told + quotes)


def test_instructions_become_changes() -> None:
    answers = {row["words"]: follow(row["words"]) for row in INSTRUCTIONS}
    changes = {words: " | ".join(map(in_short, answer.changes)) for words, answer in answers.items()}
    assert changes == {row["words"]: row["changes"] for row in INSTRUCTIONS}
    assert {words: answer.not_done for words, answer in answers.items() if answer.not_done} == {}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("Make it all a bit shorter", ""),
        ("don't merge c1 and c2", ""),
        ("no unas c1 y c2", ""),
        ("reject c1 or c2", ""),
        ("reject c1 if q3 is wrong", ""),
        ("leave c2 as it is", ""),
        ("c3 should say more about fear", ""),
        ("name c3 in Spanish", ""),
        ("merge c1 and c9", " (there is no concept c9)"),
        ("merge c1", " (a merge takes two concepts or more)"),
        ("q9 belongs to c1", " (there is no quote q9)"),
        ("remove q5 from c1", " (c1 does not rest on q5)"),
        ("c1 opposes c1", " (a relation takes two different concepts)"),
        ("c1 does not support c2", " (there is no such relation of c1 and c2)"),
        ("rename c3 to something shorter", " (put the title in quotation marks)"),
        (
            "split c1 into two concepts",
            " (it is not clear into which parts c1 is to be split; put each title in quotation marks)",
        ),
    ],
)
def test_what_is_not_understood_is_reported_word_for_word(words: str, why: str) -> None:
    assert follow(words) == ChangesOutput(
        changes=(), not_done=f"{SUPPORTED_INSTRUCTIONS}. Not understood: “{words}”{why}"
    )


def test_what_is_understood_is_done_though_the_rest_is_not() -> None:
    answer = follow("Merge c1 and c2.\nThe third is too long; reject “Nothing”\n- reject c4")
    assert [in_short(change) for change in answer.changes] == ["merge c1 < c2", "reject c4"]
    assert answer.not_done.endswith("“The third is too long”; “reject “Nothing”” (there is no concept “Nothing”)")


def test_a_concept_that_went_into_another_is_no_longer_named() -> None:
    answer = follow("merge c1 and c2. c2 opposes c3")
    assert [in_short(change) for change in answer.changes] == ["merge c1 < c2"]
    assert answer.not_done.endswith("“c2 opposes c3” (c2 is gone by then)")


def test_a_title_that_two_concepts_have_names_neither() -> None:
    twins = (*IDEAS, IDEAS[0].model_copy(update={"key": "c7"}))
    given = FeedbackInput(language="en", feedback="reject “deep work”", concepts=twins, quotes=QUOTES, relations=())
    answer = feedback_rule(given, ())
    assert answer.changes == ()
    assert answer.not_done.endswith("“reject “deep work”” (“deep work” may be c1 and c7)")


def test_the_reason_that_a_person_gives_is_kept() -> None:
    (change,) = follow("une c1 y c2 porque dicen lo mismo").changes
    assert change.reasoning == "porque dicen lo mismo"
