"""What the database remembers between runs: replies, vectors, and what was last published."""

from tests.core.database.samples import call

from studium.core.database import Database
from studium.core.domain.decision import Change, ChangeStatus, FileState, PublishedVersion
from studium.core.domain.ports import TurnStore, VectorStore
from studium.core.domain.usage import Turn

REPLY = {"content": "Link states \0 桜", "tool_calls": [{"name": "search", "args": {"n": 3}}]}


def turn(key: str = "k1", **changes: object) -> Turn:
    return Turn(key=key, skill="cards.map", model="ollama:qwen3:14b", reply={**REPLY, **changes})


def test_the_database_implements_the_ports(database: Database):
    turns: TurnStore = database.turns
    vectors: VectorStore = database.vectors
    assert turns.recall("k") is None
    assert vectors.recall("minilm", ["k"]) == {}


def test_a_reply_is_recalled_as_it_was(database: Database):
    run = database.runs.start("cards", {})
    database.turns.remember(turn(), call(input_tokens=7), run=run.id, item="ospf.md")
    assert database.turns.recall("k1") == turn()
    assert database.turns.recall("k2") is None
    assert database.metrics.measure(run.id).spent.input_tokens == 7


def test_of_two_replies_to_one_question_the_first_stays_and_both_calls_count(database: Database):
    run = database.runs.start("cards", {})
    database.turns.remember(turn(content="first"), call(), run=run.id, item="a")
    database.turns.remember(turn(content="second"), call(), run=run.id, item="a")
    assert database.turns.recall("k1") == turn(content="first")
    assert database.metrics.measure(run.id).spent.calls == 2


def test_a_call_without_a_reply_or_outside_a_run_counts_too(database: Database):
    database.turns.remember(None, call(outcome="failed"), run="", item="")
    assert database.metrics.measure().skills[0].failed == 1


def test_deleted_replies_are_requested_again_but_stay_counted(database: Database):
    for key in ("k1", "k2", "k3"):
        database.turns.remember(turn(key), call(), run="", item="")
    database.turns.forget(["k1", "k3", "unknown"])
    database.turns.forget([])
    assert [key for key in ("k1", "k2", "k3") if database.turns.recall(key)] == ["k2"]
    assert database.metrics.measure().spent.calls == 3


def test_vectors_are_recalled_by_embedder_and_content(database: Database):
    known = {f"c{n}": bytes([n % 256, 0, 255]) for n in range(1300)}
    database.vectors.remember("minilm", known)
    database.vectors.remember("minilm", {"c0": b"changed", "more": b"1"})
    database.vectors.remember("other", {"c0": b"2"})
    assert database.vectors.recall("minilm", [*known, "more", "unknown"]) == known | {"more": b"1"}
    assert database.vectors.recall("other", ["c0", "c1"]) == {"c0": b"2"}
    database.vectors.remember("minilm", {})
    assert database.vectors.recall("minilm", []) == {}


def based(**fields: str) -> PublishedVersion:
    return PublishedVersion(fields=fields, about={"deck": "Net", "anki": 17})


def test_the_base_is_what_was_published_last(database: Database):
    database.published.save("anki", {"n1": based(Front="Q", Back="A"), "n2": based(Front="桜")})
    database.published.save("anki", {"n1": based(Front="Q2")})
    database.published.save("vault", {"n1": PublishedVersion(fields={"text": "T"})})
    database.published.save("vault", {})
    assert database.published.versions("anki") == {"n1": based(Front="Q2"), "n2": based(Front="桜")}

    assert database.published.details("anki")["n2"] == {"deck": "Net", "anki": 17}

    database.published.delete("anki", ["n1"])
    assert set(database.published.versions("anki")) == {"n2"}
    assert database.published.versions("vault") == {"n1": PublishedVersion(fields={"text": "T"})}


def test_a_file_state_is_stored_until_it_is_deleted(database: Database):
    once = FileState(modified=1_700_000_000_123_456_789, size=10, stamp="a")
    database.published.save_file_states("anki", {"a.md": once, "b.md": once})
    database.published.save_file_states("anki", {"a.md": None, "b.md": once.model_copy(update={"size": 11})})
    assert database.published.file_states("anki") == {"b.md": once.model_copy(update={"size": 11})}
    assert database.published.file_states("apkg") == {}


def test_a_change_is_recorded_before_it_is_made_and_finished_after(database: Database):
    run = database.runs.start("cards", {}).id
    update = Change(key="c1", kind="update", before={"Front": "old"}, after={"Front": "new"})
    create = Change(key="c2", kind="create", before=None, after={"Front": "n"})
    placed = database.changes.plan(run, "anki", [update, create])
    assert [change.position for change in placed] == [1, 2]
    assert database.changes.unfinished("anki") == [(run, placed[0]), (run, placed[1])]
    database.changes.finish(run, "anki", {1: ChangeStatus.APPLIED}, {"c1": based(Front="new")})
    assert database.changes.unfinished("anki") == [(run, placed[1])]
    assert [(sink, change.status) for sink, change in database.changes.of_run(run)] == [
        ("anki", "applied"),
        ("anki", "planned"),
    ]
    assert database.published.versions("anki") == {"c1": based(Front="new")}
    assert database.changes.plan(run, "anki", [create])[0].position == 3
