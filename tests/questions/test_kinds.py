"""The kinds of questions through the loop: their mix, their checks, and what each of them is accepted by."""

import json
from pathlib import Path

import pytest
import yaml
from tests.questions.test_graph import DONE, ROUTER, ROUTING, read
from tests.run_cli import studium

import studium as studium_package
from studium.core.config import load_settings
from studium.core.domain.errors import BadInput
from studium.core.llm.models import RulesModel, ScriptedModel
from studium.core.llm.prompts import load_prompt
from studium.questions.difficulty import difficulty_of
from studium.questions.domain import GenerationPolicy, QAPair, RejectionReason
from studium.questions.graph import create_question_graph
from studium.questions.jobs import GenerateQuestions, to_generation_request
from studium.questions.kinds import QuestionOptions, next_kinds, parse_mix
from studium.questions.setup import rules
from studium.questions.skills import GENERATE, Candidate, DedupeResult, ValidationResult

HARBOUR = """\
# Skarn harbour

The harbour of Skarn was founded by Ida Brandt in 1871. The lighthouse of Skarn was built by Olaf Lund in 1874.
The fish market of Skarn was designed by Marta Holm in 1902. The shipyard of Skarn was established by Erik Dahl in 1956.
The map of Skarn was drawn by Nils Berg in 1963. The song of Skarn was composed by Anna Krog in 1921.

The town hall of Skarn burned down in 1911. The weather station of Skarn moved to the pier in 1938.
"""
QUOTE = "A router is a device that forwards packets between networks."
CONFIRMED = ValidationResult(answerable=True, answer="a router")


def made(question: str, answer: str, **told) -> Candidate:
    return ROUTER.model_copy(update={"question": question, "answer": answer, "quotes": (QUOTE,)} | told)


CLOZE = made("A _____ forwards packets between networks.", "router", asks=ROUTER.question, expected="a router")
CHOICE = made(
    ROUTER.question,
    "a router",
    choices=("a hub", "a router", "a cable", "a modem"),
    asks=ROUTER.question,
    expected="a router",
)
FALSE = made("True or false: A hub forwards packets.", "False", asks=ROUTER.question, expected="a router")
UNSAID = made("Who invented the router?", "The document does not say.")


async def loop_of(folder, text: str, mix: str, model=None, count: int = 10) -> dict:
    document = read(folder, text)
    graph = create_question_graph(model or RulesModel(rules()), lambda _: document, GenerationPolicy(60))
    state = {
        "document_path": document.path,
        "target_count": count,
        "options": QuestionOptions.model_validate({"mix": mix}),
    }
    return await graph.ainvoke(state, {"recursion_limit": 500})


def test_the_kind_that_is_furthest_behind_its_share_comes_next():
    mix, counts, order = parse_mix("open=6, multiple_choice=2,cloze=2"), {}, []
    for _ in range(10):
        order.append(next_kinds(mix, counts)[0])
        counts[order[-1]] = counts.get(order[-1], 0) + 1
    assert counts == {"open": 6, "multiple_choice": 2, "cloze": 2}
    assert order[:5] == ["open", "multiple_choice", "open", "cloze", "open"]
    assert next_kinds(mix, counts, spent=["open"]) == ["multiple_choice", "cloze"]


@pytest.mark.parametrize("mix", ["essay=1", "open=x", "open=0", "", "open=-1", "open=1001"])
def test_a_mix_that_cannot_be_used_is_refused(mix):
    with pytest.raises(BadInput):
        parse_mix(mix)


async def test_the_rules_make_every_kind_and_go_on_when_one_is_spent(tmp_path):
    state = await loop_of(tmp_path, HARBOUR, "open=1,cloze=1,multiple_choice=1,true_false=1,multi_hop=1", count=6)
    pairs = state["accepted_questions"]
    assert {pair.kind for pair in pairs} == {"open", "cloze", "multiple_choice", "true_false"}
    assert state["spent_kinds"] == ["multi_hop"]
    assert len({pair.open_question for pair in pairs}) == len(pairs), "no fact is asked twice"
    assert all(pair.difficulty for pair in pairs)


async def test_half_of_the_statements_are_true(tmp_path):
    state = await loop_of(tmp_path, HARBOUR, "true_false=1", count=4)
    assert sorted(pair.answer for pair in state["accepted_questions"]) == ["False", "False", "True", "True"]


@pytest.mark.parametrize(("kind", "candidate"), [("cloze", CLOZE), ("multiple_choice", CHOICE), ("true_false", FALSE)])
async def test_the_validator_answers_the_open_form(kind, candidate, tmp_path):
    model = ScriptedModel({"questions.generate": [candidate, DONE], "questions.validate": [CONFIRMED]})
    state = await loop_of(tmp_path, ROUTING, f"{kind}=1", model)
    pair = state["accepted_questions"][0]
    assert (pair.kind, pair.question, pair.choices) == (kind, candidate.question, candidate.choices)
    asked = {each.skill: each.given for each in model.asked}
    assert asked["questions.validate"].question == ROUTER.question
    assert asked["questions.generate"].kind == kind
    assert asked["questions.generate"].asked == (ROUTER.question,), "the next one is to differ in its open form"


