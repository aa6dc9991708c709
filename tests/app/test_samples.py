"""Samples are added, and removed completely without touching anything of the user's."""

import sqlite3
from contextlib import closing

import pytest
from tests.app.conftest import OWN_WALDEN, forget, own_book, settings_for

from studium.app import samples
from studium.cards import use_cases as cards
from studium.concepts import use_cases as concepts
from studium.concepts.domain import GraphCommit, Relation, RelationType, Support
from studium.concepts.proposal import ReviewAnswer
from studium.concepts.setup import concept_graph
from studium.core.app import open_database
from studium.core.config import Settings
from studium.core.domain.errors import Conflict, Interrupted, NotFound
from studium.core.domain.run import RunContext, use_context
from studium.vocabulary import use_cases as vocabulary
from studium.vocabulary.domain import SongRequest
from studium.vocabulary.song_repository import SongRepository

pytestmark = pytest.mark.xdist_group("samples")  # which are made once for all of them

OWN_QUOTES = """# Habits

Author: Ann Example

- Attention is a muscle that grows with use.
- Repetition makes a habit out of an act.
"""


def rows(settings: Settings, name: str) -> dict[str, int]:
    with closing(sqlite3.connect(settings.home / name)) as database:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {each: len(database.execute(f"SELECT 1 FROM {each}").fetchall()) for each in names}  # noqa: S608 - its own


async def test_a_home_without_the_samples_is_like_new_and_is_filled_and_emptied_again_without_a_manifest(settings):
    removed = await forget(settings)
    assert (removed["runs"], removed["quotes"]) == (9, 60)
    assert removed["concepts"] > 20
    for name, of_its_own in {
        "database.sqlite": {"ledger_version", "vectors"},
        "concepts.sqlite": {"graph"},
        "database.checkpoints.sqlite": set(),
    }.items():
        assert {table for table, many in rows(settings, name).items() if many} <= of_its_own
    assert not samples.samples_folder(settings).exists()
    with open_database(settings) as database:
        assert samples.is_new_home(settings, database)

    made = await samples.add_samples(settings, samples.samples_folder(settings))
    assert [(each.feature, each.made) for each in made][:2] == [("cards", "3 cards"), ("questions", "40 questions")]
    (samples.samples_folder(settings) / samples.MANIFEST).write_text("")
    assert (await forget(settings))["runs"] == 9
    with concept_graph(settings) as graph:
        assert not any(graph.counts().values())


async def test_everything_of_the_user_stays(settings, tmp_path):
    (vault := tmp_path / "vault").mkdir()
    (vault / "port.md").write_text("Q: Which port does SSH listen on?\nA: SSH listens on port 22.\n")
    synced = await cards.sync(settings, cards.SyncOptions(vault, str(tmp_path / "own.apkg")))
    book = await own_book(settings, tmp_path / "habits.md", OWN_QUOTES)
    await vocabulary.analyse_song(settings, SongRequest(song="道", artist="Ann", lyrics="道を歩く"), None, None)
    (samples.samples_folder(settings) / "mine.txt").write_text("mine")
    with open_database(settings) as database, concept_graph(settings) as graph:
        all_runs = database.runs.count()
        quotes = graph.quotes_of(book)
        own = [graph.concept(each.concept) for each in graph.supports() if each.quote in {one.uuid for one in quotes}]
        carried, linked, *_ = [each for each in graph.concepts() if each not in own]
        support = Support(quote=quotes[0].uuid, concept=carried.uuid)
        relation = Relation(source=own[0].uuid, target=linked.uuid, type=RelationType.SIMILAR_TO)
        graph.commit(GraphCommit(supports=(support,), relations=(relation,)))
        owned = {
            run.id: database.items.decisions(run.id)
            for run in database.runs.newest(limit=99)
            if _is_own(run.arguments, book)
        }
        bases = database.published.versions(_sink(database, synced.plan.run))

    await forget(settings)

    with open_database(settings) as database, concept_graph(settings) as graph:
        assert {run.id: database.items.decisions(run.id) for run in database.runs.newest(limit=99)} == owned
        assert len(owned) == all_runs - 9
        assert database.published.versions(_sink(database, synced.plan.run)) == bases != {}
        assert [song.song for song in SongRepository(database.transactions).all()] == ["道"]
        assert graph.quotes_of(book) == quotes
        assert [each.uuid for each in graph.books()] == [book]
        assert {each.uuid for each in graph.concepts()} == {each.uuid for each in own} | {carried.uuid}
        assert [each.quote for each in graph.supports(carried.uuid)] == [quotes[0].uuid]
        assert database.reviews.select() == []
    assert [each.name for each in samples.samples_folder(settings).iterdir()] == ["mine.txt"]


