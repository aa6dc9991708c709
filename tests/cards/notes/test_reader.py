"""What a note says about itself, what is wrong with it, and which notes are left alone."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from studium.cards.notes import read_note
from studium.cards.notes.page import without_markers
from studium.core.documents.markdown import MarkdownPage
from studium.core.documents.plain_text import split_lines
from studium.core.domain.document import Document
from studium.core.domain.finding import Severity


def codes(note):
    return [(finding.code.removeprefix("note."), finding.where.line) for finding in note.findings]


@pytest.mark.parametrize(
    ("frontmatter", "tags"),
    [
        ("tags: [a, b]", ("a", "b")),
        ("tags:\n- a\n- b/c", ("a", "b::c")),
        ("tags: a, b c", ("a", "b_c")),
        ("tags: a b", ("a", "b")),
        ("tags: '#a #b'", ("a", "b")),
        ("tags: 2024", ("2024",)),
        ("tags: [2024, 1.5, null, {x: y}]", ("2024", "1.5")),
        ("tag: a", ("a",)),
        ("tags:", ()),
        ("tags: [a, flashcards, a]", ("a",)),
    ],
)
def test_tags_of_the_frontmatter(read, frontmatter, tags):
    note = read(f"---\n{frontmatter}\n---\nx?::y")
    assert note.tags == tags
    assert note.cards[0].tags == tags


def test_tags_in_the_text(read):
    text = """\
# Heading #physics/waves

About #light and #2024, not `#code`, nor c#sharp, nor https://x.org/#part nor [a](b#c) &#39;

```
#no
```

