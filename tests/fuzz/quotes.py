"""Files of quotes: clippings, tables, excerpts, annotations, Markdown, web pages, and what other tools export."""
# ruff: noqa: E501 - tables read better in long lines

import json
import sqlite3
from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from tests.fuzz.markup import HTML_LINES, HTML_MARKS
from tests.fuzz.notes import YAML_LINES, YAML_MARKS
from tests.fuzz.pieces import TIMES, WORDS, Case, damaged, encoded, files, repeated, texts

_EXAMPLES = Path(__file__).parents[1] / "concepts" / "quotes" / "files"

_CLIPPINGS = (
    "{} ({})", "Walden (Thoreau, Henry David)", "- Your Highlight on page {} | Location {}-{} | Added on {}", "- Your Note on Location {}", "- La subrayado en la página {}", "- {} ページ|位置No. {}のハイライト", "- 您在位置 #{}的标注", "==========", "={}=", "{}",
    "- Your Highlight on page {}\n\n{}\n==========\nWalden\n- Your Note on page {}\n\n{}\n==========", "<You have reached the clipping limit {}>", "Walden\n- Your Highlight at location {}-{}\n\n{}\n==========",
)  # fmt: skip
_TABLE = (
    "Highlight,Book Title,Book Author,Location,Note", "Highlight;Title;Author", "Text\tTitle\tPage", "Annotation Type,Location,Starred?,Annotation", "Your Kindle Notes For:", "by {}", '"{}","{}","{}",{},"{}"', '"{}', "{},{},{}", "{};{};{}", "{}\t{}", '"Highlight (Yellow)","Page {}","","{}"', '""{}""', ",,,,",
)  # fmt: skip
_APPLE = (
    "“{}”",
    "Excerpt From",
    "Excerpt From: {}. “{}.” Apple Books.",
    "Excerpt From\n{}\n{}",
    "Extracto de {}",
    "This material may be protected by copyright.",
    "https://books.apple.com/{}",
    "Notes From",
    "Notes from\n{}\n\n{}\nMay {}, 2024\n{}",
    "抜粋: {}",
    "{} 2024",
    "2024年{}月1日",
)
_ANNOT = (
    "<annotationSet xmlns='x'>", "<publication><title>{}</title><creator>{}</creator></publication>", "<annotation><target><fragment><text>{}</text></fragment></target><content><text>{}</text></content></annotation>", "</annotationSet>", "<annotation>", "<text>{}", "&{};", "<![CDATA[{}]]>", "<?xml version='1.0' encoding='{}'?>",
)  # fmt: skip
_MARKDOWN = (
    "# Citas", "# Quotes", "## Highlights from {}", "# {}", "> {}", "> {} (p. {})", "> [!quote] {}\n> {}", "> {}\n> — {}, p. {}", "- {}", "  - {} (pp. {}-{})", "* “{}” - {}", "1. {}", "Nota: {}", "**Note:** {}", "→ {}", "(p. {})", "Loc {}", "p. {}–{}", "[{}]", "第{}頁", "“{}”", "« {} »", "「{}」", "***{}***", "=={}==", "```\n{}\n```",
    "{}\n===", "---", "#{} #{}", "<!-- {} -->", "![[{}]]", "{} p. {}", "{}  ", "{}\\", "{}<br>", "by {}", "Author: {}", "Title: {}", "Capítulo {}", "---\ntitle: {}\nauthor: {}\n---", "{} ... {}", "{} [[{}|{}]] {}",
)  # fmt: skip
_MARKS = (
    "> ", ">", "- ", "  - ", "* ", "#", "# ", "“", "”", "«", '"', "'", "*", "_", "=", "==", "(", "[", "[[", "(p. 1", "p. 1, ", "1-", "1,", "1 and ", "1,000", "ix", "Loc ", "—", "--", " - ", ".", ". ", "...", ",", ";", '","', "\t", " ", "\n", "a", "a ", "A", "9", "夢", "|", "<br>", "\\", "==========\n", "<text>", "Excerpt From\n", "no ", "-\n",
)  # fmt: skip
_OTHERS = (
    '{"title": "{}", "author": "{}", "highlights": [{"text": "{}", "location": {"value": {}}}]}', '[{"text": "{}", "note": "{}"}]', '{"asin": "{}", "highlights": [', 'return {["highlight"] = {[{}] = {["text"] = "{}"}}}', "-- KOReader\nreturn {", '["text"] = "{}",', "}", "{{", "[{}]",
)  # fmt: skip


@cache
def _examples() -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in sorted(_EXAMPLES.iterdir()) if path.suffix != ".yaml"]


@cache
def _kobo_database() -> bytes:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE Bookmark (Text TEXT, Annotation TEXT, VolumeID TEXT)")
    database.execute("INSERT INTO Bookmark VALUES ('It is a quote.', 'note', 'Walden')")
    database.commit()
    return database.serialize()


@st.composite
def _exported(draw: st.DrawFn) -> Case:
    """What a tool wrote, with one of its pieces many times, and damaged."""
    name, data = draw(st.sampled_from(_examples()))
    start, size = draw(st.integers(0, 4_000)), draw(st.sampled_from([1, 2, 10, 60, 400]))
    piece = data[start : start + size]
    times = min(draw(TIMES), 300_000 // max(len(piece), 1))
    return name, draw(damaged(st.just(data[:start] + piece * times + data[start:]), often=2))


def _json(word: str, many: int) -> str:
    quotes = [{"text": word, "location": {"value": many}, "note": None}] * min(many, 3_000)
    return json.dumps({"title": word, "authors": word, "highlights": quotes})


def quotes() -> st.SearchStrategy[Case]:
    """Files of quotes of every kind."""
    names = ("quotes.md", "My Clippings.txt", "quotes.csv", "notes.html", "book.annot", "Author - Title.txt")
    grammars = (
        texts(_MARKDOWN, _MARKS, most=10), texts(_CLIPPINGS, _MARKS, most=10), texts(_TABLE, _MARKS), texts(_APPLE, _MARKS), texts(_ANNOT, _MARKS),
        texts(_OTHERS, (*_MARKS, "[", "{", "{{", '":')), texts(HTML_LINES, HTML_MARKS), texts(YAML_LINES, YAML_MARKS).map("---\n{}\n---\n> x".format),
        texts(_MARKDOWN, _MARKS).map("# Citas\n\n{}".format), st.builds(_json, WORDS, TIMES),
        st.builds(lambda line, times: "# Quotes\n" + repeated(line + "\n\n", times), st.sampled_from(_MARKDOWN), TIMES),
    )  # fmt: skip
    made = [files(names, each) for each in grammars]
    database = st.tuples(st.just("KoboReader.sqlite"), damaged(st.just(_kobo_database()), often=2))
    kindle = st.tuples(st.just("My Clippings.txt"), damaged(encoded(texts(_CLIPPINGS, _MARKS, most=12))))
    return st.one_of(_exported(), _exported(), kindle, database, *made)
