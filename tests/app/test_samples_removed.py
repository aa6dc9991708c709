"""Removing samples in unusual states: open reviews, edited files, a failed feature, broken homes."""

import pytest
from tests.app.conftest import OWN_WALDEN, forget, own_book

from studium.app import samples
from studium.concepts import use_cases as concepts
from studium.concepts.proposal import ReviewAnswer
from studium.concepts.setup import concept_graph
from studium.core.app import open_database
from studium.core.config import Settings
from studium.core.domain.errors import Interrupted
from studium.core.domain.run import RunContext, use_context

pytestmark = pytest.mark.xdist_group("samples")

OWN_LIVES = """# Habits

Author: Ann Example

- The mass of men lead lives of quiet desperation.
- Simplify, simplify your life.
- Repetition makes a habit out of an act.
- Solitude is a good companion.
"""


async def test_a_book_in_review_is_complete_after_the_samples_are_removed(settings, tmp_path):
    (file := tmp_path / "habits.md").write_text(OWN_LIVES, "utf-8")
    [parsed] = (await concepts.parse(settings, file, title="", author="")).books
    waiting = (await concepts.extract(settings, parsed.book, again=False)).waiting
    assert [each for each in waiting.proposal.concepts if each.same_as]
    await forget(settings)
    outcome = await concepts.review(settings, parsed.book, lambda _: ReviewAnswer(approved=True))
    assert dict(outcome.kept) == {"create": 4}
    assert {each.code for each in outcome.findings} == {"concepts.kept_anew", "concepts.relation_lost"}
    with concept_graph(settings) as graph:
        assert len(graph.concepts()) == 4
        assert len({support.concept for support in graph.supports()}) == 4


async def test_a_concept_whose_quotes_are_gone_is_not_kept(settings, tmp_path):
    (file := tmp_path / "habits.md").write_text(OWN_LIVES, "utf-8")
    [parsed] = (await concepts.parse(settings, file, title="", author="")).books
    await concepts.extract(settings, parsed.book, again=False)
    with concept_graph(settings) as graph:
        gone = graph.quotes_of(parsed.book)[2]
        graph.remove_quotes([gone.uuid])
    outcome = await concepts.review(settings, parsed.book, lambda _: ReviewAnswer(approved=True))
    [skipped] = [each for each in outcome.decisions if each.action == "skip"]
    assert "Repetition" in skipped.item
    assert skipped.reasons == (skipped.findings[0].message,)
    assert outcome.kept.total() == 3


async def test_the_review_of_a_sample_is_removed_even_if_the_book_is_shared(settings, tmp_path):
    own = "---\ntitle: Meditaciones\nauthor: Marco Aurelio\n---\n# Quotes\n\nMi propia cita que no es de muestra.\n"
    (file := tmp_path / "own.md").write_text(own, "utf-8")
    [parsed] = (await concepts.parse(settings, file, title="", author="")).books
    await forget(settings)
    with open_database(settings) as database, concept_graph(settings) as graph:
        assert [run.note for run in database.runs.newest()] == ["Read: Meditaciones"]
        assert database.reviews.select() == []
        assert [quote.text for quote in graph.quotes_of(parsed.book)] == ["Mi propia cita que no es de muestra."]
    outcome = await concepts.extract(settings, parsed.book, again=False)
    assert len(outcome.waiting.proposal.concepts) == 1


@pytest.mark.parametrize("left", ["A new one only.", None], ids=["changed", "emptied"])
async def test_quotes_stay_if_the_file_they_came_from_has_changed(settings, tmp_path, left):
    file = tmp_path / "walden.md"
    book = await own_book(settings, file, OWN_WALDEN)
    file.write_text(OWN_WALDEN.partition("As if")[0] + left if left else "", "utf-8")
    await forget(settings)
    with concept_graph(settings) as graph:
        assert "As if you could kill time without injuring eternity." in {each.text for each in graph.quotes_of(book)}


async def test_edited_files_stay(settings):
    folder = samples.samples_folder(settings)
    note = min((folder / "concepts-vault").glob("*.md"))
    card = folder / "samples" / "vault" / "networking" / "q-default-route.md"
    page = folder / "tutor.md"
    for file in (note, card, page):
        file.write_text(file.read_text("utf-8") + "\nMy own thought.\n", "utf-8")
    await samples.add_samples(settings, folder)
    await forget(settings)
    left = {file for file in folder.rglob("*") if file.is_file()}
    assert left == {note, card, page}
    assert all(file.read_text("utf-8").endswith("My own thought.\n") for file in left)


async def test_notes_are_removed_from_every_vault(settings, tmp_path):
    (vault := tmp_path / "somewhere").mkdir()
    (vault / "mine.md").write_text("mine")
    assert len((await concepts.publish_notes(settings, vault)).written) > 20
    await forget(settings)
    assert [each.name for each in vault.glob("*.md")] == ["mine.md"]


async def test_a_failing_feature_does_not_stop_the_others_and_is_tried_again(settings):
    folder = samples.samples_folder(settings)
    _unmake(folder, "cards", "tutor")
    (folder / "cards.apkg").unlink()
    (folder / "cards.apkg").mkdir()
    made = {each.feature: each for each in await samples.add_samples(settings, folder)}
    assert made["cards"].made == "nothing"
    assert made["cards"].where
    assert made["tutor"].made == "4 diagnoses"
    (folder / "cards.apkg").rmdir()
    assert next(each.made for each in await samples.add_samples(settings, folder)) == "3 cards"


def _unmake(folder, *features):
    mark = samples.read_manifest(folder)
    made = tuple(each for each in mark.made if each.feature not in features)
    (folder / samples.MANIFEST).write_text(mark.model_copy(update={"made": made}).model_dump_json())


async def test_samples_never_reach_a_model_or_the_network(tmp_path, filled_once):
    nobody = {"base_url": "http://127.0.0.1:9/v1", "api_key": "paid", "retries": 0}
    settings = Settings.model_validate(
        {
            "home": tmp_path / "home",
            "roles": {"default": "openai:paid"},
            "models": {"openai:paid": nobody},
            "embedder": "openai:paid-vectors",
            "embedder_base_url": nobody["base_url"],
            "vocabulary": {"language": "de", "online": True},
            "concepts": {"online": True, "encyclopedia": "http://127.0.0.1:9/{language}"},
        }
    )
    settings.home.mkdir()
    (settings.home / "dictionary").symlink_to((filled_once / "dictionary").resolve())
    made = await samples.add_samples(settings, samples.samples_folder(settings))
    usual = samples.read_manifest(filled_once / "demo").made
    assert [(each.feature, each.made) for each in made] == [(each.feature, each.made) for each in usual]


async def test_a_home_whose_databases_were_deleted_is_filled_again(settings):
    for file in settings.home.glob("*.sqlite*"):
        file.unlink()
    await samples.add_samples(settings, samples.samples_folder(settings))
    with concept_graph(settings) as graph:
        assert graph.counts()["Concept"] > 20
    assert (await forget(settings))["runs"] == 9


async def test_samples_can_be_added_after_an_interrupted_removal(settings):
    def break_off(_kind, data):
        if data["done"] == 1:
            raise Interrupted("Broken off.")

    folder = samples.samples_folder(settings)
    with pytest.raises(Interrupted), use_context(RunContext(on_event=break_off)):
        await samples.remove_samples(settings, folder)
    assert all(each.made != "nothing" for each in await samples.add_samples(settings, folder))
    with concept_graph(settings) as graph:
        assert graph.counts()["Concept"] > 20
    await forget(settings)
    assert not folder.exists()
