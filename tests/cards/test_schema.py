"""A card against the note type that Anki has."""

import pytest
from tests.cards.pipeline import Pipeline

from studium.cards import validate_anki_schema
from studium.cards.models import ProposedCard
from studium.cards.state import CardPolicy


def basic(**fields: str) -> ProposedCard:
    return ProposedCard(deck_name="x", fields={"Front": "Why?", "Back": "So."} | fields)


def cloze(text: str) -> ProposedCard:
    return ProposedCard(deck_name="x", card_type="Cloze", model_name="Studium Cloze", fields={"Text": text})


def errors(card: ProposedCard, **more) -> tuple[str, ...]:
    return validate_anki_schema(card, CardPolicy(), **more).errors


def test_a_card_that_fits_its_note_type_is_valid():
    result = validate_anki_schema(basic(Extra="More.", Hint="Think."), CardPolicy())
    assert (result.valid, result.errors, result.warnings) == (True, (), ())


@pytest.mark.parametrize(
    ("card", "error"),
    [
        (basic(Front=" "), "Field `Front` is required and empty."),
        (basic(Back=""), "Field `Back` is required and empty."),
        (basic(Colour="red"), "`Studium Basic` has no field `Colour`."),
        (basic(Front="x" * 201), "Field `Front` has 201 characters; at most 200 are allowed."),
        (basic(Back="x" * 1201), "Field `Back` has 1201 characters; at most 1200 are allowed."),
        (cloze("x" * 1401 + "{{c1::y}}"), "Field `Text` has 1410 characters; at most 1400 are allowed."),
        (cloze(""), "Field `Text` is required and empty."),
    ],
)
def test_what_does_not_fit_is_reported(card, error):
    assert error in errors(card)


def test_an_unknown_note_type_is_refused_with_the_known_ones():
    card = basic().model_copy(update={"model_name": "Fancy"})
    assert errors(card, note_types={"Basic": ("Front", "Back")}) == ("There is no note type `Fancy`; use `Basic`.",)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("OSPF floods LSAs.", "A cloze card hides nothing: mark what to learn as `{{c1::…}}`."),
        ("OSPF floods {{c1::LSAs.", "A cloze is never closed: “{{c1::LSAs.”; close it with `}}`."),
        ("OSPF floods {{c1::}}.", "Cloze c1 is empty."),
        ("OSPF floods {{c0::LSAs}}.", "Cloze numbers begin at 1; without one, Anki hides nothing."),
        ("{{c1::OSPF floods {{c1::LSAs}}}}.", "Cloze c1 is inside itself."),
    ],
)
def test_a_cloze_that_anki_would_not_read_is_refused(text, error):
    assert errors(cloze(text)) == (error,)


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("{{c1::OSPF}} floods {{c2::LSAs::what?}}.", ()),
        ("{{c1::OSPF}} floods {{c3::LSAs}}.", ("The cloze numbers have a gap: c2 is missing.",)),
        (
            "{{c1::OSPF floods {{c2::LSAs}}}}.",
            ("Cloze c2 is inside another; Anki before 2.1.56 does not show it.",),
        ),
    ],
)
def test_a_cloze_that_anki_reads_is_valid_and_remarked_upon_where_it_is_odd(text, warnings):
    result = validate_anki_schema(cloze(text), CardPolicy())
    assert (result.valid, result.warnings) == (True, warnings)


def test_cloze_marks_on_a_basic_card_are_remarked_upon():
    result = validate_anki_schema(basic(Back="{{c1::So}}."), CardPolicy())
    assert result.warnings == ("`Studium Basic` shows cloze marks as plain text.",)


def test_a_note_type_with_one_field_needs_that_one():
    card = ProposedCard(deck_name="x", model_name="Tiny", card_type="Custom", fields={"Only": "x"})
    assert errors(card, note_types={"Tiny": ("Only",)}) == ()


async def test_an_unclosed_cloze_reaches_nobody(tmp_path):
    cards = await Pipeline(tmp_path).cards("---\ntags: [cloze]\n---\nOSPF floods {{c1::LSAs to all.\n")
    assert cards == []
