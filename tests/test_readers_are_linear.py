"""No reader takes more than linear time: four times as much of anything takes at most about four times as long."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import process_time

import pytest

from studium.anki.markdown import safe_html as card_html
from studium.cards.notes import read_note
from studium.concepts.quotes.reader import read_quotes
from studium.core.documents.registry import read_document
from studium.core.text.formulas import render_formulas
from studium.core.text.html import is_balanced, tokenize_html, visible_text
from studium.core.text.html_policy import safe_html
from studium.core.text.normal_form import markdown_to_text
from studium.core.text.sentences import split_sentences
from studium.core.text.tokens import split_words
from studium.tutor.configuration.parser import parse_configuration
from studium.tutor.error_detection.detector import get_default_detector
from studium.tutor.labs.reader import read_lab
from studium.tutor.transcripts import read_history
from studium.vocabulary.lyrics.parser import parse_lyrics

MARKDOWN = (
    *(" ", "\n", "\t", "a", "a ", "> a\n", ">", "> [!note]\n", "> [!note] a\n> b\n\n", "> [!question] a?\n> b\n"),
    *(
        "> [!question] a?\n",
        "> [!question] a\n\n> [!answer]\n\n",
        "# a\n",
        "# a\nb\n",
        "[[",
        "[[a]] ",
        "[a](b) ",
        "![[",
    ),
    *("![", "[", "](", "[a](", "(", "{", "{{c1::", "{{c1::a}} ", "`", "` a ", "```\n", "~~~\n", "$", "$a$ ", "$$\n"),
    *("\\(", "*", "**a ", "*a ", "_a ", "==", "==a ", "==a== ", "%%", "%% a\n", "<!--", "<!-- a ", "<", "<b>", "~~ "),
    *("| a ", "| a | b |\n", "|---|---|\n", "::", "a::b ", "std::a::b ", "a::b\n", "Q: a\nA: b\n", "Q: a\n", "A: b\n"),
    *("^a ", "#a ", "#card ", "a #card\nb\n", "---\n", "...\n", "1. a\n", "- a\n", "  - a\n", "?\n", "a\n?\nb\n\n"),
    *(
        "START\n",
        "START\nBasic\nFront: a\nBack: b\nEND\n",
        "STARTI [Basic] a ",
        "Deck: a\n",
        "Tags: a\n",
        "[^1]",
        "http://",
    ),
)
QUOTES = (
    *(" ", "\n", "> a\n", "> a\n\n", "- a\n", "  - a\n", "“a” ", "“", "(p. 1) ", "p. 1\n", "# Quotes\n> a\n", "*", "_"),
    *(
        "Excerpt From\n",
        "Excerpt From\na\nb\n",
        "==========\n",
        "Author: ",
        "**Author** ",
        "<div>",
        "# ",
        "1",
        "a, ",
        '"',
    ),
    *(
        "Book (A)\n- Your Highlight on page 1 | Added\n\nquote\n==========\n",
        "- Your Highlight\n",
        "a,b,c\n",
        "\\n",
        "---\n",
    ),
)
HTML = (
    *("<p>", "<p>a</p>", "<div>", "<b>", "<ul><li>", "<table><tr><td>", "<td>", "<blockquote>", "<br>", "<a href='#'>"),
    *(
        "<span class='note'>b</span>",
        "<div class='note'>",
        "<h2>a</h2>",
        "<math><mi>",
        "<sup>",
        "&amp;",
        "&",
        "<",
        "<!--",
    ),
    *("</", "<script>", "<style>", "<img src='a'>", "<dl><dt>a<dd>b", "<details>", " ", "a ", "<figure>", "<li>a"),
)
ASCIIDOC = (
    *(
        "*",
        "**a",
        "_a ",
        "`",
        "[[",
        "<<a",
        "((",
        "a:: ",
        "{a}",
        ":a: {a}\n",
        "|===\n",
        "|a ",
        "----\n",
        "====\n",
        "-----=\n",
    ),
    *(
        "https://a[",
        "link:a[",
        "footnote:[",
        "ifdef::a[]\n",
        "include::[",
        "+\n",
        "a\n--\n",
        "[a]\n",
        ".a\n",
        ". a\n",
        "a:b[c",
    ),
)
TEXT = (
    *(
        " ",
        "\n",
        "a",
        "a ",
        "a. ",
        "A. ",
        "1",
        "1. ",
        "e.g. ",
        "Dr. ",
        "...",
        "!?",
        "あ",
        "あ。",
        "「",
        "a-\n",
        "“a ",
        "\u0301",
    ),
    *("`", "[", "](", "<", "$", ">\n", "http://a ", "a@", "\u200b", ".)", "(a. "),
)
CONSOLE = (
    *(
        " ",
        "\n",
        "\t",
        "1",
        "1  ",
        "R1#show ip int brief\n",
        "R1#",
        "R1(config)#int g0/0\n",
        "% Invalid input\n",
        "%",
        "^\n",
    ),
    *(
        "\b",
        "a\b",
        "\r",
        "\r\n",
        "\x1b[1D",
        "\x1b[",
        "\x1b]",
        "\x1b[999C",
        "a\x1b[500@",
        "--More-- ",
        "icmp_seq=1 ",
        "!\n",
    ),
    *(
        "interface g0/0\n ip address 1.1.1.1 255.0.0.0\n",
        "router ospf 1\n",
        " network 1.1.1.1 0.0.0.0 area 0\n",
        "1.1.1.1 ",
    ),
)
LYRICS = (
    *(
        " ",
        "\n",
        "a\n",
        "|",
        "| x",
        "| A ",
        "A#m7 ",
        "A ",
        "x2 ",
        "[A] ",
        "[",
        "[00:01.00]",
        "[00:01.00]a\n",
        "(x2) ",
        "-",
    ),
    *("verse ", "(", "[ti:a]\n", "<00:01.00>", "1x1", "作詞", "作詞:", "http://", "\r\n", "あ", "e|---"),
)
TEX = ("{", "}", "\\frac{", "^{", "_", "\\left(", "\\begin{a}", "$", "\\(", "a ", "\\", "\\a", "&", "<b>")

Reader = Callable[[str], object]
SHORT = (16_000,)
LONG = (4_000, 16_000, 64_000)
LONG_ENOUGH = 0.1
MOST_GROWTH = 9.0  # for four times the text; quadratic readers take sixteen times as long
MOST_SECONDS = 5.0


@cache
def readers(folder: Path) -> dict[str, tuple[Reader, tuple[str, ...]]]:
    def file(name: str, text: str) -> Path:
        path = folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def note(text: str) -> None:
        document = read_document(file("a.md", text)).document
        if document:
            read_note(document, name="a.md")

    def lab(text: str) -> None:
        file("lab.yaml", f"id: a\ntitle: |\n  {text}\n")
        read_lab(folder)

    console = "R1#show run\n"
    diagnose = get_default_detector().detect
    return {
        "note": (note, MARKDOWN),
        "markdown": (lambda text: read_document(file("b.md", text)).document, MARKDOWN),
        "card": (lambda text: card_html(text, clozes=True), MARKDOWN),
        "html": (lambda text: read_document(file("a.html", f"<body>{text}")), HTML),
        "jats": (lambda text: read_document(file("a.xml", f"<article><body>{text}</body></article>")), HTML),
        "text": (lambda text: read_document(file("a.txt", text)), TEXT),
        "asciidoc": (lambda text: read_document(file("a.adoc", f"= A\n\n{text}")), (*ASCIIDOC, *TEXT)),
        "quotes": (lambda text: read_quotes(file("q.md", text)), (*QUOTES, *MARKDOWN)),
        "kindle": (
            lambda text: read_quotes(file("q.txt", f"B (A)\n- Your Highlight on page 1 | Added\n\n{text}")),
            QUOTES,
        ),
        "quote table": (lambda text: read_quotes(file("q.csv", f"Title,Author,Highlight\n{text}")), QUOTES),
        "quote page": (lambda text: read_quotes(file("q.html", f"<html><body>{text}")), HTML),
        "lyrics": (parse_lyrics, LYRICS),
        "transcript": (lambda text: read_history(file("a.log", text)), CONSOLE),
        "recording": (lambda text: read_history(file("b.log", console + text)), CONSOLE),
        "diagnose": (lambda text: diagnose("sh ip rout", f"% Invalid input\n{text}", "R1#"), CONSOLE),
        "diagnosed command": (lambda text: diagnose(text, "% Invalid input detected", "R1#"), CONSOLE),
        "configuration": (parse_configuration, CONSOLE),
        "lab": (lab, TEXT),
        "sentences": (lambda text: split_sentences(text, markdown=True), (*TEXT, *MARKDOWN)),
        "words": (lambda text: list(split_words(text)), TEXT),
        "plain": (markdown_to_text, MARKDOWN),
        "visible": (visible_text, HTML),
        "tokens": (tokenize_html, HTML),
        "balance": (is_balanced, HTML),
        "policy": (safe_html, HTML),
        "formulas": (lambda text: render_formulas(f"\\({text}\\)"), TEX),
    }


@pytest.mark.timeout(900)
@pytest.mark.parametrize("sizes", [SHORT, pytest.param(LONG, marks=pytest.mark.endurance)], ids=["short", "long"])
@pytest.mark.parametrize("name", list(readers(Path())))
def test_no_reader_takes_more_than_linear_time(name, sizes, tmp_path):
    read, constructs = readers(tmp_path)[name]
    read("a")
    slow = [told for each in constructs if (told := _super_linear(read, each, sizes))]
    assert not slow, "\n".join(slow)


def _super_linear(read: Reader, construct: str, sizes: tuple[int, ...]) -> str:
    for size in sizes:
        taken = _seconds(read, construct * (size // len(construct)))
        if taken > LONG_ENOUGH and taken / _quarter(read, construct, size) > MOST_GROWTH:
            # Measured again: another process may have disturbed it.
            taken = _seconds(read, construct * (size // len(construct)))
            growth = taken / _quarter(read, construct, size)
            if growth > MOST_GROWTH:
                return f"{construct!r}: {taken:.2f} s for {size} characters, {growth:.1f} times a quarter of it"
        if taken > MOST_SECONDS:
            return f"{construct!r}: {taken:.2f} s for {size} characters"
    return ""


def _quarter(read: Reader, construct: str, size: int) -> float:
    return max(_seconds(read, construct * (size // 4 // len(construct))), 1e-6)


def _seconds(read: Reader, text: str) -> float:
    begin = process_time()
    with suppress(RecursionError):  # those who bound what JSON and YAML nest test that
        read(text)
    return process_time() - begin
