"""Passages are found by their words and by what they mean."""

import subprocess
import sys

import pytest

from studium.core.domain.document import Passage, content_id
from studium.core.domain.finding import Locator
from studium.core.retrieval import HybridIndex, index_terms, query_terms


def passage(text: str, kind: str = "text", heading: str = "") -> Passage:
    return Passage(content_id(text), text, Locator(path="facts.md", line=1), heading, kind)


def texts(ranked):
    return [found.passage.text for found in ranked]


@pytest.fixture(scope="module")
def hybrid(facts, minilm):
    return HybridIndex([passage for passage, _ in facts], minilm)


@pytest.fixture(scope="module")
def lexical(facts):
    return HybridIndex([passage for passage, _ in facts])


def quality(index, facts):
    """The share of questions whose passage is among the twelve best, and the mean reciprocal rank."""
    ranks = []
    for wanted, question in facts:
        places = [found.passage.id for found in index.search(question)]
        ranks.append(places.index(wanted.id) + 1 if wanted.id in places else 1000)
    return sum(rank <= 12 for rank in ranks) / len(ranks), sum(1 / rank for rank in ranks) / len(ranks)


def test_words_and_vectors_together_find_what_words_alone_miss(hybrid, lexical, facts):
    found, reciprocal = quality(hybrid, facts)
    found_by_words, reciprocal_by_words = quality(lexical, facts)
    assert found == 1
    assert reciprocal >= 0.83
    assert found > found_by_words >= 0.6
    assert reciprocal > reciprocal_by_words >= 0.5


def test_codes_and_numbers_are_found_exactly(hybrid):
    assert "SYN-ACK" in hybrid.search("SYN-ACK")[0].passage.text
    assert "1648" in hybrid.search("1648")[0].passage.text


def test_without_an_embedder_words_decide(lexical):
    (best, *_) = lexical.search("What is the handshake of TCP?")
    assert best.passage.text.startswith("TCP opens")
    assert (best.lexical_rank, best.vector_rank) == (1, None)


def test_a_result_knows_its_place_in_both_rankings(hybrid):
    (best, *_) = hybrid.search("spanning tree blocks redundant links")
    assert (best.lexical_rank, best.vector_rank) == (1, 1)
    assert best.score == pytest.approx(2 / 61)


def test_results_are_ordered_limited_and_the_same_every_time(hybrid):
    ranked = hybrid.search("networks and routers", k=5)
    assert len(ranked) == 5
    assert [found.score for found in ranked] == sorted((found.score for found in ranked), reverse=True)
    assert hybrid.search("networks and routers", k=5) == ranked


@pytest.mark.parametrize("embedded", [False, True])
def test_only_the_kinds_asked_for_are_found(minilm, embedded):
    passages = [
        passage("show ip route", "code"),
        passage("the routing table shows routes"),
        passage("ip route", "table"),
    ]
    index = HybridIndex(passages, minilm if embedded else None)
    assert {found.passage.kind for found in index.search("ip route", kinds={"code", "table"})} == {"code", "table"}
    assert texts(index.search("ip route", k=1, kinds=["code"])) == ["show ip route"]
    assert index.search("ip route", kinds=()) == []
    assert index.search("ip route", kinds={"math"}) == []


def test_equals_come_in_the_order_of_the_document():
    index = HybridIndex([passage(f"router {letter}") for letter in "cabd"])
    assert texts(index.search("router")) == ["router c", "router a", "router b", "router d"]


def test_an_empty_index_finds_nothing(minilm):
    assert HybridIndex([]).search("anything") == []
    assert HybridIndex([], minilm).search("anything") == []
    assert HybridIndex([passage("text")]).search("  ") == []
    assert HybridIndex([passage("text")]).search("elsewhere") == []
    assert HybridIndex([passage("---"), passage("text")]).search("--- text")[0].passage.text == "text"


def test_headings_count_as_words():
    index = HybridIndex([passage("It has areas.", heading="OSPF"), passage("It has areas.", heading="RIP")])
    assert index.search("ospf areas")[0].passage.heading == "OSPF"


def test_plurals_case_and_width_make_no_difference():
    assert index_terms("Routers ROUTER \uff32outer entries entry classes bus glass") == [
        "router", "router", "router", "entry", "entry", "classe", "bus", "glass",
    ]  # fmt: skip


def test_question_words_are_not_searched():
    assert query_terms("What is the handshake of TCP?") == ["handshake", "tcp"]
    assert query_terms("To be or not to be") == ["not"]
    assert query_terms("What is it?") == ["what", "is", "it"]


def test_scripts_without_spaces_are_found_by_pairs_of_characters():
    assert query_terms("\u732b\u304c\u597d\u304d") == ["\u732b\u304c", "\u304c\u597d", "\u597d\u304d"]
    index = HybridIndex(
        [
            passage("\u72ac\u304c\u5acc\u3044\u3060"),
            passage("\u79c1\u306f\u732b\u304c\u597d\u304d\u3067\u3059"),
            passage("\u6f22\u5b57"),
        ]
    )
    assert index.search("\u732b\u304c\u597d\u304d")[0].passage.text.startswith("\u79c1")
    assert texts(index.search("\u5b57")) == ["\u6f22\u5b57"]


def test_importing_loads_no_heavy_library():
    heavy = "{'numpy', 'bm25s', 'onnxruntime', 'tokenizers', 'py3langid', 'langchain_core'}"
    code = (
        "import sys, studium.core.retrieval, studium.core.documents, studium.core.text.language_detection;"
        "import studium.core.llm.embeddings;"
        f"print(sorted({heavy} & sys.modules.keys()))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
