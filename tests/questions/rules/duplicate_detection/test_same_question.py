import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import pytest

from studium.core.llm.embeddings import MiniLM, SemanticSimilarity
from studium.questions.rules.duplicate_detection.same_question import dedupe_rule, nearest_questions, same_question
from studium.questions.skills import DedupeInput

HERE = Path(__file__).parent
LABELLED = HERE.parent / "labelled" / "question_pairs.jsonl"
Pairs = Iterable[tuple[str, str, bool]]

ASKED = (
    "What is the OSPF hello interval?",
    "What is the OSPF dead interval?",
    "Which port does BGP use?",
    "Who wrote the first OSPF specification?",
    "When was RFC 2328 published?",
)


@pytest.fixture(scope="module")
def similarity():
    return lru_cache(maxsize=None)(SemanticSimilarity(MiniLM))


def own_pairs(name: str = "question_pairs.tsv") -> Pairs:
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        verdict, one, other = line.split("\t")
        yield one, other, verdict == "same"


def labelled_pairs() -> Pairs:
    for line in LABELLED.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        yield pair["one"], pair["other"], pair["same"]


def f1(pairs: Pairs, similarity) -> float:
    verdicts = [(same_question(one, other, similarity), same) for one, other, same in pairs]
    both = sum(said and same for said, same in verdicts)
    either = sum(said + same for said, same in verdicts)
    return 2 * both / either


def test_duplicates_among_the_labelled_pairs_are_recognised(similarity):
    pairs = list(labelled_pairs())
    assert len(pairs) >= 150
    assert f1(pairs, similarity) >= 0.9


def test_duplicates_among_the_development_pairs_are_recognised(similarity):
    assert f1(own_pairs(), similarity) >= 0.95
    assert f1(own_pairs(), None) >= 0.9, "without an embedder it is a little worse"


def test_duplicates_among_pairs_that_no_rule_was_made_for_are_recognised(similarity):
    pairs = list(own_pairs("unseen_pairs.tsv"))
    assert len(pairs) >= 60
    assert f1(pairs, similarity) >= 0.85


def test_grammar_tells_questions_apart(subtests):
    cases = [
        ("Which host are requests forwarded from?", "Which host are requests forwarded to?"),
        ("What did the storm destroy?", "What destroyed the storm?"),
        ("When was the poet born?", "When did the poet die?"),
        ("How deep is the quarry?", "How long is the quarry?"),
        ("Which teams reached the final?", "Which teams reached the semi-final?"),
        ("What does Requires mean?", "What does Pre-Requires mean?"),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            assert not same_question(one, other, lambda _one, _other: 1.0)


def test_grammar_finds_the_same_question_in_other_words(subtests):
    cases = [
        ("How many NICUs took part?", "How many NICU took part?"),
        ("How often is the filter changed?", "How many times a year is the filter changed?"),
        ("To whom is the invoice sent?", "Who is the invoice sent to?"),
        ("Who painted the ceiling?", "By whom was the ceiling painted?"),
        ("When was the canal opened?", "When did the canal open?"),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            assert same_question(one, other)


def test_the_order_of_the_two_makes_no_difference(similarity):
    for one, other, _ in own_pairs():
        assert same_question(one, other, similarity) == same_question(other, one, similarity)


def test_no_similarity_overrules_a_clear_difference(subtests):
    cases = [
        ("What is the capital of France?", "What is the capital of Germany?"),
        ("How long is the trial of 7 days extended?", "How long is the trial of 17 days extended?"),
        ("What is the minimum length of a password?", "What is the maximum length of a password?"),
        ("What happens before the election?", "What happens after the election?"),
        ("Why was the appeal granted?", "Why was the appeal not granted?"),
        ("Who founded the company?", "When was the company founded?"),
        ("What changed in version 2?", "What changed in version 3?"),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            assert not same_question(one, other, lambda _one, _other: 1.0)


def test_a_question_is_the_same_as_itself():
    for question in (*ASKED, "?", "Why?", "なぜですか？"):
        assert same_question(question, question)
        assert same_question(question, f"  {question} ")


def test_the_nearest_questions_come_first(similarity):
    near = nearest_questions("How often does OSPF send hellos?", ASKED, 2, similarity)
    assert near[0] == "What is the OSPF hello interval?"
    assert len(near) == 2


def test_the_nearest_do_not_depend_on_the_order_of_the_accepted(similarity):
    for judge in (None, similarity):
        forward = nearest_questions("What is the OSPF interval?", ASKED, 3, judge)
        assert nearest_questions("What is the OSPF interval?", ASKED[::-1], 3, judge) == forward


def test_few_vectors_are_compared_of_many_questions():
    compared: list[str] = []

    def similarity(_one: str, other: str) -> float:
        compared.append(other)
        return 0.5

    accepted = [f"What does option {number} of the command set?" for number in range(500)]
    nearest = nearest_questions("What does option 250 of the command set?", accepted, 12, similarity)
    assert nearest[0] == accepted[250]
    assert len(compared) <= 48


def test_the_rule_names_the_question_that_was_asked_before(similarity):
    dedupe = dedupe_rule(similarity)
    given = DedupeInput(question="How often does OSPF send hellos?", accepted=ASKED)
    assert dedupe(given, ()).duplicate_of == "What is the OSPF hello interval?"
    new = DedupeInput(question="How many areas may OSPF have?", accepted=ASKED)
    assert dedupe(new, ()).duplicate_of is None
