"""Texts and Markdown notes become the same thing: lines, passages, visuals, evidence."""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from studium.core.documents import read_document, split_frontmatter
from studium.core.domain.document import PASSAGE_LIMIT, Block, Document, content_id
from studium.core.text.locate import Span

NOTE = """\
---
id: ospf
tags: [net, routing]
---
# OSPF

OSPF is a *link-state*
protocol. ![[topology.png|300]]

## Areas ##

- the backbone is area 0
- others touch it

  with a border router

```text
# router ospf 1

network 10.0.0.0 0.255.255.255 area 0
```

| area | kind |
|------|------|
| 0    | backbone |

Timers
------
> Hello every 10 s,
> dead after 40 s.

1. first
   ```sh
   show ip ospf

   exit
   ```
2. second ![Two routers](img/two%20routers.svg "title")

$$
c = 10^8 / b

$$

    indented code

    goes on
"""


def note(tmp_path: Path, text: str, name: str = "note.md") -> Document:
    path = tmp_path / name
    path.write_bytes(text.encode())
    document = read_document(path).document
    assert document is not None
    return document


def test_a_note_is_split_into_passages_under_their_headings(tmp_path):
    passages = note(tmp_path, NOTE).passages()
    assert [(p.kind, p.heading, p.where.line, p.where.end_line) for p in passages] == [
        ("text", "OSPF", 7, 8),
        ("list", "OSPF > Areas", 12, 15),
        ("code", "OSPF > Areas", 17, 21),
        ("table", "OSPF > Areas", 23, 25),
        ("quote", "OSPF > Timers", 29, 30),
        ("list", "OSPF > Timers", 32, 32),
        ("code", "OSPF > Timers", 33, 37),
        ("list", "OSPF > Timers", 38, 38),
        ("math", "OSPF > Timers", 40, 43),
        ("code", "OSPF > Timers", 45, 47),
    ]
    assert passages[0].text == "OSPF is a *link-state*\nprotocol. ![[topology.png|300]]"
    assert passages[0].id == content_id(passages[0].text)


def test_windows_line_ends_change_no_passage_and_no_line(tmp_path):
    unix, windows = note(tmp_path, NOTE), note(tmp_path, NOTE.replace("\n", "\r\n"))
    assert [p.where for p in windows.passages()] == [p.where for p in unix.passages()]
    assert [p.text.replace("\r\n", "\n") for p in windows.passages()] == [p.text for p in unix.passages()]
    assert windows.lines() == unix.lines()


def test_lines_are_counted_from_one_and_both_ends_are_included(tmp_path):
    document = note(tmp_path, "one\ntwo\n\nfour\n", "a.txt")
    assert document.line_count == 4
    assert [(line.number, line.text) for line in document.lines(2, 4)] == [(2, "two"), (3, ""), (4, "four")]
    assert [line.number for line in document.lines(3)] == [3, 4]
    assert [line.number for line in document.lines(-5, 99)] == [1, 2, 3, 4]
    assert document.lines(9, 12) == ()
    assert document.lines(1, 1)[0].page is None


def test_images_are_visuals_with_caption_and_file(tmp_path):
    visuals = note(tmp_path, NOTE).visuals()
    assert [(v.kind, v.caption, v.source, v.where.line) for v in visuals] == [
        ("image", "topology.png", "topology.png", 8),
        ("table", "OSPF > Areas", "", 23),
        ("image", "Two routers", "img/two routers.svg", 38),
    ]


def test_sounds_notes_and_code_are_not_images(tmp_path):
    text = "![[voice.mp3]] ![[Other note]]\n\n```\n![](a.png)\n```\n\n![](https://example.org/pic) ![a|100](b(1).png)\n"
    assert [(v.caption, v.source) for v in note(tmp_path, text).visuals()] == [
        ("pic", "https://example.org/pic"),
        ("a", "b(1).png"),
    ]


def test_a_long_paragraph_is_cut_at_sentence_ends(tmp_path):
    sentences = [f"Sentence number {number} says something of no importance at all." for number in range(60)]
    document = note(tmp_path, " ".join(sentences) + "\n\nShort.\n", "long.txt")
    passages = document.passages()
    assert all(len(passage.text) <= PASSAGE_LIMIT for passage in passages)
    assert all(passage.text.endswith(".") and passage.text.startswith(("Sentence", "Short")) for passage in passages)
    assert " ".join(passage.text for passage in passages[:-1]) == " ".join(sentences)


def test_japanese_is_cut_too_and_a_word_without_end_at_the_limit(tmp_path):
    document = note(tmp_path, "\u732b\u304c\u597d\u304d\u3002" * 600 + "\n\n" + "x" * 3000 + "\n", "ja.txt")
    texts = [passage.text for passage in document.passages()]
    assert all(len(text) <= PASSAGE_LIMIT for text in texts)
    assert "".join(texts) == "\u732b\u304c\u597d\u304d\u3002" * 600 + "x" * 3000
    assert all(text.endswith("\u3002") for text in texts if "\u732b" in text)


def test_code_and_tables_are_never_cut(tmp_path):
    code = "```python\n" + "x = 1  # a line. And another.\n\n" * 100 + "```"
    table = "| a | b |\n|---|---|\n" + "| some. words | more |\n" * 100
    quoted = "> " + code.replace("\n", "\n> ")
    passages = note(tmp_path, f"{code}\n\n{table}\n{quoted}\n").passages()
    assert [passage.text for passage in passages] == [code, table.strip(), quoted]


