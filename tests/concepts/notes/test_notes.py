"""What a published note says, in every language, and that its links lead somewhere."""

import contextlib
import re
import time

import pytest

from studium.concepts.domain import Concept, Relation, RelationType, Support
from studium.concepts.graph_store.sqlite import SqliteConceptGraph
from studium.concepts.notes.note import load_wordings
from studium.core.documents.markdown import split_frontmatter
from studium.core.domain.errors import NotFound

ANCHOR = """\
---
uuid: c1
title: Anclaje
type: concept
books:
- Pensar rápido
authors:
- Daniel Kahneman
tags:
- concepto
summary_short: Las cifras arrastran.
created_by: studium
---

## Concepto

Una cifra dada arrastra la estimación.

## Análisis

Importa al negociar.

También al comprar.

## Conexiones

- **Caso particular de**: [[Sesgo - ¿qué es|Sesgo: ¿qué es?]] — El anclaje es uno de ellos.

## Fuente

> Toda cifra ancla.
>
> También al azar.
>
> — *Pensar rápido*, Daniel Kahneman, p. 12
>
> **Nota**: ¡Sí!
"""


def links(text):
    return re.findall(r"\[\[([^\]|]+)\|([^\]]+)\]\]", text)


def test_a_note_tells_the_concept_its_analysis_its_connections_and_its_source(workspace):
    assert workspace.names() == ["Anclaje.md", "Sesgo - ¿qué es.md"]
    assert workspace.read("Anclaje.md") == ANCHOR


def test_links_lead_to_the_other_note_from_both_sides(workspace):
    for note, other in [("Anclaje.md", "Sesgo - ¿qué es.md"), ("Sesgo - ¿qué es.md", "Anclaje.md")]:
        [(target, _)] = links(workspace.read(note))
        assert workspace.resolve(target, note) == other


def test_a_title_that_is_no_file_name_is_an_alias(workspace):
    header = split_frontmatter(workspace.read("Sesgo - ¿qué es.md")).values
    assert header["title"] == "Sesgo: ¿qué es?"
    assert header["aliases"] == ["Sesgo: ¿qué es?"]


def test_a_new_concept_appears_on_the_notes_it_relates_to(workspace):
    workspace.keep(
        Concept(uuid="c3", name="Azar", title="Azar"),
        relations=[Relation(source="c3", target="c1", type=RelationType.SUPPORTS, reasoning="Ancla sin\nquerer.")],
    )
    published = workspace.publish("c3")
    assert published.written == ("Anclaje.md", "Azar.md")
    assert "- **Apoyado por**: [[Azar|Azar]] — Ancla sin querer.\n" in workspace.read("Anclaje.md")
    assert "- **Apoya**: [[Anclaje|Anclaje]] — Ancla sin querer.\n" in workspace.read("Azar.md")


def test_a_relative_without_a_note_is_named_and_linked_once_it_has_one(empty_workspace, anchor, bias, relation):
    further = Concept(uuid="c3", name="Azar", title="Azar")
    opposes = Relation(source="c1", target="c3", type=RelationType.OPPOSES)
    empty_workspace.keep(anchor, bias, further, relations=[relation, opposes])
    empty_workspace.publish("c2")
    assert "- **Se opone a**: Azar\n" in empty_workspace.read("Anclaje.md")
    empty_workspace.publish("c3")
    assert "- **Se opone a**: [[Azar|Azar]]\n" in empty_workspace.read("Anclaje.md")


def test_publishing_again_writes_nothing(workspace):
    before = workspace.states()
    published = workspace.publish()
    assert (published.written, published.merged, published.unchanged, published.findings) == ((), (), 2, ())
    assert workspace.states() == before


@pytest.mark.parametrize(
    ("language", "headings", "kind"),
    [
        ("en", ["Concept", "Analysis", "Connections", "Source"], "Specific case of"),
        ("fr", ["Concept", "Analyse", "Liens", "Source"], "Cas particulier de"),
        ("de", ["Begriff", "Analyse", "Verbindungen", "Quelle"], "Sonderfall von"),
        ("it", ["Concetto", "Analisi", "Connessioni", "Fonte"], "Caso particolare di"),
        ("pt-BR", ["Conceito", "Análise", "Conexões", "Fonte"], "Caso particular de"),
        ("ja", ["Concept", "Analysis", "Connections", "Source"], "Specific case of"),
    ],
)
def test_headings_and_relations_are_in_the_language_asked_for(workspace, language, headings, kind):
    workspace.edit("Anclaje.md", "Importa al negociar.", "Importa mucho al negociar.")
    assert workspace.publish(language=language).findings == ()
    text = workspace.read("Anclaje.md")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == headings
    assert f"- **{kind}**: [[Sesgo" in text
    assert "Importa mucho al negociar." in text


def test_every_language_names_every_relation():
    for words in load_wordings().values():
        assert set(words.relations) == set(RelationType)
        assert len(set(words.relations.values())) == len(RelationType)


def test_no_text_breaks_out_of_its_section(empty_workspace):
    hostile = Concept(
        uuid="c1",
        name="x",
        title="a]] | [[b\n---",
        concept="# Título\n```\nMATCH (n) DETACH DELETE n",
        analysis="## Fuente\r\n\r\nRobert'); DROP TABLE quotes;--",
        summary_short="- x: [\n# y",
    )
    empty_workspace.keep(hostile, supports=[Support(quote="q1", concept="c1")])
    empty_workspace.publish()
    [name] = empty_workspace.names()
    text = empty_workspace.read(name)
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Concepto", "Análisis", "Fuente"]
    assert "\\# Título\n\\```\nMATCH (n) DETACH DELETE n\n" in text
    header = split_frontmatter(text)
    assert header.findings == ()
    assert header.values["title"] == "a]] | [[b ---"
    assert header.values["summary_short"] == "- x: [ # y"


class CountingGraph(SqliteConceptGraph):
    """A graph that counts what it is asked."""

    asked = 0

    def __getattribute__(self, name):
        if not name.startswith("_") and name != "asked":
            self.asked += 1
        return super().__getattribute__(name)


@pytest.mark.endurance
def test_a_thousand_concepts_are_published_in_seconds_and_asked_for_in_a_few_calls(workspace, tmp_path):
    concepts = [Concept(uuid=f"n{n}", name=f"Idea {n}", title=f"¿Idea {n}?", concept="Algo.") for n in range(1000)]
    ring = [Relation(source=f"n{n}", target=f"n{n - 1}", type=RelationType.OPPOSES) for n in range(1, 1000)]
    workspace.keep(*concepts, relations=ring)
    with contextlib.closing(CountingGraph(tmp_path / "graph.db")) as graph:
        started = time.process_time()
        published = workspace.publish(graph=graph)
        assert time.process_time() - started < 15
        assert graph.asked <= 6
    assert (len(published.written), published.unchanged) == (1000, 2)
    assert len(workspace.names()) == 1002


def test_a_missing_folder_is_reported(workspace, tmp_path):
    with pytest.raises(NotFound, match="There is no folder") as told:
        workspace.publish(folder=tmp_path / "nowhere")
    assert told.value.remedy.startswith("Create it")
    assert not (tmp_path / "nowhere").exists()
