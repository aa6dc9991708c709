"""A graph moves between stores, and nothing is left behind."""

import contextlib

import pytest

from studium.concepts.graph_store.sqlite import SqliteConceptGraph
from studium.concepts.graph_store.transfer import export_graph, import_graph
from studium.core.domain.errors import BadInput


@pytest.fixture
def fill(book, author, quotes, approved, vector):
    """Puts a book and three concepts into a graph; one quote has a vector, and one book no author."""

    def filled(graph):
        graph.save_book(book, author, quotes, {"q1": vector([0.1, 1 / 3, 0, 0, 0, 0, -7e-5, 0.25])})
        graph.save_book(book.model_copy(update={"uuid": "b0", "title": "Ohne Zitate"}), None, (), {})
        graph.commit(approved)

    return filled


@pytest.fixture
def first_file(tmp_path):
    """A graph in a file of its own."""
    with contextlib.closing(SqliteConceptGraph(tmp_path / "first.db")) as opened:
        yield opened


@pytest.fixture
def there_and_back(fill, tmp_path, everything):
    """Moves a filled graph to another one, and tells what both held."""

    def moved(source, target):
        fill(source)
        before = everything(source)
        lines = export_graph(source, tmp_path / "graph.jsonl")
        assert len((tmp_path / "graph.jsonl").read_text().splitlines()) == lines
        import_graph(target, tmp_path / "graph.jsonl")
        return before, everything(target)

    return moved


def test_a_graph_moves_from_file_to_file(there_and_back, open_graph, first_file):
    before, after = there_and_back(first_file, open_graph("sqlite"))
    assert after == before


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
@pytest.mark.parametrize(("source", "target"), [("sqlite", "neo4j"), ("neo4j", "sqlite")])
def test_a_graph_moves_between_a_file_and_a_server(there_and_back, open_graph, source, target):
    before, after = there_and_back(open_graph(source), open_graph(target))
    assert after == before


def test_a_second_import_changes_nothing(there_and_back, open_graph, first_file, tmp_path, everything):
    target = open_graph("sqlite")
    before, _ = there_and_back(first_file, target)
    import_graph(target, tmp_path / "graph.jsonl")
    assert everything(target) == before


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[]",
        '{"Song": {}}',
        '{"Quote": {"uuid": "q", "text": "t"}, "QUOTED_IN": "nowhere", "embedding": null}',
        '{"Concept": {"uuid": "c", "title": "no name"}, "embedding": null}',
        '{"Concept": {"uuid": "c", "name": "n", "title": "n"}, "embedding": "!"}',
    ],
)
def test_a_bad_line_is_named_and_nothing_is_imported(open_graph, fill, first_file, tmp_path, line):
    fill(first_file)
    export_graph(first_file, tmp_path / "graph.jsonl")
    good = (tmp_path / "graph.jsonl").read_text()
    (tmp_path / "graph.jsonl").write_text(good + line + "\n")
    target = open_graph("sqlite")
    with pytest.raises(BadInput, match=rf"graph.jsonl:{len(good.splitlines()) + 1}"):
        import_graph(target, tmp_path / "graph.jsonl")
    assert set(target.counts().values()) == {0}


def test_a_missing_file_is_named(open_graph, tmp_path):
    with pytest.raises(BadInput, match=r"missing\.jsonl"):
        import_graph(open_graph("sqlite"), tmp_path / "missing.jsonl")
