"""Notes of concepts as cards: the cards feature reads one card a note, the same card when the note changes."""

import pytest
from tests.real.ankiconnect import AnkiConnectServer
from tests.run_cli import studium

from studium.cards.notes import read_note
from studium.core.documents import read_document


@pytest.fixture
def cards(workspace):
    """The cards that the cards feature finds in a note."""
    return lambda name: read_note(read_document(workspace.folder / name).document, name=name).cards


def test_notes_ask_nothing_unless_cards_are_wanted(cards):
    assert cards("Anclaje.md") == ()


def test_a_note_asks_what_the_concept_is(workspace, cards):
    published = workspace.publish(cards=True)
    assert (published.written, published.findings) == (("Anclaje.md", "Sesgo - ¿qué es.md"), ())
    [card] = cards("Anclaje.md")
    assert (card.front, card.back) == ("¿Qué es «Anclaje»?", "Una cifra dada arrastra la estimación.")
    assert (card.syntax, card.heading, card.tags) == ("callouts", "Tarjeta", ("concepto",))


def test_a_changed_concept_changes_its_card(workspace, cards, anchor):
    workspace.publish(cards=True)
    workspace.keep(anchor.model_copy(update={"concept": "Una cifra arrastra.\n\n- siempre\n- mucho"}))
    workspace.publish(cards=True)
    [card] = cards("Anclaje.md")
    assert (card.front, card.back) == ("¿Qué es «Anclaje»?", "Una cifra arrastra.\n\n- siempre\n- mucho")


def test_a_card_that_the_reader_reworded_stays(workspace, cards, anchor):
    workspace.publish(cards=True)
    workspace.edit("Anclaje.md", "¿Qué es «Anclaje»?", "¿Qué arrastra la estimación?")
    workspace.keep(anchor.model_copy(update={"analysis": "Importa."}))
    assert workspace.publish(cards=True).findings == ()
    [card] = cards("Anclaje.md")
    assert card.front == "¿Qué arrastra la estimación?"


def test_without_cards_an_untouched_card_goes(workspace, cards):
    before = workspace.read("Anclaje.md")
    workspace.publish(cards=True)
    workspace.publish()
    assert cards("Anclaje.md") == ()
    assert workspace.read("Anclaje.md") == before


def test_in_anki_a_changed_concept_is_the_same_note_with_a_link_back(workspace, anchor, tmp_path):
    workspace.publish(cards=True)
    with AnkiConnectServer(tmp_path / "anki") as anki:

        def sync():
            to = f"cards.anki_address={anki.address}"
            ended = studium("--set", to, "cards", "sync", workspace.folder, "--json")
            assert ended.code == 0, ended.out[-2000:] + ended.err
            return {note: anki.collection.get_note(note) for note in anki.collection.find_notes("Anclaje")}

        [first] = sync().values()
        assert any("obsidian://open?" in value and "Anclaje" in value for value in first.values())
        workspace.keep(anchor.model_copy(update={"concept": "Una cifra dada siempre arrastra la estimación."}))
        workspace.publish(cards=True)
        [(number, second)] = sync().items()
        assert number == first.id
        assert any("siempre arrastra" in value for value in second.values())
        assert anki.collection.note_count() == 2
