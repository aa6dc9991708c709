"""Exported pairs as Anki imports them."""

import re
import time
from html import unescape
from pathlib import Path

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

from studium.questions.export import write_dataset


@pytest.fixture
def collection(tmp_path: Path):
    opened = Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


@pytest.fixture
def imported(collection, tmp_path):
    """Export these pairs, import them into Anki, and say which notes there are."""

    def imported(pairs):
        write_dataset(pairs, tmp_path / "set.apkg", "anki")
        request = ImportAnkiPackageRequest(package_path=str(tmp_path / "set.apkg"), options=ImportAnkiPackageOptions())
        collection.import_anki_package(request)
        return [collection.get_note(each) for each in collection.find_notes("")]

    return imported


def test_a_pair_becomes_a_card_with_its_evidence(imported, collection, pairs):
    notes = {note["Front"]: note for note in imported(pairs)}
    tower = notes["¿Cuánto mide la torre?"]
    assert tower["Back"] == "41 m"
    assert tower["Extra"] == "<blockquote>La torre mide<br>41 m.</blockquote><p>docs/faro.pdf:7 (page 3)</p>"
    assert notes["What does 灯台 mean?"]["Back"] == "A &quot;lighthouse&quot;, &lt;b&gt;tower&lt;/b&gt;"
    assert len(collection.find_cards("deck:Questions::lamps")) == 2
    assert len(collection.find_cards("deck:Questions::faro")) == 1


def test_a_second_import_updates_and_adds_nothing(imported, pairs):
    before = {note.id for note in imported(pairs)}
    better = pairs[0].model_copy(update={"answer": "seven hours"})
    # Anki takes what is newer by at least a second.
    time.sleep(1.1)
    after = imported([better, *pairs[1:]])
    assert {note.id for note in after} == before
    assert "seven hours" in [note["Back"] for note in after]


def test_the_same_question_of_two_documents_makes_two_notes(imported, pair):
    asked = [pair("Who built it?", name, name, document=f"docs/{name}.md") for name in ("Ada", "Bo")]
    assert sorted(note["Back"] for note in imported(asked)) == ["Ada", "Bo"]


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", "[sound:x.mp3]", "[latex]x[/latex]", r"\(x\)", r"\[x\]", "{{c1::x}}"]
)
def test_text_stays_text(hostile, imported, pair):
    note = imported([pair(hostile, hostile, hostile, document="a::b.md")])[0]
    for field in ("Front", "Back", "Extra"):
        assert not any(mark in note[field] for mark in ("<script", "[sound", "[latex", r"\(", r"\["))
        assert r"\&#91;" not in note[field], "a bracket behind a backslash begins a formula"
        assert hostile in unescape(re.sub(r"<[^<>]*>", "", note[field])), "what is shown is what was written"


def test_each_kind_has_its_own_card(imported, kinds):
    cloze, choice, true = (
        next(note for note in imported(kinds) if note.note_type()["name"] == name and fits(note))
        for name, fits in (
            ("Studium Cloze", lambda _: True),
            ("Studium Basic", lambda note: "A)" in note["Front"]),
            ("Studium Basic", lambda note: "True or false" in note["Front"]),
        )
    )
    assert cloze["Text"] == "Tarn Light was built by {{c1::Odile Marrack}} in 1823."
    assert len(cloze.cards()) == 1
    assert choice["Front"] == (
        "Who built Tarn Light?<br>A) Ida Brandt<br>B) Odile Marrack<br>C) Olaf Lund<br>D) Erik Dahl"
    )
    assert choice["Back"] == "B) Odile Marrack"
    assert true["Back"] == "False"


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", "[sound:x.mp3]", r"\(x\)", "{{c2::x}}", "a::b}}c"])
def test_text_stays_text_in_a_cloze(hostile, imported, pair):
    blanked = pair(f"{hostile} was _____ there.", hostile, hostile).model_copy(update={"kind": "cloze"})
    note = imported([blanked])[0]
    assert note["Text"].count("{{c1::") == 1
    assert len(note.cards()) == 1
    assert not any(mark in note["Text"] for mark in ("<script", "[sound", r"\(", "{{c2"))