def test_evidence_is_the_passage_the_quote_and_the_lines(tmp_path):
    document = note(tmp_path, NOTE)
    evidence = document.locate("Hello every 10 s, dead after 40 s.")
    assert evidence.quote == "Hello every 10 s,\n> dead after 40 s."
    assert str(evidence.where).endswith("note.md:29-30")
    assert evidence.passage == document.passages()[4].id
    assert document.locate("Hello every 1") is None


def test_evidence_survives_an_edit_elsewhere(tmp_path):
    before = note(tmp_path, NOTE).locate("the backbone is area 0")
    after = note(tmp_path, NOTE.replace("# OSPF\n", "# OSPF\n\nA new paragraph.\n")).locate("the backbone is area 0")
    assert after.passage == before.passage
    assert after.where.line == before.where.line + 2


def test_frontmatter_is_read_and_is_not_a_passage(tmp_path):
    frontmatter = split_frontmatter(NOTE)
    assert frontmatter.values == {"id": "ospf", "tags": ["net", "routing"]}
    assert frontmatter.body_line == 5
    assert frontmatter.findings == ()
    assert all("routing" not in passage.text for passage in note(tmp_path, NOTE).passages())


def test_broken_frontmatter_is_reported_with_its_line_and_the_body_read(tmp_path):
    path = tmp_path / "note.md"
    path.write_text("---\nid: x\ntags: [net\ntitle: y\n---\nThe body.\n")
    reading = read_document(path)
    (finding,) = reading.findings
    assert finding.code == "frontmatter.broken"
    assert finding.where.line == 4
    assert [passage.text for passage in reading.document.passages()] == ["The body."]


def test_odd_frontmatter_never_raises():
    for source in (
        "- a\n- b",
        "a: 2024-13-45",
        "a: \x07",
        "a: " + "[" * 5000,
        "? [a]\n: b",
        "!!python/object:os.system x",
    ):
        frontmatter = split_frontmatter(f"---\n{source}\n---\nbody")
        assert [finding.code for finding in frontmatter.findings] == ["frontmatter.broken"], source
        assert frontmatter.body_line > 2


def test_a_rule_at_the_top_is_not_frontmatter(tmp_path):
    assert split_frontmatter("---\n\nA paragraph.\n").body_line == 1
    assert split_frontmatter("---\n---\nbody") == ({}, 3, ())
    assert [p.text for p in note(tmp_path, "---\n\nA paragraph.\n").passages()] == ["A paragraph."]


def test_headings_keep_their_own_hash_signs(tmp_path):
    text = "# C# ##\n\none\n\n## #\n\ntwo\n\n### F#\n\nthree\n"
    assert [p.heading for p in note(tmp_path, text).passages()] == ["C#", "C#", "C# > F#"]


@pytest.mark.parametrize(
    "text",
    [
        "![[" * 60_000,
        "![](a " * 40_000,
        "# a" + " " * 200_000 + "b",
        "a | b\n|" + " " * 200_000 + "x\n",
        "$$\n" * 60_001,
        "> " * 100_000,
        "- " * 100_000,
        "```\n" * 60_001,
        "x" * 300_000,
        " " * 300_000 + "x",
    ],
    ids=lambda text: repr(text[:8]),
)
def test_no_text_hangs_the_reader(tmp_path, text):
    started = time.process_time()
    document = note(tmp_path, text)
    document.visuals()
    document.passages()
    document.locate("not to be found anywhere")
    assert time.process_time() - started < 10


class LazyPages(Sequence):
    """Pages that remember which of them were read, as those of a long PDF will be."""

    def __init__(self, count: int) -> None:
        self.count, self.read = count, []

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index):
        if not 0 <= index < self.count:
            raise IndexError(index)
        self.read.append(index + 1)
        return NumberedPage(index + 1)


class NumberedPage:
    def __init__(self, number: int) -> None:
        self.number, self.text = number, f"Page {number}\nsays hello.\n"

    def blocks(self):
        return [Block(Span(0, len(self.text)))]

    def pictures(self):
        return ()


def test_one_page_of_a_long_document_is_read_alone():
    pages = LazyPages(500)
    document = Document("book.pdf", "pdf", "id", pages)
    assert document.pages[2].text.startswith("Page 3")
    assert pages.read == [3]


def test_lines_passages_and_evidence_know_their_page():
    document = Document("book.pdf", "pdf", "id", LazyPages(3))
    assert [(line.number, line.page) for line in document.lines(3, 5)] == [(3, 2), (4, 2), (5, 3)]
    assert [passage.where.page for passage in document.passages()] == [1, 2, 3]
    assert str(document.locate("Page 3 says").where) == "book.pdf:5-6 (page 3)"


def test_a_title_over_tildes_is_no_start_of_code(tmp_path):
    """As Sphinx writes texts."""
    text = "Rivers\n======\n\nIn spring\n~~~~~~~~~\n\nThey rise.\n\nIn May\n^^^^^^\n\nThey fall.\n\n~~~~\ncode\n~~~~\n"
    (tmp_path / "rivers.md").write_text(text)
    passages = read_document(tmp_path / "rivers.md").document.passages()
    assert [(passage.kind, passage.heading) for passage in passages] == [
        ("text", "Rivers > In spring"),
        ("text", "Rivers > In spring > In May"),
        ("code", "Rivers > In spring > In May"),
    ]
