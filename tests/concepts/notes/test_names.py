"""File names: any title gets one, no two get the same, and a note keeps the one it has."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studium.concepts.domain import Concept, Relation, RelationType, Support
from studium.concepts.notes.vault import MAX_NAME_LENGTH, file_name, fold_name, unique_name

UNWELCOME = re.compile(r'[\x00-\x1f\x7f\\/:*?"<>|#^\[\]]')


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("a/b: c?", "a-b - c"),
        ("What you see is all there is", "What you see is all there is"),
        ("¿Qué es la vida?", "¿Qué es la vida"),
        ("CON", "(CON)"),
        ("lpt1.md", "(lpt1.md)"),
        ("Concepto", "Concepto"),
        ("con artista", "con artista"),
        ("tres puntos...", "tres puntos"),
        (".oculto", "oculto"),
        ("uno\tdos\x00\ntres", "uno dos tres"),
        ("C# y [[enlaces]] | ^otros", "C y ((enlaces)) - otros"),
        ('"Cita" <b>', "'Cita' b"),
        ("12:30", "12 30"),
        ("🎯", "🎯"),
        ("👩‍🚀🏳️‍🌈", "👩‍🚀🏳️‍🌈"),
        ("???", "Nota"),
        ("", "Nota"),
        ("..", "Nota"),
        ("Cafe\u0301", "Café"),
        ("\u202eevil", "evil"),
    ],
)
def test_a_title_becomes_a_file_name(title, name):
    assert file_name(title, "Nota") == name


def test_a_long_title_is_cut_at_a_word():
    name = file_name("palabra " * 60, "Nota")
    assert name == "palabra " * 11 + "palabra…"
    assert len(file_name("漢" * 300, "Nota").encode()) <= 203


@given(st.text(max_size=300))
def test_every_title_becomes_a_name_that_any_file_system_and_link_takes(title):
    name = file_name(title, "Nota")
    assert name
    assert not UNWELCOME.search(name)
    assert name == name.strip(" .")
    assert len(name) <= MAX_NAME_LENGTH + 2
    assert len(f".{name} (99).md.00000000.part".encode()) <= 255
    assert file_name(name, "Nota") in (name, f"({name})")


def test_a_taken_name_is_distinguished_by_the_book_and_then_by_a_number():
    taken = {fold_name("Idea")}
    assert unique_name("IDEA", ["Emilio"], taken) == "IDEA (Emilio)"
    taken.add(fold_name("Idea (Emilio)"))
    assert unique_name("idea", ["Emilio"], taken) == "idea (2)"


TITLES = ["Idea", "idea", "IDEA", "Café", "Cafe\u0301", "Idea", "a/b", "a-b", "???", "***"]


def test_titles_that_differ_in_nothing_a_disk_sees_get_notes_of_their_own(empty_workspace):
    concepts = [Concept(uuid=f"c{n}", name=title, title=title) for n, title in enumerate(TITLES)]
    others = [Relation(source="c0", target=each.uuid, type=RelationType.SIMILAR_TO) for each in concepts[1:]]
    empty_workspace.keep(*concepts, relations=others, supports=[Support(quote="q1", concept="c5")])
    empty_workspace.publish()
    names = empty_workspace.names()
    assert len({fold_name(name) for name in names}) == len(TITLES)
    assert {"IDEA.md", "Café.md", "a-b.md", "Concepto.md"} <= set(names)
    assert any(name.endswith("(Pensar rápido).md") for name in names)
    [hub] = [name for name in names if "uuid: c0\n" in empty_workspace.read(name)]
    linked = {empty_workspace.resolve(each, hub) for each in re.findall(r"\[\[([^|]+)\|", empty_workspace.read(hub))}
    assert linked == set(names) - {hub}


def test_a_note_keeps_its_name_when_others_come_and_when_its_title_changes(workspace, anchor):
    workspace.keep(Concept(uuid="a0", name="Anclaje", title="Anclaje"))
    workspace.publish()
    assert workspace.names() == ["Anclaje (2).md", "Anclaje.md", "Sesgo - ¿qué es.md"]
    workspace.keep(anchor.model_copy(update={"title": "Efecto ancla"}))
    workspace.publish()
    assert workspace.names() == ["Anclaje (2).md", "Anclaje.md", "Sesgo - ¿qué es.md"]
    assert "aliases:\n- Efecto ancla\n" in workspace.read("Anclaje.md")
    assert "[[Anclaje|Efecto ancla]]" in workspace.read("Sesgo - ¿qué es.md")


def test_a_note_of_the_readers_own_is_never_taken(empty_workspace, anchor):
    (empty_workspace.folder / "Mías").mkdir()
    (empty_workspace.folder / "Mías" / "anclaje.md").write_text("Mi nota.\n")
    empty_workspace.keep(anchor)
    empty_workspace.publish()
    assert empty_workspace.names() == ["Anclaje (2).md", "Mías/anclaje.md"]
    assert empty_workspace.read("Mías/anclaje.md") == "Mi nota.\n"


def test_a_note_that_was_moved_and_renamed_stays_there_and_links_follow(workspace, anchor):
    (workspace.folder / "Sesgos").mkdir()
    (workspace.folder / "Anclaje.md").rename(workspace.folder / "Sesgos" / "Efecto ancla.md")
    assert workspace.publish().findings == ()
    assert workspace.names() == ["Sesgo - ¿qué es.md", "Sesgos/Efecto ancla.md"]
    assert "- **Generaliza**: [[Efecto ancla|Anclaje]] — El" in workspace.read("Sesgo - ¿qué es.md")
    workspace.keep(anchor.model_copy(update={"concept": "Otra cosa."}))
    workspace.publish()
    assert workspace.names() == ["Sesgo - ¿qué es.md", "Sesgos/Efecto ancla.md"]
    assert "Otra cosa." in workspace.read("Sesgos/Efecto ancla.md")


def test_notes_that_their_reader_gave_one_name_are_linked_by_their_path(workspace):
    (workspace.folder / "A").mkdir()
    (workspace.folder / "A" / "Sesgo - ¿qué es.md").write_text("Mía.\n")
    (workspace.folder / "B").mkdir()
    (workspace.folder / "Sesgo - ¿qué es.md").rename(workspace.folder / "B" / "Sesgo - ¿qué es.md")
    workspace.publish()
    assert "[[B/Sesgo - ¿qué es|Sesgo: ¿qué es?]]" in workspace.read("Anclaje.md")


def test_of_two_copies_of_a_note_the_one_where_it_was_written_is_kept_up_to_date(workspace, anchor):
    (workspace.folder / "A copia.md").write_text(workspace.read("Anclaje.md"))
    workspace.keep(anchor.model_copy(update={"concept": "Otra cosa."}))
    published = workspace.publish()
    assert [finding.code for finding in published.findings] == ["concept_note.copy"]
    assert "Otra cosa." in workspace.read("Anclaje.md")
    assert "Otra cosa." not in workspace.read("A copia.md")