@pytest.mark.parametrize(
    ("kind", "candidate"),
    [
        ("cloze", CLOZE.model_copy(update={"question": "A router forwards packets between networks."})),
        ("cloze", CLOZE.model_copy(update={"answer": "bridge"})),
        ("cloze", CLOZE.model_copy(update={"asks": ""})),
        ("multiple_choice", CHOICE.model_copy(update={"choices": ("a hub", "a cable", "a modem")})),
        ("multiple_choice", CHOICE.model_copy(update={"choices": ("a router", "the router", "a cable", "a hub")})),
        ("multiple_choice", CHOICE.model_copy(update={"choices": ("a router", "a hub")})),
        ("true_false", FALSE.model_copy(update={"answer": "True"})),
        ("true_false", FALSE.model_copy(update={"answer": "No"})),
        ("true_false", FALSE.model_copy(update={"question": "True or false: A router forwards packets."})),
        ("multi_hop", ROUTER),
    ],
)
async def test_what_is_not_of_its_kind_is_rejected_without_a_validator_call(kind, candidate, tmp_path):
    model = ScriptedModel({"questions.generate": [candidate, DONE]})
    state = await loop_of(tmp_path, ROUTING, f"{kind}=1", model)
    assert [each.rejection_reason for each in state["rejected_questions"]] == [RejectionReason.VALIDATION_FAILED]


@pytest.mark.parametrize(
    ("verdict", "reasons"),
    [
        (ValidationResult(answerable=False), []),
        (ValidationResult(answerable=True, answer="Ida Brandt"), [RejectionReason.WRONG_ANSWER]),
        (ValidationResult(answerable=False, relevant=False), [RejectionReason.TRIVIAL]),
    ],
)
async def test_what_is_meant_to_be_unanswerable_is_accepted_if_nobody_finds_an_answer(verdict, reasons, tmp_path):
    model = ScriptedModel({"questions.generate": [UNSAID, DONE], "questions.validate": [verdict]})
    state = await loop_of(tmp_path, ROUTING, "unanswerable=1", model)
    assert [each.rejection_reason for each in state.get("rejected_questions", [])] == reasons
    assert [pair.kind for pair in state.get("accepted_questions", [])] == ["unanswerable"] * (not reasons)


async def test_the_deduplicator_compares_the_open_forms(tmp_path):
    model = ScriptedModel(
        {
            "questions.generate": [CLOZE, CHOICE, DONE, DONE],
            "questions.validate": [CONFIRMED],
            "questions.dedupe": [DedupeResult(duplicate_of=ROUTER.question)],
        }
    )
    state = await loop_of(tmp_path, ROUTING, "cloze=1,multiple_choice=1", model)
    compared = next(each.given for each in model.asked if each.skill == "questions.dedupe")
    assert (compared.question, compared.accepted) == (ROUTER.question, (ROUTER.question,))
    assert state["rejected_questions"][0].duplicate_of == CLOZE.question


async def test_a_kind_that_fails_again_and_again_lets_others_have_their_turn(tmp_path):
    wrong = CLOZE.model_copy(update={"answer": "bridge"})

    def generate(given, _tools):
        if given.kind == "cloze":
            return wrong
        return DONE if ROUTER.question in given.asked[2:] else ROUTER

    model = ScriptedModel(
        {
            "questions.generate": generate,
            "questions.validate": lambda *_: CONFIRMED,
            "questions.dedupe": lambda *_: None,
        }
    )
    state = await loop_of(tmp_path, ROUTING, "cloze=9,open=1", model, count=1)
    assert [pair.kind for pair in state["accepted_questions"]] == ["open"]


@pytest.mark.parametrize(
    ("told", "difficulty"),
    [
        (("true_false", "When was it built?", "1874", ["It was built in 1874."]), "easy"),
        (("open", "When was it built?", "1874", ["It was built in 1874."]), "medium"),
        (("open", "When was the harbour built?", "harbour", ["The harbour."]), "easy"),
        (
            ("open", "Why was it built?", "because ships had been lost on the reef", ["It was because of lost ships."]),
            "hard",
        ),
        (("multi_hop", "Who built it?", "Olaf Lund", ["Olaf Lund was there.", "He built it."]), "hard"),
    ],
)
def test_difficulty_follows_its_criteria(told, difficulty):
    assert difficulty_of(*told, {"harbour": 5}) == difficulty


def test_pairs_of_before_have_no_kind_and_are_open():
    old = {
        "question": "Who built it?",
        "answer": "Olaf Lund",
        "source_document": "a.md",
        "content_refs": [],
        "generation_metadata": {"generator_model": "rules", "validator_model": "rules", "attempt_number": 1},
    }
    pair = QAPair.model_validate(old)
    assert (pair.kind, pair.choices, pair.difficulty, pair.open_question) == ("open", (), None, "Who built it?")


