"""A run that gives fewer questions than were asked for says so, why, and what would help; and its limits."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.questions.test_generate import configured
from tests.run_cli import studium

from studium.core.config import load_settings
from studium.core.documents.registry import read_document
from studium.core.llm.models import RulesModel
from studium.questions.domain import GenerationPolicy
from studium.questions.graph import create_question_graph
from studium.questions.setup import question_policy, rules
from studium.questions.skills import Candidate, Exhausted
from studium.testing import Fault, Reply, WireServer

DEFINED = "A {0} is a {1} that carries {2} across the harbour.\n\n"
WORDS = ("barge", "skiff", "tender", "lighter", "ferry", "punt", "dinghy", "cutter", "wherry", "hoy")


def harbour(path: Path, count: int = 4) -> Path:
    """A document with as many definitions."""
    text = "".join(DEFINED.format(word, f"{word}-boat", f"{word} cargo") for word in WORDS[:count])
    path.write_text("# Boats\n\n" + text)
    return path


@pytest.fixture
def boats(tmp_path) -> Path:
    return harbour(tmp_path / "boats.md")


@pytest.fixture
def fleet(tmp_path) -> Path:
    folder = tmp_path / "fleet"
    folder.mkdir()
    for name in ("a", "b", "c"):
        harbour(folder / f"{name}.md")
    return folder


def test_a_shortfall_says_why_and_what_would_help(boats):
    ended = studium("questions", "generate", boats, "--count", 20)
    assert ended.code == 0, ended.err
    assert re.search(r"\d of 20: .*; the document has only \d+ words\.", ended.out)
    assert "What would help: a model as generator (`roles.questions.generator`), or a longer document." in ended.out
    assert "fewer questions" not in ended.out


def test_only_strict_makes_a_shortfall_an_exit_code(boats, fleet, tmp_path):
    assert studium("questions", "generate", boats, "--count", 20, "--strict", "--json").code == 1
    assert studium("questions", "generate", boats, "--count", 3, "--strict").code == 0
    corpus = ("questions", "corpus", fleet, "--out", tmp_path / "set.json", "--per-document", 90)
    ended = studium(*corpus)
    assert ended.code == 0, ended.err
    assert re.search(r"\d+ of 270 questions about 3 documents", ended.out)
    assert "3 of them gave fewer than were asked for." in ended.out
    assert studium(*corpus, "--strict").code == 1
    assert (tmp_path / "set.json").is_file(), "what there is, is written"


def test_a_document_without_result_says_what_would_help(tmp_path):
    (tmp_path / "talk.md").write_text("Hm. Well, perhaps. Who knows?\n")
    ended = studium("questions", "corpus", tmp_path, "--out", tmp_path / "set.json", "--json")
    (document,) = ended.json["documents"]
    assert document["shortfall"].startswith("0 of 5: ")
    assert "What would help: a model" in document["shortfall"]
    assert ended.json["fell_short"]


def test_rules_try_all_their_candidates_unless_a_limit_is_given(tmp_path):
    settings = load_settings(overrides=(f"home={tmp_path}",))
    assert question_policy(settings).max_consecutive_failures is None
    assert question_policy(settings, 3).max_consecutive_failures == 3
    model = load_settings(overrides=(f"home={tmp_path}", "roles.questions.generator=ollama:qwen3:4b"))
    assert question_policy(model) == GenerationPolicy(5, "ollama:qwen3:4b", "rules")


async def test_eight_refusals_in_a_row_do_not_end_a_loop_without_a_limit(tmp_path):
    quote = "A barge is a boat that carries coal across the harbour."
    (tmp_path / "boats.md").write_text(f"{quote}\n")
    document = read_document(tmp_path / "boats.md").document
    wrong = [Candidate(question=f"Who built the {word}?", answer="Ada", quotes=("Ada.",)) for word in WORDS[:8]]
    good = Candidate(question="What is a barge?", answer="a boat that carries coal", quotes=(quote,))

    def generate(given, _tools):
        left = [each for each in (*wrong, good) if each.question not in given.asked]
        return left[0] if left else Exhausted(reason="No more.")

    model = RulesModel(rules() | {"questions.generate": generate})
    for limit, accepted in ((None, ["What is a barge?"]), (5, [])):
        graph = create_question_graph(model, lambda _: document, GenerationPolicy(limit))
        state = await graph.ainvoke({"document_path": document.path, "target_count": 3}, {"recursion_limit": 200})
        assert [pair.question for pair in state.get("accepted_questions", [])] == accepted


async def test_a_generator_that_fails_ends_a_loop_without_a_limit(tmp_path):
    (tmp_path / "boats.md").write_text("A barge is a boat.\n")
    document = read_document(tmp_path / "boats.md").document
    graph = create_question_graph(
        RulesModel({"questions.generate": lambda *_: None}), lambda _: document, GenerationPolicy(None)
    )
    state = await graph.ainvoke({"document_path": document.path, "target_count": 3}, {"recursion_limit": 50})
    assert state["exhausted"] == "The generator failed."


def test_a_model_ends_after_so_many_failures_and_more_patience_is_named(boats, tmp_path):
    """The generator repeats a quote that the document does not have."""
    made = {"question": "What is a galleon?", "answer": "a ship", "quotes": ["A galleon is a ship."]}
    with WireServer(lambda _request: Reply(tool_calls=(("submit_qa", made),))) as server:
        config = configured(tmp_path, server.address)
        ended = studium("--config", config, "questions", "generate", boats, "--max-failures", 2)
        assert len(server.requests) == 2
    assert "0 of 5: 2 questions in a row were rejected; 2 were refused (2 validation failed)" in ended.out
    assert "more patience (`--max-failures`, now 2)" in ended.out


def test_a_total_for_all_documents_ends_the_run(fleet, tmp_path):
    corpus = ("questions", "corpus", fleet, "--out", tmp_path / "set.json", "--per-document", 3)
    ended = studium(*corpus, "--total-target", 5, "--strict", "--json")
    assert ended.code == 0, ended.err
    assert [document["stats"]["accepted_count"] for document in ended.json["documents"]] == [3, 2, 0]
    assert [document["shortfall"] for document in ended.json["documents"]] == [None, None, None]
    assert (ended.json["accepted"], ended.json["target"], ended.json["fell_short"]) == (5, 5, False)
    assert studium(*corpus, "--total-target", 5, "--on", "tcp://127.0.0.1:9").code == 2


def test_a_resumed_run_counts_what_it_had(fleet, tmp_path):
    """The server dies after one question was accepted; of the three in all, two are left to ask."""
    said = {word: DEFINED.format(word, f"{word}-boat", f"{word} cargo").strip() for word in WORDS}
    answers = {word: line.partition(" is ")[2].rstrip(".") for word, line in said.items()}

    def asked(request):
        before = request.messages[1].text
        if request.model == "checker":
            word = next(word for word in WORDS if f"What is a {word}?" in before)
            verdict = {"answerable": True, "answer": answers[word], "quotes": [said[word]]}
            return Reply(tool_calls=(("final_answer", verdict),))
        word = next(word for word in WORDS if f"What is a {word}?" not in before)
        made = {"question": f"What is a {word}?", "answer": answers[word], "quotes": [said[word]]}
        return Reply(tool_calls=(("submit_qa", made),))

    def dies(request):
        is_second = request.model == "asker" and "What is a barge?" in request.messages[1].text
        return Fault.unauthorized() if is_second else asked(request)

    arguments = ("questions", "corpus", fleet, "--out", tmp_path / "set.json", "--per-document", 4, "--total-target", 3)
    with WireServer(dies) as server:
        cut = studium("--config", configured(tmp_path, server.address), *arguments, "--concurrency", 1)
        assert cut.code == 3, cut.out + cut.err
    with WireServer(asked) as server:
        config = configured(tmp_path, server.address)
        ended = studium("--config", config, *arguments, "--concurrency", 1, "--resume", "--json")
    assert ended.code == 0, ended.err
    assert [document["stats"]["accepted_count"] for document in ended.json["documents"]] == [3, 0, 0]


def test_only_the_first_documents_are_used(fleet, tmp_path):
    ended = studium("questions", "corpus", fleet, "--out", tmp_path / "set.json", "--max-docs", 2, "--json")
    assert [Path(document["path"]).name for document in ended.json["documents"]] == ["a.md", "b.md"]


def test_an_estimate_opens_the_documents(fleet, tmp_path):
    (fleet / "broken.pdf").write_bytes(b"%PDF-1.4\ncut off")
    corpus = ("questions", "corpus", fleet, "--out", tmp_path / "set.json", "--per-document", 20, "--dry-run")
    told = studium(*corpus, "--json").json
    assert (told["documents"], told["questions"], told["kinds"], told["languages"]) == (4, 80, {"md": 3}, {"en": 3})
    assert 100 < told["words"] < 200
    assert told["expected"] < 10
    assert list(told["unreadable"]) == [str(fleet / "broken.pdf")]
    assert "the numbers are assumed" in told["basis"]
    assert not (tmp_path / "set.json").exists()


def test_an_estimate_learns_from_past_runs(fleet, tmp_path):
    """Each document of about 45 words gives several questions: far more than is assumed at first."""
    corpus = ("questions", "corpus", fleet, "--out", tmp_path / "set.json", "--per-document", 90)
    made = studium(*corpus, "--json").json["accepted"]
    told = studium(*corpus, "--dry-run", "--json").json
    assert (told["questions"], told["expected"], told["calls"], told["cost"]) == (270, made, 0, 0)
    assert told["basis"].startswith("From 1 past run with rules as generator: ")
    assert told["seconds"] > 0
    said = studium("questions", "generate", fleet / "a.md", "--count", 3, "--dry-run").out
    assert "About 3 of the 3 questions asked for are likely." in said


def test_a_long_loop_keeps_one_state_on_disk(boats, home):
    """Each state holds all questions so far: keeping all of them would take space with the square of their number."""
    studium("questions", "generate", boats, "--count", 4)
    with closing(sqlite3.connect(home / "database.checkpoints.sqlite")) as checkpoints:
        assert checkpoints.execute("SELECT count(*) FROM checkpoints").fetchone() == (1,)
