"""From quotes to notes, and how well duplicate concepts are recognised."""

import asyncio
import tempfile
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from studium.core.config import Settings

Row = tuple[str, float, str, str]
READ, DRAWN, NOTES, STEPS = 2000, 500, 1000, 80
LABELLED = ("natural.tsv", "natural_held_out.tsv", "pairs.tsv", "held_out.tsv")
HELD_OUT = ("natural_held_out.tsv", "held_out.tsv")
_WORDS = 3000
_COMMON = ("the", "of", "and", "a", "to", "is", "in", "that", "it", "we", "not", "be", "our", "life", "time")


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        settings = Settings(home=place / "home", embedder="none")
        asyncio.run(_parse(settings, _book(place / "Warm.md", 5)))
        read = _cpu(_parse(settings, _book(place / "Long.md", READ)))
        asyncio.run(_parse(settings, _book(place / "Short.md", DRAWN)))
        drawn = _cpu(_extract(settings, "Short"))
        steps, kept = asyncio.run(_long_review(settings, "Short"))
        return [
            (f"{READ} quotes parsed and kept, embeddings aside", read, "CPU s", "<= 1"),
            (f"concepts drawn from {DRAWN} quotes by `rules`, embeddings aside", drawn, "CPU s", ""),
            (f"checkpoints of a review of {steps} steps over {DRAWN} quotes", kept, "MB", "< 5"),
            (f"{NOTES} notes written to a vault", _publish(place), "CPU s", ""),
            *_sameness(),
        ]


async def _parse(settings: Settings, file: Path) -> None:
    from studium.concepts.use_cases import parse

    await parse(settings, file, title="", author="")


async def _extract(settings: Settings, book: str) -> None:
    from studium.concepts.use_cases import extract

    outcome = await extract(settings, book, again=False)
    assert outcome.waiting


async def _long_review(settings: Settings, name: str) -> tuple[int, float]:
    """Answer every round with a change, up to a number of steps; returns the steps and the size of the file in MB."""
    from studium.concepts.proposal import ProposalChange, ReviewAnswer
    from studium.concepts.search import book_by_name
    from studium.concepts.setup import concept_graph, open_extraction
    from studium.core.app import open_app

    with concept_graph(settings) as graph:
        book = book_by_name(graph, name)
        async with open_app(settings) as app, open_extraction(app, graph) as extraction:
            config: Any = {"configurable": {"thread_id": book.uuid}}
            while (step := (await extraction.graph.aget_state(config)).metadata["step"]) < STEPS:
                waiting = await extraction.waiting_round(book)
                if waiting is None:  # all rounds are over; continue from the last state
                    await extraction.run(book)
                    continue
                one = waiting.proposal.live_concepts[step % len(waiting.proposal.live_concepts)]
                change = ProposalChange(
                    action="edit", concept=one.key, analysis=f"What was thought of it at step {step}."
                )
                await extraction.answer(book, ReviewAnswer(changes=(change,)))
    path = Path(settings.checkpoints_url.removeprefix("sqlite:///"))
    return step, sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*")) / 1e6


def _publish(place: Path) -> float:
    from bench.concepts import approved
    from studium.concepts.graph_store.sqlite import SqliteConceptGraph
    from studium.concepts.notes.vault import ConceptVault
    from studium.core.database import Database

    notes = place / "vault"
    notes.mkdir()
    with (
        closing(SqliteConceptGraph(place / "notes.db")) as graph,
        closing(Database.open(f"sqlite:///{place / 'notes.database'}")) as database,
    ):
        graph.commit(approved(NOTES, 3 * NOTES))
        started = process_time()
        published = ConceptVault(folder=notes, graph=graph, database=database).publish()
        assert len(published.written) == NOTES
        return process_time() - started


def _sameness() -> list[Row]:
    from tests.concepts.rules.duplicate_detection.measure import embedded, judged_same, labelled, score

    from studium.concepts.rules.spanish_gloss import embed_with_gloss
    from studium.core.llm.embeddings import build_embedder

    embedder = build_embedder("minilm")
    assert embedder is not None
    rows = []
    for what, names in (("all", LABELLED), ("held out", HELD_OUT)):
        pairs = embedded([pair for name in names for pair in labelled(name)], embed_with_gloss(embedder.embed))
        found = score(pairs, judged_same)
        rows.append((f"same concept or not, {len(pairs)} labelled pairs ({what})", found.f1, "F1", ">= 0.85"))
    return rows


def _cpu(work: Coroutine[Any, Any, None]) -> float:
    started = process_time()
    asyncio.run(work)
    return process_time() - started


def _book(path: Path, quotes: int) -> Path:
    """A book whose word frequencies are like those of a language."""
    chance = np.random.default_rng(quotes)
    words = np.array([_word(rank) for rank in range(_WORDS)])
    shares = 1 / np.arange(2, _WORDS + 2)
    lines = [f"---\ntitle: {path.stem}\nauthor: A. Writer\n---\n\n# Quotes\n"]
    for number in range(quotes):
        if number % 25 == 0:
            lines.append(f"## Chapter {number // 25 + 1}\n")
        said = " ".join(chance.choice(words, chance.integers(8, 40), p=shares / shares.sum()))
        lines.append(f"{said.capitalize()}. (p. {number // 3 + 1})\n")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _word(rank: int) -> str:
    """The most common words are English; the others are made up, short ones first."""
    if rank < len(_COMMON):
        return _COMMON[rank]
    syllables = ("ba", "con", "der", "fi", "gra", "hel", "li", "mon", "pe", "quo", "ras", "ti", "vel", "wo")
    word = ""
    while rank:
        rank, rest = divmod(rank, len(syllables))
        word += syllables[rest]
    return word
