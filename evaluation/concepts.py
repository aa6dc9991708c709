"""Scores the concepts: quotes read from files of many programs, and duplicate concepts of two books."""

import asyncio
import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.material import Material, Score
from studium.concepts.quotes.book import QuotedBook
from studium.concepts.skills import DUPLICATES, ConceptView, DuplicatesInput
from studium.concepts.use_cases import preview_quotes
from studium.core.app import open_app
from studium.core.config import Settings
from studium.core.domain.errors import BadInput

EXPECTED = ".expected.json"


def score_quotes(material: Material) -> Score:
    """How many files give exactly the expected books and quotes."""
    exact, wrong = 0, []
    expectations = sorted(material.find("quotes").glob(f"*{EXPECTED}"))
    for path in expectations:
        expected = json.loads(path.read_text("utf-8"))
        found = list(_differences(expected["books"], path.parent / expected["file"]))
        exact += not found
        wrong += [f"{expected['file']}: {difference}" for difference in found]
    return Score({"exact": exact, "of": len(expectations)}, wrong)


def score_merges(material: Material) -> Score:
    """How many pairs of different concepts are merged, and how many duplicates are recognised."""
    with material.find("merges.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    judged = asyncio.run(_compare(material.settings("merges"), rows))
    count = Counter((row["verdict"], is_same) for row, is_same in zip(rows, judged, strict=True))
    figures = {
        "false": count["different", True],
        "different": count["different", True] + count["different", False],
        "found": count["same", True],
        "same": count["same", True] + count["same", False],
    }
    wrong = [
        f"{row['verdict']} {row['languages']}: {row['title_a']} | {row['title_b']}"
        for row, is_same in zip(rows, judged, strict=True)
        if is_same != (row["verdict"] == "same")
    ]
    return Score(figures, wrong)


def _differences(expected: Sequence[dict[str, Any]], file: Path) -> Iterator[str]:
    """The differences between the expected books of a file and those that were read."""
    books: Sequence[QuotedBook] = ()
    try:
        books = preview_quotes(file).books
    except BadInput:
        pass  # it has no quotes; whether any are expected is checked below
    except Exception as error:  # noqa: BLE001 - any failure counts against this file only
        yield f"{type(error).__name__}: {error}"
    for want in expected:
        have = next((book for book in books if book.title == want["title"]), None)
        if have is None and len(expected) == 1 and books:
            have = books[0]
        if have is None:
            yield f"no book {want['title']}"
            continue
        if want["title"] not in (None, have.title) or want["author"] not in (None, have.author):
            yield f"book {have.title} by {have.author}, expected {want['title']} by {want['author']}"
        yield from _quote_differences(want["quotes"], have)


def _quote_differences(expected: Sequence[dict[str, Any]], book: QuotedBook) -> Iterator[str]:
    left = {quote.text: quote for quote in book.quotes}
    for want in expected:
        have = left.pop(want["text"], None)
        if have is None:
            yield f"lost {want['text']!r}"
            continue
        place = want.get("page") or (f"loc. {want['location']}" if "location" in want else "")
        for name, mine, theirs in (
            ("place", have.page_reference, place),
            ("section", have.section, want.get("section", have.section)),
            ("note", have.note, want.get("note", "")),
        ):
            if mine != theirs:
                yield f"{name} {mine!r}, expected {theirs!r}, of {want['text']!r}"
    yield from (f"extra {text!r}" for text in left)


async def _compare(settings: Settings, rows: Sequence[Mapping[str, str]]) -> list[bool]:
    """Whether each pair counts as one concept, compared as a candidate with a stored concept."""
    async with open_app(settings) as app:
        judged = []
        for row in rows:
            one = ConceptView(key="a", title=row["title_a"], concept=row["text_a"])
            other = ConceptView(key="b", title=row["title_b"], concept=row["text_b"])
            given = DuplicatesInput(candidate=one, others=(other,), similarities=(0.0,))
            answer = (await app.model.answer(DUPLICATES, given)).output
            judged.append(answer is not None and any(each.verdict == "same" for each in answer.compared))
        return judged


SETS = {"quotes": score_quotes, "merges": score_merges}