def _is_own(arguments, book):
    named = str(arguments.get("vault") or arguments.get("parse") or "")
    return (named and "demo" not in named) or arguments.get("extract") == book or arguments.get("song") == "道"


def _sink(database, run):
    return database.runs.get(run).arguments["sink"]


async def test_quotes_that_the_user_imported_into_a_sampled_book_stay(settings, tmp_path):
    book = await own_book(settings, tmp_path / "walden.md", OWN_WALDEN)
    with concept_graph(settings) as graph:
        both = graph.quotes_of(book)
    await forget(settings)
    with concept_graph(settings) as graph:
        left = {quote.text for quote in graph.quotes_of(book)}
        assert [each.title for each in graph.books()] == ["Walden"]
    assert len(both) > 30
    assert left == {
        "As if you could kill time without injuring eternity.",
        "I learned this, at least, by my experiment.",
    }


async def test_a_book_that_was_there_before_the_samples_is_as_it_was(tmp_path, filled_once):
    settings = settings_for(tmp_path / "home")
    settings.home.mkdir()
    (settings.home / "dictionary").symlink_to((filled_once / "dictionary").resolve())
    book = await own_book(settings, tmp_path / "walden.md", OWN_WALDEN)
    with concept_graph(settings) as graph:
        before = (
            {quote.uuid for quote in graph.quotes_of(book)},
            graph.concepts(),
            graph.relations(),
            graph.supports(),
        )
    (tmp_path / "walden.md").unlink()
    await samples.add_samples(settings, samples.samples_folder(settings))
    await forget(settings)
    with concept_graph(settings) as graph:
        after = ({quote.uuid for quote in graph.quotes_of(book)}, graph.concepts(), graph.relations(), graph.supports())
    assert len(before[1]) == 2
    assert after == before


async def test_an_approved_sample_is_removed_from_the_users_vault(settings, tmp_path):
    (vault := tmp_path / "own-vault").mkdir()
    (vault / "mine.md").write_text("mine")
    concept_settings = settings.concepts.model_copy(update={"vault": vault})
    settings = settings.model_copy(update={"concepts": concept_settings})
    await concepts.review(settings, "Meditaciones", lambda _: ReviewAnswer(approved=True))
    assert len(list(vault.glob("*.md"))) > 10
    await forget(settings)
    assert [each.name for each in vault.glob("*.md")] == ["mine.md"]


async def test_interrupted_samples_can_be_resumed_or_removed(tmp_path, filled_once):
    settings = settings_for(tmp_path / "home")
    folder = samples.samples_folder(settings)
    settings.home.mkdir()
    (settings.home / "dictionary").symlink_to((filled_once / "dictionary").resolve())

    def break_off(kind, data):
        if kind == "progress" and data["item"] == "vocabulary":
            raise Interrupted("Broken off.")

    with pytest.raises(Interrupted), use_context(RunContext(on_event=break_off)):
        await samples.add_samples(settings, folder)
    with open_database(settings) as database:
        started = {run.id for run in database.runs.newest()}
        assert len(started) == 2
    assert len(await samples.add_samples(settings, folder)) == 5
    with open_database(settings) as database:
        assert {run.id for run in database.runs.newest() if run.feature in ("cards", "questions")} == started
    assert (await forget(settings))["runs"] == 9


async def test_the_tutor_learns_nothing_about_the_user_from_the_samples(settings):
    assert samples.have_samples(samples.samples_folder(settings))
    assert not (settings.home / "student").exists()


async def test_samples_are_not_removed_while_they_are_added_nor_if_there_are_none(settings):
    with samples.samples_lock(settings), pytest.raises(Conflict):
        await forget(settings)
    await forget(settings)
    with pytest.raises(NotFound):
        await forget(settings)
