"""Scores the concepts: quotes read out of files of many programs, and ideas of two books told apart."""

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
    """How many files give exactly the books and quotes that are expected."""
    exact, wrong = 0, []
    expectations = sorted(material.find("quotes").glob(f"*{EXPECTED}"))
    for told in expectations:
        expected = json.loads(told.read_text("utf-8"))
        found = list(_differences(expected["books"], told.parent / expected["file"]))
        exact += not found
        wrong += [f"{expected['file']}: {difference}" for difference in found]
    return Score({"exact": exact, "of": len(expectations)}, wrong)


def score_merges(material: Material) -> Score:
    """How many pairs of different ideas are taken for one, and how many of the same idea are recognised."""
    with material.find("merges.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    told = asyncio.run(_compare(material.settings("merges"), rows))
    count = Counter((row["verdict"], is_same) for row, is_same in zip(rows, told, strict=True))
    figures = {
        "false": count["different", True],
        "different": count["different", True] + count["different", False],
        "found": count["same", True],
        "same": count["same", True] + count["same", False],
    }
    wrong = [
        f"{row['verdict']} {row['languages']}: {row['title_a']} | {row['title_b']}"
        for row, is_same in zip(rows, told, strict=True)
        if is_same != (row["verdict"] == "same")
    ]
    return Score(figures, wrong)


def _differences(expected: Sequence[dict[str, Any]], file: Path) -> Iterator[str]:
    """What differs between the books that are expected of a file and those that are read."""
    books: Sequence[QuotedBook] = ()
    try:
        books = preview_quotes(file).books
    except BadInput:
        pass  # there is no quote in it; whether one is expected is told below
    except Exception as error:  # noqa: BLE001 - whatever it is, this file is not read and the others are
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
    """Whether each pair is told to be one idea, as a candidate is compared with a kept concept."""
    async with open_app(settings) as app:
        told = []
        for row in rows:
            one = ConceptView(key="a", title=row["title_a"], concept=row["text_a"])
            other = ConceptView(key="b", title=row["title_b"], concept=row["text_b"])
            given = DuplicatesInput(candidate=one, others=(other,), similarities=(0.0,))
            answer = (await app.model.answer(DUPLICATES, given)).output
            told.append(answer is not None and any(each.verdict == "same" for each in answer.compared))
        return told


SETS = {"quotes": score_quotes, "merges": score_merges}