a?::b #own
c?::d
"""
    note = read(text)
    assert note.tags == ("physics::waves", "light")
    assert [card.tags for card in note.cards] == [("physics::waves", "light", "own"), ("physics::waves", "light")]


def test_tags_of_a_tagged_card_leave_its_front(read):
    card = read("What? #card #physics/waves\nThat.").cards[0]
    assert (card.front, card.tags) == ("What?", ("physics::waves",))


def test_tags_of_blocks_and_files(read):
    note = read("FILE TAGS\nmaths school\n\nSTART\nBasic\na\nBack: b\nTags: one two/three\nEND\n\nc?::d")
    assert [card.tags for card in note.cards] == [("maths", "school", "one", "two::three"), ("maths", "school")]


@pytest.mark.parametrize(
    ("text", "deck"),
    [
        ("---\ndeck_hint: A::B\ndeck: C\n---\nx?::y", "A::B"),
        ("---\ndeck: C\n---\nx?::y", "C"),
        ("---\ncards-deck: D\n---\nx?::y", "D"),
        ("TARGET DECK\nE::F\n\nx?::y", "E::F"),
        ("TARGET DECK: G\n\nx?::y", "G"),
        ("---\n---\n\n---\nDeck: H\n1. x?\n> y\n---", "H"),
        ("x?::y", None),
    ],
)
def test_decks(read, text, deck):
    assert [card.deck for card in read(text).cards] == [deck]


def test_the_heading_over_a_card(read):
    note = read("a?::b\n# One\nc?::d\n## Two ##\n\ne?::f\n```\n# no\n```\ng?::h\n")
    assert [card.heading for card in note.cards] == ["", "One", "Two", "Two"]


def test_sections(read):
    note = read("---\ntitle: T\n---\nLead.\n\n# One\n\nText.\n\n## Two\n```\n# no\n```\n")
    assert note.title == "T"
    assert [(part.heading, part.level, part.line, part.text) for part in note.sections] == [
        ("", 0, 4, "Lead."),
        ("One", 1, 6, "Text."),
        ("Two", 2, 10, "```\n# no\n```"),
    ]


def test_extra_fields_of_a_block(read):
    card = read("START\nCloze\nA {{c1::b}}.\nBack Extra: More.\nEND").cards[0]
    assert (card.front, card.extra) == ("A {{c1::b}}.", "More.")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Text\n\nA: so", [("answer_without_question", 3)]),
        ("Q: why?\n\nText", [("question_without_answer", 1)]),
        ("Q: why?\nA:\n\n# Next", [("question_without_answer", 1)]),
        ("Q: why?\n## Part\nA: so", [("question_without_answer", 1), ("answer_without_question", 3)]),
        ("why?::", [("question_without_answer", 1)]),
        ("\n?\nso", [("answer_without_question", 2)]),
        ("why\n?\n\nso", [("question_without_answer", 1)]),
        ("Text\n\nwhy? #card\n", [("question_without_answer", 3)]),
        ("a {{c1::b\n\nc", [("unclosed_cloze", 1)]),
        ("x\n{{c1::a}} {{c2::b}\n", [("unclosed_cloze", 2)]),
        ("START\nBasic\na\nBack: b\n", [("unclosed_block", 1)]),
        ("START\nBasic\nEND", [("empty_block", 1)]),
        ("START\nBasic\na\nEND", [("question_without_answer", 3)]),
        ("START\nCloze\na\nEND", [("cloze_without_deletion", 3)]),
        ("x STARTI [Basic] a Back: b", [("unclosed_block", 1)]),
        ("> [!question] why?\n\nText", [("question_without_answer", 1)]),
        ("---\ntags: [a\n---\nText", [("frontmatter.broken", 3)]),
        ("Text\n```py\nx = 1\n", [("unclosed_code", 2)]),
    ],
)
def test_what_is_wrong_is_reported_with_its_line_and_the_rest_still_works(read, text, found):
    note = read(f"{text}\n\n# Rest\n\nstill?::here\n")
    assert codes(note) == found
    if found[0][0] != "unclosed_code":
        assert [card.front for card in note.cards] == ["still?"]
    assert all(finding.where.path.endswith("note.md") for finding in note.findings)
    assert all(finding.severity is not Severity.ERROR for finding in note.findings)


def test_a_note_marked_as_a_card_needs_two_sides(read):
    assert codes(read("---\nnoteId: 1\n---\n# why?")) == [("question_without_answer", 4)]
    assert codes(read("---\ntags: card\n---\nwhy?\n\n---\n")) == [("question_without_answer", 4)]


def test_an_open_question_is_no_fault(read):
    assert [finding.severity for finding in read("> [!question] why?").findings] == [Severity.INFO]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Drawing.excalidraw.md", "a?::b"),
        ("Drawing.md", "---\nexcalidraw-plugin: parsed\n---\na?::b"),
        ("Picture.md", "a?::b\n![](data:image/png;base64," + "A" * 20_000 + ")"),
        ("Long.md", "a?::b\n" + "x" * 100_001),
    ],
)
def test_drawings_and_embedded_files_are_left_alone(read, name, text):
    note = read(text, name)
    assert not note.cards
    assert [(finding.code, finding.severity) for finding in note.findings] == [("note.skipped", Severity.INFO)]


def test_a_small_embedded_image_is_no_reason_to_skip(read):
    assert read("a?::b ![](data:image/png;base64,iVBORw0KGgo=)").cards


WORDS = """
Q: |A: |::|:::|?|??|#card|# Question (EN)|## Answer|{{c1::|}}|==|{|}|START|END|Basic|STARTI [Basic]|ENDI|---|```|~~~|$$|
$|<!--|-->|%%|> [!question]|> |- |1. |    |a|é|🦊|Deck: x|^1700000000000|<!--ID: 1-->|TARGET DECK|anki_cards:|noteId: 1|
tags: card|`|[|]|(|)|*|^st-x|<!--studium:x-->
"""
PIECES = st.sampled_from([word.strip("\n") for word in WORDS.split("|")] + ["\t", "\n", "\n\n", "\r\n", "\\"])
NOTES = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join), st.lists(PIECES, max_size=40).map("\n".join))


def parse(text):
    return read_note(Document("n.md", "markdown", "n", (MarkdownPage(text),)), name="n.md")


@given(NOTES)
@example("---\nnoteId: 1\n---\n\n---\n---\n\nx")
@example("\n".join(["> [!question]"] * 3))
def test_any_text_can_be_read_and_a_card_points_at_its_front(text):
    note = parse(text)
    lines = [line.text for line in split_lines(text)]
    for card in note.cards:
        assert card.front
        assert card.back or card.kind == "cloze"
        assert 1 <= card.line <= card.end_line <= len(lines)
        if card.kind != "cloze" and card.syntax != "whole":
            assert card.front.split("\n")[0].strip() in without_markers(lines[card.line - 1])
    assert all(finding.where.line is None or finding.where.line <= len(lines) for finding in note.findings)


@pytest.mark.parametrize(
    "text",
    [
        "Q: why?\n" * 20_000,
        "A: so\n" * 20_000,
        "a::b\n" * 20_000,
        "a\n?\n" * 20_000,
        "x #card\n" * 20_000,
        "{{c1::x\n" * 20_000,
        "{{c1::x}}\n" * 20_000,
        "==a " * 20_000 + "#cloze",
        "`" * 90_000,
        "` `` " * 15_000,
        "$" * 90_000,
        "$a " * 30_000,
        "<!-- " * 10_000 + "\n" + "<!--\n" * 20_000,
        "%% x\n" * 20_001,
        "START\n" * 20_000,
        "STARTI [Basic] a\n" * 10_000,
        "STARTI [Basic] a " * 5_000,
        "> [!question]\n" * 20_000,
        "> [!question] a\n> > [!x]\n" * 10_000,
        "# Question\n" * 10_000,
        "# Question\na\n" * 5_000 + "# Answer\nb\n" * 5_000,
        "# " + " #" * 45_000,
        "# Question" + " " * 90_000 + "x",
        " " * 90_000 + "`x",
        "#card" + " " * 90_000 + "x <!-- ^",
        "- " * 45_000,
        "---\n" * 20_000,
        "Deck: a\n---\n1. b\n" * 10_000,
        "#a " * 30_000,
        ("word " * 30 + "\n") * 13_000,
        "---\nanki_slugs: [" + "a-0-en, " * 1_000 + "]\n---\n" + "a?::b\n" * 1_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_large_and_hostile_notes_are_read_quickly(text):
    start = time.process_time()
    parse(text)
    assert time.process_time() - start < 3


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "> [!note] a\n" * 3000,
        "> [!note] a\n> b\n\n" * 3000,
        "> [!question] a?\n> b\n" * 3000,
        "> [!question] a?\n\n" * 3000,
        "?\n" * 9000,
        "a::b::" * 3000,
        "#a " * 6000 + "#card",
    ],
)
def test_many_of_one_thing_are_read_in_no_time(read, text):
    began = time.process_time()
    read(text)
    assert time.process_time() - began < 4
