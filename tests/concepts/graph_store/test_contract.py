"""What every store of concepts keeps to; each test runs on each of them."""

from dataclasses import replace

import numpy as np
import pytest

from studium.concepts.domain import Concept, Content, GraphCommit, Person, Quote, Relation, RelationType, Support
from studium.core.domain.errors import BadInput, BadSettings, NotFound

HOSTILE = (
    "'}) DETACH DELETE n //",
    '"; DROP TABLE quote; --',
    "MATCH (n) DETACH DELETE n",
    "$uuid {uuid} `back` \\u0027 \\",
    "zwei\nZeilen\tund 引用 😀 \x00",
)


def without_dates(quotes):
    return [quote.model_copy(update={"created_at": None}) for quote in quotes]


@pytest.fixture
def full(graph, book, author, quotes, approved, vector):
    """A graph with a book and three concepts."""
    graph.save_book(book, author, quotes, {"q1": vector([1, 0, 0, 0, 0, 0, 0, 0.25])})
    graph.commit(approved)
    return graph


def test_an_empty_graph_has_nothing(graph, vector):
    assert set(graph.counts().values()) == {0}
    assert not graph.books()
    assert not graph.search_concepts(vector([1] * 8))
    assert graph.book("b1") is None
    assert graph.concept("c1") is None
    assert graph.author_of("b1") is None


def test_a_book_comes_back_with_its_author_and_its_quotes_in_order(graph, book, author, quotes):
    graph.save_book(book, author, quotes, {})
    assert graph.book("b1") == book
    assert graph.author_of("b1") == author
    assert without_dates(graph.quotes_of("b1")) == list(quotes)


def test_a_quote_is_dated_when_it_is_first_kept_and_stays_so(graph, book, author, quotes):
    graph.save_book(book, author, [quotes[0].model_copy(update={"created_at": "2020-01-01"}), quotes[1]], {})
    graph.save_book(book, author, [quotes[0].model_copy(update={"created_at": "2026-01-01"}), quotes[1]], {})
    first, second = graph.quotes_of("b1")
    assert first.created_at == "2020-01-01"
    assert second.created_at > "2026"


def test_books_and_people_are_found_whatever_the_case(graph, book, author):
    graph.save_book(book, author, (), {})
    assert graph.find_book("PENSAR RÁPIDO") == book
    assert graph.find_book("pensar rápido", "daniel kahneman") == book
    assert graph.find_book("Pensar rápido", "Amos Tversky") is None
    assert graph.find_author("DANIEL kahneman") == author
    assert graph.find_author("Amos Tversky") is None


def test_an_edited_book_is_updated_and_keeps_its_date_and_vectors(full, book, author, quotes):
    before = full.vectors_of(["q1"])["q1"]
    edited = quotes[1].model_copy(update={"text": "Nothing in life is.", "note": "", "line": 4})
    full.save_book(book.model_copy(update={"summary": "Más."}), author, [edited], {})
    assert full.book("b1").summary == "Más."
    assert full.book("b1").processed_date == "2026-01-02T03:04:05+00:00"
    assert edited in without_dates(full.quotes_of("b1"))
    assert (full.vectors_of(["q1"])["q1"] == before).all()
    assert full.counts()["Quote"] == 3


def test_a_book_has_one_author_and_a_quote_one_book(full, quotes):
    other = Content(uuid="b2", name="Otro", title="Otro")
    full.save_book(other, Person(uuid="p2", name="Otra"), quotes[:1], {})
    full.save_book(other, Person(uuid="p3", name="Tercera"), (), {})
    assert full.author_of("b2").uuid == "p3"
    assert [one.uuid for one in full.quotes_of("b2")] == ["q2"]
    assert [one.uuid for one in full.quotes_of("b1")] == ["q1", "q3"]


def test_relations_stand_in_both_directions(full):
    assert [(one.target, one.type) for one in full.relations("c1")] == [
        ("c0", RelationType.SPECIFIC_OF),
        ("c2", RelationType.OPPOSES),
    ]
    assert [(one.target, one.type) for one in full.relations("c2")] == [("c1", RelationType.OPPOSES)]
    assert {(one.reasoning, one.confidence) for one in full.relations("c0")} == {("wider", 0.75)}
    assert len(full.relations()) == 4


