"""What a reader wrote into a note is never lost, and our text that could not be placed is reported."""

import pytest

from studium.concepts.domain import Concept, Relation, RelationType, Support
from studium.core.documents.markdown import split_frontmatter
from studium.core.domain.finding import Severity

NOTE = "Anclaje.md"


@pytest.fixture
def change(workspace, anchor):
    """Change the concept in the graph, and publish."""

    def publish(**fields):
        workspace.keep(anchor.model_copy(update=fields))
        return workspace.publish()

    return publish


def test_an_untouched_note_is_updated(workspace, change):
    published = change(concept="Una cifra arrastra.")
    assert (published.written, published.merged, published.unchanged) == ((NOTE,), (), 1)
    assert "## Concepto\n\nUna cifra arrastra.\n\n## Análisis" in workspace.read(NOTE)


def test_edits_and_changes_in_different_places_are_both_kept(workspace, change):
    workspace.edit(NOTE, "También al comprar.", "También al comprar una casa.\n\nY al vender.")
    workspace.edit(NOTE, "## Análisis", "## Mis dudas\n\n¿Siempre?\n\n## Análisis")
    workspace.edit(NOTE, "---\n\n## Concepto", "---\n\nEntrada mía.\n\n## Concepto")
    published = change(concept="Una cifra arrastra.", analysis="Importa al regatear.\n\nTambién al comprar.")
    assert (published.merged, published.findings) == ((NOTE,), ())
    text = workspace.read(NOTE)
    assert "---\n\nEntrada mía.\n\n## Concepto\n\nUna cifra arrastra.\n\n## Mis dudas\n\n¿Siempre?\n\n" in text
    assert "Importa al regatear.\n\nTambién al comprar una casa.\n\nY al vender.\n" in text


def test_where_both_changed_a_line_the_readers_stays_and_ours_is_reported_once(workspace, change):
    workspace.edit(NOTE, "Importa al negociar.", "No importa nada.")
    [finding] = change(analysis="Importa siempre.\n\nTambién al comprar.").findings
    assert (finding.code, finding.severity) == ("concept_note.kept_yours", Severity.WARNING)
    assert str(finding) == (
        "Anclaje.md: You changed “Análisis” where the concept changed too, so your text stays. Please review it. "
        "Studium would have written:\nImporta siempre."
    )
    assert "No importa nada.\n\nTambién al comprar." in workspace.read(NOTE)
    assert workspace.publish().findings == ()


def test_a_section_that_the_reader_deleted_stays_deleted(workspace, change):
    workspace.edit(NOTE, "## Análisis\n\nImporta al negociar.\n\nTambién al comprar.\n\n", "")
    assert change(concept="Una cifra arrastra.").findings == ()
    assert "Análisis" not in workspace.read(NOTE)
    [finding] = change(analysis="Importa siempre.").findings
    assert finding.message.endswith("Studium would have written:\nImporta siempre.")
    assert "Análisis" not in workspace.read(NOTE)


def test_sections_may_be_reordered_and_headings_reworded(workspace, change):
    text = workspace.read(NOTE)
    top = text[: text.index("## Concepto")]
    concept = text[text.index("## Concepto") : text.index("## Análisis")]
    analysis = text[text.index("## Análisis") : text.index("## Conexiones")]
    rest = text[text.index("## Conexiones") :]
    analysis = analysis.replace("## Análisis", "## Lo que pienso")
    (workspace.folder / NOTE).write_text(top + rest + "\n" + analysis + concept)
    assert change(concept="Una cifra arrastra.", analysis="Importa al negociar.\n\nY al comprar.").findings == ()
    text = workspace.read(NOTE)
    assert text.index("## Conexiones") < text.index("## Lo que pienso") < text.index("## Concepto")
    assert "## Lo que pienso\n\nImporta al negociar.\n\nY al comprar.\n\n## Concepto\n\nUna cifra arrastra.\n" in text