async def test_a_model_is_told_what_is_asked_for(tmp_path):
    model = ScriptedModel({"questions.generate": [DONE]})
    document = read(tmp_path, ROUTING)
    graph = create_question_graph(model, lambda _: document, GenerationPolicy())
    wishes = QuestionOptions(
        mix={"reasoning": 1}, difficulty="hard", style="web search", length="short", persona="a nurse"
    )
    await graph.ainvoke({"document_path": document.path, "target_count": 1, "options": wishes})
    system, _ = load_prompt(GENERATE.name, [Path(studium_package.__file__).parent]).render(model.asked[0].given)
    assert "The kind of this question is `reasoning`" in system
    assert "Difficulty: hard" in system
    assert "Style: web search. It is asked by a nurse." in system
    assert "Length of the question: short" in system


def test_a_job_takes_the_mix_as_weights_or_as_text(tmp_path):
    wishes = {"difficulty": "easy", "length": "short", "style": "formal", "persona": "a pilot"}
    asked = [
        GenerateQuestions.model_validate({"document": str(tmp_path), "mix": mix} | wishes)
        for mix in ({"cloze": 2, "open": 1}, "cloze=2,open=1")
    ]
    first, second = (to_generation_request(load_settings(), each).options for each in asked)
    assert first == second == QuestionOptions(mix={"cloze": 2, "open": 1}, **wishes)


# --- the command


def write_corpus(folder, **wishes) -> None:
    scenario = {"name": "Quiz", "description": "Names."} | wishes
    corpus = {"name": "Skarn", "corpus_context": "Notes.", "scenarios": {"quiz": scenario}}
    (folder / "corpus.yaml").write_text(yaml.safe_dump(corpus))


def test_the_command_prints_the_choices_and_writes_the_kinds(tmp_path):
    document = tmp_path / "harbour.md"
    document.write_text(HARBOUR)
    ended = studium(
        *("questions", "generate", document, "--count", 4, "--out", tmp_path / "q.json"),
        *("--mix", "multiple_choice=1,cloze=1"),
    )
    assert ended.code == 0, ended.err
    pairs = json.loads((tmp_path / "q.json").read_text())["accepted"]
    assert {pair["kind"] for pair in pairs} == {"multiple_choice", "cloze"}
    chosen = next(pair for pair in pairs if pair["choices"])
    assert all(f"{letter}) {choice}" in ended.out for letter, choice in zip("ABCD", chosen["choices"], strict=True))
    assert studium("questions", "generate", document, "--mix", "essay=1").code == 2


def test_what_the_rules_cannot_follow_is_said_once(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.md").write_text(HARBOUR)
    write_corpus(tmp_path, mix="multiple_choice=1,multi_hop=1", persona="a pilot")
    ended = studium("questions", "corpus", tmp_path, "--per-document", 2, "--out", tmp_path / "q.json", "--json")
    assert ended.code == 0, ended.err
    said = [
        finding["message"]
        for document in ended.json["documents"]
        for finding in document["findings"]
        if finding["code"] == "request.not_honoured"
    ]
    assert [text.partition(".")[0] for text in said[:2]] == [
        "The rules cannot ask questions of the kind multi_hop",
        "The rules cannot follow a persona",
    ]
    assert len(said) == 3
    assert {pair["kind"] for pair in json.loads((tmp_path / "q.json").read_text())["questions"]} == {"multiple_choice"}


def test_flags_win_over_the_scenario_and_the_scenario_over_the_settings(tmp_path):
    (tmp_path / "one.md").write_text(HARBOUR)
    write_corpus(tmp_path, mix={"cloze": 1})
    command = ("questions", "corpus", tmp_path, "--per-document", 2, "--out", tmp_path / "q.json")

    def kinds(*given) -> set[str]:
        ended = studium(*given)
        assert ended.code == 0, ended.err
        return {pair["kind"] for pair in json.loads((tmp_path / "q.json").read_text())["questions"]}

    assert kinds("--set", "questions.mix=true_false=1", *command) == {"cloze"}
    assert kinds(*command, "--mix", "multiple_choice") == {"multiple_choice"}
    (tmp_path / "corpus.yaml").unlink()
    assert kinds("--set", "questions.mix=true_false=1", *command) == {"true_false"}


def test_a_review_keeps_the_kind_and_its_checks(tmp_path):
    document = tmp_path / "harbour.md"
    document.write_text(HARBOUR)
    made = studium("questions", "generate", document, "--count", 1, "--mix", "multiple_choice=1", "--json")
    run, pair = made.json["run"], made.json["accepted"][0]
    wrong = next(choice for choice in pair["choices"] if choice != pair["answer"])
    for answer in ("Nobody", wrong):
        refused = studium("questions", "review", run, "--edit", 1, "--answer", answer)
        assert refused.code == 2, refused.out
    again = studium("questions", "review", run, "--regenerate", 1, "--json")
    assert again.code == 0, again.err
    new = again.json["questions"][0]["pair"]
    assert (new["kind"], new["question"] == pair["question"]) == ("multiple_choice", False)