@pytest.mark.parametrize("type_", RelationType)
def test_every_type_of_relation_is_kept_with_its_inverse(graph, approved, type_):
    given = Relation(source="c0", target="c1", type=type_)
    graph.commit(replace(approved, relations=(given,), supports=(), book=None))
    assert graph.relations("c0") == [given]
    assert graph.relations("c1") == [Relation(source="c1", target="c0", type=type_.inverse)]


def test_a_direction_that_is_given_itself_keeps_its_own_reasons(graph, approved):
    whole = Relation(source="c0", target="c1", type=RelationType.HAS_PART, reasoning="made of")
    part = Relation(source="c1", target="c0", type=RelationType.PART_OF, reasoning="belongs to")
    graph.commit(replace(approved, relations=(whole, part), supports=(), book=None))
    assert graph.relations() == [whole, part]


def test_supports_carry_reasoning_and_confidence(full, approved):
    assert full.supports("c0") == list(approved.supports)
    assert full.supports("c1") == []
    assert full.supports() == list(approved.supports)


def test_a_second_commit_changes_nothing(full, approved, everything):
    before = everything(full)
    full.commit(approved)
    assert everything(full) == before


def test_a_commit_marks_the_book_as_processed(full, approved):
    assert full.book("b1").processed_date == approved.processed_date


@pytest.mark.parametrize(
    "wrong",
    [
        {"relations": (Relation(source="c0", target="nowhere", type=RelationType.OPPOSES),)},
        {"supports": (Support(quote="nowhere", concept="c0"),)},
        {"supports": (Support(quote="q1", concept="nowhere"),)},
        {"book": "nowhere"},
    ],
)
def test_a_commit_that_names_what_is_not_there_leaves_nothing(graph, book, quotes, approved, wrong, everything):
    graph.save_book(book, None, quotes, {})
    before = everything(graph)
    with pytest.raises(NotFound, match="nowhere"):
        graph.commit(replace(approved, **wrong))
    assert everything(graph) == before


def test_a_concept_relates_to_another_one_never_to_itself(graph, approved):
    itself = Relation(source="c0", target="c0", type=RelationType.SIMILAR_TO)
    with pytest.raises(BadInput, match="itself"):
        graph.commit(replace(approved, relations=(itself,), supports=(), book=None))
    assert graph.counts()["Concept"] == 0


def test_what_has_no_id_is_not_kept(graph, book, author):
    with pytest.raises(BadInput, match="Quote without an id"):
        graph.save_book(book, author, [Quote(text="no id")], {})
    with pytest.raises(BadInput, match="Concept without an id"):
        graph.commit(GraphCommit(concepts=(Concept(name="n", title="n"),)))
    assert graph.counts()["Content"] == 0


def test_a_merge_removes_one_concept_and_moves_its_quotes_at_once(full, approved, everything):
    before = everything(full)
    moved = Support(quote="q1", concept="c1", reasoning="says so", confidence=0.9)
    full.commit(GraphCommit(removed=("c0",), supports=(moved,)))
    assert full.concept("c0") is None
    assert full.supports() == [moved]
    assert [one.target for one in full.relations("c1")] == ["c2"]
    full.commit(GraphCommit(removed=("c1",)))
    full.commit(approved)
    assert everything(full) == before


def test_a_dropped_relation_goes_in_both_directions_and_the_others_stay(full):
    full.commit(GraphCommit(dropped_relations=(Relation(source="c1", target="c0", type=RelationType.SPECIFIC_OF),)))
    assert [(one.source, one.target) for one in full.relations()] == [("c1", "c2"), ("c2", "c1")]


def test_a_dropped_relation_is_only_the_one_of_its_type(full):
    similar = Relation(source="c0", target="c1", type=RelationType.SIMILAR_TO)
    full.commit(GraphCommit(relations=(similar,)))
    full.commit(GraphCommit(dropped_relations=(Relation(source="c0", target="c1", type=RelationType.GENERALIZES),)))
    assert full.relations("c0") == [similar]