def test_links_of_the_readers_own_stay_among_ours(workspace, anchor):
    line = "- **Caso particular de**: [[Sesgo - ¿qué es|Sesgo: ¿qué es?]] — El anclaje es uno de ellos."
    workspace.edit(NOTE, line, f"- [[Mi nota]] ¡ojo!\n{line}\n- [[Otra]]")
    workspace.keep(
        Concept(uuid="c3", name="Azar", title="Azar"),
        relations=[Relation(source="c1", target="c3", type=RelationType.OPPOSES)],
    )
    assert workspace.publish().findings == ()
    assert f"- [[Mi nota]] ¡ojo!\n{line}\n- **Se opone a**: [[Azar|Azar]]\n- [[Otra]]\n" in workspace.read(NOTE)
    workspace.keep(anchor, removed=["c2"])
    workspace.publish()
    assert "## Conexiones\n\n- [[Mi nota]] ¡ojo!\n- **Se opone a**: [[Azar|Azar]]\n- [[Otra]]\n" in workspace.read(NOTE)


def test_a_link_that_the_reader_reworded_stays_when_its_reason_changes(workspace, relation):
    workspace.edit(NOTE, "El anclaje es uno de ellos.", "Lo veo así.")
    workspace.keep(relations=[relation.model_copy(update={"reasoning": "Otra razón."})])
    [finding] = workspace.publish().findings
    assert finding.message.endswith("[[Sesgo - ¿qué es|Sesgo: ¿qué es?]] — Otra razón.")
    assert "— Lo veo así.\n" in workspace.read(NOTE)
    assert "— Otra razón.\n" in workspace.read("Sesgo - ¿qué es.md")


def test_a_new_quote_comes_behind_the_others_and_a_comment_on_a_quote_stays(workspace):
    workspace.edit(NOTE, "> **Nota**: ¡Sí!", "> **Nota**: ¡Sí!\n\nEsto lo dudo.")
    workspace.keep(supports=[Support(quote="q3", concept="c1")])
    assert workspace.publish().findings == ()
    assert workspace.read(NOTE).endswith(
        "> **Nota**: ¡Sí!\n\n> El hábito ancla.\n>\n> — *Pensar rápido*, Daniel Kahneman, loc. 345\n\nEsto lo dudo.\n"
    )


def test_frontmatter_is_merged_key_by_key_as_it_is_written(workspace, change):
    workspace.edit(NOTE, "tags:\n- concepto\n", "tags: [concepto, mía]  # dos\nrating: 5\ncssclasses:\n  - ancha\n")
    workspace.edit(NOTE, "summary_short: Las cifras arrastran.\n", "")
    published = change(title="Efecto ancla", summary_short="Arrastran.")
    [finding] = published.findings
    assert "You changed the frontmatter" in finding.message
    assert finding.message.endswith("summary_short: Arrastran.")
    text = workspace.read(NOTE)
    assert "tags: [concepto, mía]  # dos\nrating: 5\ncssclasses:\n  - ancha\n" in text
    assert split_frontmatter(text).values == {
        "uuid": "c1",
        "title": "Efecto ancla",
        "aliases": ["Efecto ancla"],
        "type": "concept",
        "books": ["Pensar rápido"],
        "authors": ["Daniel Kahneman"],
        "tags": ["concepto", "mía"],
        "rating": 5,
        "cssclasses": ["ancha"],
        "created_by": "studium",
    }


def test_tags_of_both_sides_are_joined_and_comments_stay(workspace):
    workspace.edit(NOTE, "tags:\n- concepto\n", "tags: [concepto, mía]  # dos\n")
    workspace.publish(language="en")
    assert "tags:\n- mía\n- concept\n# dos\n" in workspace.read(NOTE)


def test_frontmatter_that_is_no_yaml_is_left_alone_and_the_rest_merged(workspace, change):
    workspace.edit(NOTE, "type: concept\n", "type: [concept\n")
    published = change(concept="Una cifra arrastra.", title="Efecto ancla")
    assert [finding.code for finding in published.findings] == ["concept_note.kept_yours"]
    assert "title: Anclaje\ntype: [concept\n" in workspace.read(NOTE)
    assert "Una cifra arrastra." in workspace.read(NOTE)


def test_a_note_without_its_uuid_gets_it_back(workspace, change):
    workspace.edit(NOTE, "uuid: c1\n", "")
    change(concept="Una cifra arrastra.")
    assert workspace.names() == [NOTE, "Sesgo - ¿qué es.md"]
    assert split_frontmatter(workspace.read(NOTE)).values["uuid"] == "c1"
    assert "Una cifra arrastra." in workspace.read(NOTE)


