"""The note types, as Anki itself puts their cards together."""

import pytest
from anki.collection import Collection

from studium.anki.note_types import NOTE_TYPES
from studium.anki.store import ID_FIELD

FIELDS = {"Front": "Q?", "Back": "A.", "Text": "{{c1::A}} is {{c2::B}}", "Extra": "More.", "Hint": "H", "Source": "S"}


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    opened = Collection(str(tmp_path_factory.mktemp("types") / "collection.anki2"))
    for each in NOTE_TYPES:
        model = opened.models.new(each.name)
        model["type"], model["css"] = int(each.is_cloze), each.css
        for name in each.fields:
            opened.models.add_field(model, opened.models.new_field(name))
        for name, front, back in each.templates:
            template = opened.models.new_template(name) | {"qfmt": front, "afmt": back}
            opened.models.add_template(model, template)
        opened.models.add(model)
    yield opened
    opened.close()


def cards_of(collection, name, fields):
    note = collection.new_note(collection.models.by_name(name))
    for field in note.keys():  # noqa: SIM118  (a note is no mapping)
        note[field] = fields.get(field, "id-0815" if field == ID_FIELD else "")
    collection.add_note(note, 1)
    return note.cards()


@pytest.mark.parametrize(
    ("name", "count"), [("Studium Basic", 1), ("Studium Basic (reversed)", 2), ("Studium Cloze", 2)]
)
def test_anki_makes_the_cards_and_never_shows_our_id(collection, name, count):
    cards = cards_of(collection, name, FIELDS)
    assert len(cards) == count
    for card in cards:
        assert "Hint</summary>" in card.question()
        assert "More." not in card.question()
        assert '<details class="extra">' in card.answer()
        assert "<footer>S</footer>" in card.answer()
        assert "id-0815" not in card.question() + card.answer()


def test_the_reversed_card_asks_for_the_front(collection):
    forward, backward = cards_of(collection, "Studium Basic (reversed)", FIELDS)
    assert "Q?" in forward.question()
    assert "A." not in forward.question()
    assert "A." in backward.question()
    assert "Q?" not in backward.question()


def test_empty_fields_leave_no_trace(collection):
    (card,) = cards_of(collection, "Studium Basic", {"Front": "Q?", "Back": "A."})
    assert "<details" not in card.answer()
    assert "<footer" not in card.answer()


def test_a_sound_on_the_front_is_not_played_again_with_the_answer(collection):
    (card,) = cards_of(collection, "Studium Basic", {"Front": "Q [sound:a.mp3]", "Back": "A."})
    assert len(card.question_av_tags()) == 1
    assert not card.answer_av_tags()


def test_every_class_that_rendering_writes_has_a_style():
    for name in ("kw", "st", "cm", "nu", "fn", "callout", "callout-title", "callout-danger", "missing", "footnotes"):
        assert all(f".{name}" in each.css for each in NOTE_TYPES), name