def test_a_dropped_support_leaves_the_quote_and_the_concept(full):
    full.commit(GraphCommit(supports=(Support(quote="q1", concept="c1"),)))
    full.commit(GraphCommit(dropped_supports=(Support(quote="q1", concept="c0"),)))
    assert full.supports() == [Support(quote="q1", concept="c1")]
    assert (full.counts()["Quote"], full.counts()["Concept"]) == (3, 3)


def test_dropping_what_is_not_there_changes_nothing(full, everything):
    before = everything(full)
    nothing = Relation(source="c0", target="c2", type=RelationType.OPPOSES)
    full.commit(GraphCommit(dropped_relations=(nothing,), dropped_supports=(Support(quote="q3", concept="nowhere"),)))
    assert everything(full) == before


def test_what_is_dropped_and_given_at_once_stays_as_it_is_given(full):
    given = Relation(source="c0", target="c1", type=RelationType.GENERALIZES, reasoning="new")
    full.commit(GraphCommit(relations=(given,), dropped_relations=(given,)))
    assert full.relations("c0") == [given]


def test_nothing_is_dropped_by_a_commit_that_fails(full, everything):
    before = everything(full)
    gone = Relation(source="c0", target="c1", type=RelationType.GENERALIZES)
    with pytest.raises(NotFound):
        full.commit(GraphCommit(dropped_relations=(gone,), dropped_supports=full.supports(), book="nowhere"))
    assert everything(full) == before


def test_an_empty_date_makes_a_book_one_that_was_never_processed(full):
    full.commit(GraphCommit(book="b1", processed_date=""))
    assert full.book("b1").processed_date is None


def test_a_quote_that_goes_takes_its_support_along(full):
    full.remove_quotes(["q1"])
    assert full.supports() == []
    assert full.counts()["Quote"] == full.counts()["QUOTED_IN"] == 2


def test_a_book_that_goes_takes_its_quotes_along_and_an_author_who_has_no_other(full, book, author):
    full.save_book(book.model_copy(update={"uuid": "b2"}), author, (), {})
    full.save_book(
        book.model_copy(update={"uuid": "b3"}), Person(uuid="p3", name="Ann"), [Quote(uuid="x", text="x")], {}
    )
    concepts = full.concepts()
    full.remove_book("b1")
    assert [each.uuid for each in full.books()] == ["b2", "b3"]
    assert full.author_of("b2") == author
    assert full.supports() == []
    assert full.concepts() == concepts
    full.remove_book("b2")
    full.remove_book("b2")
    assert full.find_author(author.name) is None
    assert full.find_author("Ann")
    assert [each.uuid for each in full.quotes_of("b3")] == ["x"]
    assert full.counts()["Quote"] == full.counts()["Person"] == 1


def test_similarity_is_the_cosine_whatever_the_length(graph, book, author, quotes, vector):
    east, tilted, north, west = [2, 0], [3, 4], [0, 1], [-1, 0]
    vectors = {f"c{n}": vector([*one, 0, 0, 0, 0, 0, 0]) for n, one in enumerate((east, tilted, north, west))}
    concepts = tuple(Concept(uuid=uuid, name=uuid, title=uuid) for uuid in vectors)
    graph.commit(GraphCommit(concepts=concepts, vectors=vectors))
    graph.save_book(book, author, quotes[1:2], {"q1": vectors["c1"]})
    query = vector([5, 0, 0, 0, 0, 0, 0, 0])
    found = graph.search_concepts(query, threshold=-1)
    assert [one.uuid for one, _ in found] == ["c0", "c1", "c2", "c3"]
    assert [score for _, score in found] == pytest.approx([1, 0.6, 0, -1], abs=1e-5)
    assert [one.uuid for one, _ in graph.search_concepts(query)] == ["c0"]
    assert [one.uuid for one, _ in graph.search_concepts(query, threshold=0.5, limit=1)] == ["c0"]
    assert not graph.search_quotes(query)
    assert [(one.uuid, pytest.approx(score)) for one, score in graph.search_quotes(query, threshold=0.5)] == [
        ("q1", 0.6)
    ]