def test_newlines_and_byte_order_mark_stay_as_the_editor_wrote_them(workspace, change):
    text = "\ufeff" + workspace.read(NOTE).replace("comprar.", "comprar y vender.").replace("\n", "\r\n")
    (workspace.folder / NOTE).write_bytes(text.encode())
    assert change(concept="Una cifra arrastra.").findings == ()
    expected = text.replace("Una cifra dada arrastra la estimación.", "Una cifra arrastra.")
    assert workspace.read(NOTE) == expected


def test_a_note_in_another_encoding_is_left_alone_and_reported(workspace, change):
    latin = workspace.read(NOTE).replace("«", "").encode("latin-1", errors="replace")
    (workspace.folder / NOTE).write_bytes(latin)
    published = change(concept="Una cifra arrastra.")
    assert [finding.code for finding in published.findings] == ["concept_note.encoding"]
    assert (workspace.folder / NOTE).read_bytes() == latin


def test_a_note_that_the_reader_deleted_stays_deleted_and_is_no_longer_linked(workspace, change):
    (workspace.folder / NOTE).unlink()
    [finding] = change(concept="Una cifra arrastra.").findings
    assert (finding.code, finding.where.path) == ("concept_note.deleted", NOTE)
    assert workspace.names() == ["Sesgo - ¿qué es.md"]
    assert "- **Generaliza**: Anclaje — El anclaje es uno de ellos.\n" in workspace.read("Sesgo - ¿qué es.md")
    assert workspace.publish().findings == ()
    assert workspace.names() == ["Sesgo - ¿qué es.md"]


def test_a_deleted_note_that_comes_back_is_kept_up_to_date_again(workspace, change):
    text = workspace.read(NOTE)
    (workspace.folder / NOTE).unlink()
    workspace.publish()
    (workspace.folder / "De vuelta.md").write_text(text)
    change(concept="Una cifra arrastra.")
    assert "Una cifra arrastra." in workspace.read("De vuelta.md")
    assert "[[De vuelta|Anclaje]]" in workspace.read("Sesgo - ¿qué es.md")


def test_without_the_database_all_that_is_there_is_the_readers(workspace, anchor, new_database):
    workspace.edit(NOTE, "El anclaje es uno de ellos.", "Lo veo así.")
    workspace.edit(NOTE, "Importa al negociar.", "No importa.")
    workspace.keep(
        anchor.model_copy(update={"concept": "Una cifra arrastra.", "analysis": "Otra."}),
        Concept(uuid="c3", name="Azar", title="Azar"),
        relations=[Relation(source="c1", target="c3", type=RelationType.OPPOSES)],
        supports=[Support(quote="q3", concept="c1")],
    )
    before = workspace.read(NOTE)
    lost = new_database("lost")
    assert workspace.publish(database=lost).findings == ()
    after = workspace.read(NOTE)
    assert [line for line in after.split("\n") if line not in before] == [
        "- **Se opone a**: [[Azar|Azar]]",
        "> El hábito ancla.",
        "> — *Pensar rápido*, Daniel Kahneman, loc. 345",
    ]
    assert set(before.split("\n")) <= set(after.split("\n"))
    assert workspace.publish(database=lost).unchanged == 3


def test_the_note_of_a_concept_that_is_gone_goes_too_unless_it_was_edited(workspace):
    workspace.edit("Sesgo - ¿qué es.md", "Un error", "Un gran error")
    workspace.keep(removed=["c1", "c2"])
    assert workspace.publish("c1").findings == ()
    assert workspace.names() == [NOTE, "Sesgo - ¿qué es.md"]
    [finding] = workspace.publish().findings
    assert (finding.code, finding.where.path) == ("concept_note.orphan", "Sesgo - ¿qué es.md")
    assert workspace.names() == ["Sesgo - ¿qué es.md"]
    assert workspace.publish().findings == ()


def test_the_database_keeps_what_was_published_by_folder(workspace):
    kept = workspace.publisher.database.published.versions(f"concepts:{workspace.folder}")
    assert {key: base.about for key, base in kept.items()} == {
        "c1": {"path": NOTE},
        "c2": {"path": "Sesgo - ¿qué es.md"},
    }
