"""The ids that tools leave in notes, and ours, which are written and taken out again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studium.cards.notes import read_note, remove_markers, write_marker
from studium.core.documents.markdown import MarkdownPage
from studium.core.domain.document import Document
from studium.core.domain.errors import BadInput


def parse(text):
    return read_note(Document("n.md", "markdown", "n", (MarkdownPage(text),)), name="n.md")


def contents(note):
    return [(card.kind, card.front, card.back, card.extra) for card in note.cards]


def ids(note):
    return [card.marker and (card.marker.tool, card.marker.value) for card in note.cards]


@pytest.mark.parametrize(
    ("text", "tool", "value", "line"),
    [
        ("Q: a?\nA: b\n<!--ID: 1566052191670-->", "obsidian_to_anki", "1566052191670", 3),
        ("a?::b\n<!--ID: 1566052191670-->", "obsidian_to_anki", "1566052191670", 2),
        ("START\nBasic\na\nBack: b\n<!--ID: 12-->\nEND", "obsidian_to_anki", "12", 5),
        ("START\nBasic\na\nBack: b\nID: 12\nEND", "obsidian_to_anki", "12", 5),
        ("STARTI [Basic] a Back: b <!--ID: 12--> ENDI", "obsidian_to_anki", "12", 1),
        ("a #card\nb\n^1700000000000", "flashcards_obsidian", "1700000000000", 3),
        ("a?::b ^1700000000000", "flashcards_obsidian", "1700000000000", 1),
        ("## a #card\n\nb\n\n^1700000000000\n\nc", "flashcards_obsidian", "1700000000000", 5),
        ("---\nnoteId: 1700000000000\n---\na\n\n---\n\nb", "yanki", "1700000000000", 2),
        ("---\nDeck: x\n\n<!--ID:1700000000000-->\n1. a\n\n> b\n\n---", "inka", "1700000000000", 4),
        ("a?::b ^st-x1", "studium", "x1", 1),
        ("a?::b <!--studium:x1-->", "studium", "x1", 1),
        ("a?::b\n<!--studium:x1-->\n<!--ID: 12-->", "studium", "x1", 2),
        ("> [!faq] a\n> b\n\n^st-x1", "studium", "x1", 4),
        ("---\nanki_cards:\n- slug: s-0-en\n  anki_id: 12\n---\na?::b", "anki_cards", "12", 3),
        ("---\nanki_cards:\n- slug: s-0-en\n---\na?::b", "anki_cards", "s-0-en", 3),
        ("---\nanki_cards:\n- studium: x1\n---\na?::b", "studium", "x1", 3),
    ],
)
def test_whose_id_a_card_has(text, tool, value, line):
    (card,) = parse(text).cards
    assert (card.marker.tool, card.marker.value, card.marker.line) == (tool, value, line)
    assert value not in card.front + card.back


def test_an_id_belongs_to_the_card_above_it():
    note = parse("a?::b\n<!--ID: 1-->\nc?::d\n\ne?::f\n\n<!--ID: 2-->\n\ng?::h")
    assert [value and value[1] for value in ids(note)] == ["1", None, "2", None]


def test_ids_in_inka_stand_above_their_cards():
    text = "---\nDeck: x\n<!--ID:1-->\n1. a\n> b\n<!--ID:2-->\n2. c {d}\n3. e\n> f\n---"
    assert ids(parse(text)) == [("inka", "1"), ("inka", "2"), None]


def test_an_id_in_code_is_none():
    assert ids(parse("Q: a?\nA: b\n```\nx\n```\n")) == [None]


def test_a_duplicate_id_is_reported():
    note = parse("a?::b ^st-x1\nc?::d\n\ne?::f ^st-x1")
    assert ids(note) == [("studium", "x1"), None, None]
    assert [(finding.code, finding.where.line) for finding in note.findings] == [("note.duplicate_id", 4)]


SAMPLES = {
    "inline": "a?::b\n\nc?::d\n- e?::f\n",
    "labelled": "Q: a?\nA: b\nQ: c?\nA: d\n\n- e\n\nQ: f?\nA: g",
    "labelled, with code": "Q: a?\nA: b\n```\nx\n```\n\nAfter.\n",
    "multiline": "a\n?\nb\n\nc\n??\n| d | e |\n|---|---|\n| f | g |\n\nAfter.\n",
    "tagged": "## a #card\nb\n\nc\n\n## d #card\n- e\n- f\n",
    "cloze": "a {{c1::b}}\nc\n\n- {{c1::d}}\n- {{c2::e}}\n",
    "blocks": "START\nBasic\na\nBack: b\nEND\n\nSTART\nCloze\n{{c1::c}}\nEND\nText\n",
    "callouts": "> [!faq] a\n> b\n\n> [!faq] c\n> d\n",
    "headings": "# Question (EN)\n> a\n\n# Vopros (RU)\n> b\n\n## Answer (EN)\n\nc\n\n## Otvet (RU)\n\nd\n",
    "whole": "---\ntags: card\n---\na\n\n---\n\nb\n",
    "inka": "---\nDeck: x\n\n1. a\n\n> b\n\n2. c {d}\n\n---\n",
    "with frontmatter": "---\ntitle: T\nanki_cards:\n  - slug: q-0-en\n    anki_id: 12\nx: y\n---\na?::b\n\nc?::d\n",
    "CRLF": "a?::b\r\n\r\nQ: c?\r\nA: d\r\n\r\nEnd\r\n",
    "no line end": "Q: a?\nA: b\nc",
}
STYLES = ("comment", "block_id", "frontmatter")


def marked(text, style):
    note = parse(text)
    for number in reversed(range(len(note.cards))):
        text = write_marker(text, parse(text).cards[number], f"x{number}", style)
    return text


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_card_finds_its_own_id_again_and_nothing_else_changes(sample, style):
    text = SAMPLES[sample]
    after = marked(text, style)
    assert ids(parse(after)) == [("studium", f"x{number}") for number in range(len(parse(text).cards))]
    assert contents(parse(after)) == contents(parse(text))
    assert parse(after).findings == parse(text).findings
    assert remove_markers(after) == text


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("sample", SAMPLES)
def test_writing_an_id_again_changes_nothing_and_a_new_one_takes_its_place(sample, style):
    after = marked(SAMPLES[sample], style)
    assert marked(after, style) == after
    first = parse(after).cards[0]
    assert write_marker(after, first, "new", style) == after.replace("x0", "new")


def test_how_ids_look_in_the_note():
    assert marked("a?::b\n", "comment") == "a?::b <!--studium:x0-->\n"
    assert marked("a?::b\n", "block_id") == "a?::b ^st-x0\n"
    assert marked("Q: a?\nA: b\n\n# C\n", "comment") == "Q: a?\nA: b\n<!--studium:x0-->\n\n# C\n"
    assert marked("> [!faq] a\n> b\n\nText\n", "block_id") == "> [!faq] a\n> b\n\n^st-x0\n\nText\n"
    assert marked("a?::b\n", "frontmatter") == '---\nanki_cards:\n- studium: x0\n  question: "a?"\n---\na?::b\n'


def test_ids_in_the_frontmatter_follow_their_questions():
    text = marked("a?::b\n\nc?::d\n", "frontmatter")
    front, body = text[: text.index("a?::b")], text[text.index("a?::b") :]
    swapped = front + "c?::d\n\nnew?::e\n\n" + body.replace("c?::d\n", "")
    assert ids(parse(swapped)) == [("studium", "x1"), None, ("studium", "x0")]


def test_a_list_on_one_line_is_left_alone():
    text = "---\nanki_cards: [{slug: a}]\n---\na?::b\n"
    with pytest.raises(BadInput, match="is on one line"):
        write_marker(text, parse(text).cards[0].model_copy(update={"marker": None}), "x", "frontmatter")


def test_a_broken_frontmatter_is_left_alone():
    text = "---\ntags: [a\n---\na?::b\n"
    with pytest.raises(BadInput, match="frontmatter cannot be read"):
        write_marker(text, parse(text).cards[0], "x", "frontmatter")


@given(st.text())
def test_a_note_without_ids_of_ours_stays_as_it_is(text):
    if "studium" not in text and "^st-" not in text:
        assert remove_markers(text) == text