def test_a_search_sees_what_was_just_written_and_not_what_was_just_removed(full, vector):
    east = vector([1, 0, 0, 0, 0, 0, 0, 0])
    new = Concept(uuid="c9", name="Este", title="Este")
    assert "c9" not in [one.uuid for one, _ in full.search_concepts(east)]
    full.commit(GraphCommit(concepts=(new,), vectors={"c9": east}))
    assert full.search_concepts(east)[0] == (new, pytest.approx(1))
    full.commit(GraphCommit(concepts=(new,), vectors={"c9": -east}))
    assert "c9" not in [one.uuid for one, _ in full.search_concepts(east)]
    full.commit(GraphCommit(removed=("c9",)))
    assert "c9" not in [one.uuid for one, _ in full.search_concepts(-east)]


def test_the_fifty_nearest_of_many_are_those_that_plain_arithmetic_finds(graph):
    rows = np.random.default_rng(4).standard_normal((400, 8)).astype(np.float32)
    concepts = tuple(Concept(uuid=f"c{n:03}", name=f"{n}", title=f"{n}") for n in range(len(rows)))
    graph.commit(GraphCommit(concepts=concepts, vectors={one.uuid: rows[n] for n, one in enumerate(concepts)}))
    query = rows[17] + 0.1
    cosines = rows @ query / np.linalg.norm(rows, axis=1) / np.linalg.norm(query)
    expected = np.sort(cosines)[::-1][:50]
    found = graph.search_concepts(query, threshold=-1)
    assert [score for _, score in found] == pytest.approx(expected.tolist(), abs=1e-5)
    assert [cosines[int(one.title)] for one, _ in found] == pytest.approx(expected.tolist(), abs=1e-5)


def test_vectors_of_another_length_or_without_direction_are_refused(full, vector, approved, everything):
    before = everything(full)
    with pytest.raises(BadSettings, match="8 dimensions"):
        full.commit(replace(approved, vectors={"c0": vector([1, 0])}))
    with pytest.raises(BadSettings, match="8 dimensions"):
        full.search_concepts(vector([1, 0]))
    for wrong in ([0] * 8, [np.nan] * 8):
        with pytest.raises(BadInput, match="finite"):
            full.commit(replace(approved, vectors={"c0": vector(wrong)}))
    assert everything(full) == before


@pytest.mark.parametrize("text", HOSTILE)
def test_code_in_a_text_is_text(graph, text):
    uuid = text.strip("\x00")
    book, author = Content(uuid=uuid, name=text, title=text, author=text), Person(uuid=uuid, name=text)
    quote, concept = Quote(uuid=uuid, text=text, section=text), Concept(uuid=uuid, name=text, title=text, source=text)
    other = Concept(uuid="other", name="other", title="other")
    relation = Relation(source=uuid, target="other", type=RelationType.SUPPORTS, reasoning=text)
    support = Support(quote=uuid, concept=uuid, reasoning=text)
    graph.save_book(book, author, [quote], {})
    graph.commit(GraphCommit(concepts=(concept, other), relations=(relation,), supports=(support,)))
    assert graph.find_book(text, text) == graph.book(uuid) == book
    assert without_dates(graph.quotes_of(uuid)) == [quote]
    assert graph.concept(uuid) == concept
    assert graph.relations(uuid) == [relation]
    assert graph.supports(uuid) == [support]
    assert graph.counts() == {
        "Content": 1, "Quote": 1, "Concept": 2, "Person": 1,
        "QUOTED_IN": 1, "AUTHORED_BY": 1, "SUPPORTS": 1, "RELATIONS": 2,
    }  # fmt: skip


def test_two_concepts_may_have_one_title(graph):
    twins = tuple(Concept(uuid=uuid, name="Idea", title="Idea") for uuid in ("c1", "c2"))
    graph.commit(GraphCommit(concepts=twins))
    assert graph.concepts() == list(twins)
