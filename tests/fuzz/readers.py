"""How the product reads each format: what a case runs, given an empty folder, a file name and the file's bytes.

A reader reads as far as the product does with a file of a stranger: the pages of a document, the cards of a note and
their HTML, the quotes of a book matched with themselves.
"""

import asyncio
from collections.abc import Callable
from functools import cache
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any

Reader = Callable[[Path, str, bytes], object]

_PAGES = 3
_CARDS = 5
_COMMANDS = 4
_CPU_SECONDS = 5


def _saved(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def note(folder: Path, name: str, data: bytes) -> object:
    """A note of a vault: its cards and their HTML, and its place in the curriculum."""
    from studium.anki.markdown import safe_html
    from studium.cards.curriculum import vault_curriculum
    from studium.cards.notes import read_note
    from studium.core.documents.registry import read_document
    from studium.core.text.html_policy import sandboxed_document

    document = read_document(_saved(folder, name, data)).document
    if document is not None:
        cards = read_note(document, name=name).cards
        for card in cards[:_CARDS]:
            sandboxed_document(safe_html(card.front, clozes=card.kind == "cloze"))
            safe_html(card.back, clozes=False)
    return vault_curriculum(folder, ())


def document(folder: Path, name: str, data: bytes) -> object:
    """A document: the text, the blocks and the pictures of its first pages."""
    from studium.core.documents.registry import read_document
    from studium.core.domain.finding import DOCUMENT_FAULT

    reading = read_document(_saved(folder, name, data))
    if reading.document is None:
        assert reading.findings, "a document that cannot be read has a finding"
        assert reading.findings[0].code != DOCUMENT_FAULT, reading.findings[0].message
        return reading.findings
    pages = [(page.text, page.blocks(), page.pictures()) for page in islice(reading.document.pages, _PAGES)]
    for finding in (*reading.findings, *reading.document.page_findings):
        assert finding.code != DOCUMENT_FAULT, finding.message
    return pages


def apart(folder: Path, name: str, data: bytes) -> object:
    """A document as a reader process of the product reads it: past its memory or its depth, the file gets a finding."""
    from studium.core import reader_process
    from studium.core.documents.pdf import reader
    from studium.core.process_limits import ReadLimits, call_within

    reader_process._is_reader = True
    # The text in pictures is not recognised, which takes seconds a page by design.
    reader.is_ocr_available = lambda: False
    outcome, value = call_within(ReadLimits(cpu_seconds=_CPU_SECONDS), document, (folder, name, data))
    if outcome == "raised":
        raise value
    return outcome


def song(folder: Path, name: str, data: bytes) -> object:
    """A file of lyrics, or an audio file."""
    from studium.vocabulary.lyrics.files import read_lyrics

    reading = read_lyrics(_saved(folder, name, data))
    assert reading.lyrics or reading.findings
    return reading


def quotes(folder: Path, name: str, data: bytes) -> object:
    """A file of quotes; what it holds is read once more beside what is kept of it."""
    from studium.concepts.quotes.match import match_quotes
    from studium.concepts.quotes.reader import read_quotes

    reading = read_quotes(_saved(folder, name, data))
    assert reading.books or reading.findings
    for book in reading.books[:3]:
        kept = match_quotes(book.quotes, (), new_uuid=str).quotes
        match_quotes(book.quotes, kept, new_uuid=str)
    return reading


def transcript(folder: Path, name: str, data: bytes) -> object:
    """A recording of a console, and what is wrong with its first commands."""
    from studium.tutor.transcripts import read_history

    reading = read_history(_saved(folder, name, data))
    for each in reading.typed[:_COMMANDS]:
        _diagnosed(each.command, each.output, each.prompt)
    return reading


def diagnosis(_folder: Path, name: str, data: bytes) -> object:
    """A command and its output, as `/tutor/diagnose` takes them; the name is the prompt."""
    command, _, output = data.decode("utf-8", "replace").partition("\n")
    return _diagnosed(command[:1_000] or "x", output[:100_000], name or None)


def _diagnosed(command: str, output: str, prompt: str | None) -> object:
    from studium.tutor.pattern_learning import find_complaint
    from studium.tutor.use_cases import diagnose

    find_complaint(command, output)
    return diagnose(_settings(), command, output, prompt)


@cache
def _settings() -> Any:
    from studium.core.config import Settings

    return Settings()


_CONFIGURATION = f"interface eth0\n description {'a' * 200} {'ab ' * 60}\n ip address 10.0.0.1/24\nexit"


def console(_folder: Path, _name: str, data: bytes) -> object:
    """Commands typed at a router of a lab."""
    from tests.tutor.devices.ios.offline_router import OfflineRouter

    from studium.tutor.devices.ios.device import IosDevice

    router = IosDevice(OfflineRouter("r1", _CONFIGURATION), {"GigabitEthernet0/0": "eth0"})
    lines = ("enable", "configure terminal", *data.decode("utf-8", "replace").split("\n"))
    return [router.run(line[:1_000]) for line in lines[:30]]


def lab(folder: Path, name: str, data: bytes) -> object:
    """The folder of a lab with this file in it: `lab.yaml` or `quiz.yaml`."""
    from studium.tutor.labs.reader import read_lab
    from studium.tutor.quiz import load_questions

    _saved(folder, name, data)
    if name == "quiz.yaml":
        return load_questions(folder)
    reading = read_lab(folder)
    assert reading.lab or reading.findings
    return reading


def formula(_folder: Path, name: str, data: bytes) -> object:
    """TeX in a card; the name says whether it stands in brackets of its own."""
    from studium.core.text.formulas import render_formulas, strip_tags_in_formulas

    tex = data.decode("utf-8", "replace")
    html = rf"\({escape(tex)}\)" if name == "inline" else rf"<p>{tex}</p>" if name == "free" else rf"\[{escape(tex)}\]"
    return render_formulas(html), strip_tags_in_formulas(html)


def settings_file(folder: Path, name: str, data: bytes) -> object:
    """A settings file."""
    from studium.core.config import load_settings

    return load_settings(_saved(folder, name, data))


def corpus(folder: Path, name: str, data: bytes) -> object:
    """A corpus beside the documents."""
    from studium.questions.corpus import read_corpus

    return read_corpus(_saved(folder, name, data))


def review(folder: Path, name: str, data: bytes) -> object:
    """An edited proposal: the document in the editor, or a file of changes."""
    from studium.concepts.cli import ReviewOptions
    from studium.concepts.proposal_edits.apply import apply_changes
    from studium.concepts.proposal_edits.document import document_changes
    from studium.core.runs.review_text import parse_yaml

    if name.startswith("changes"):
        changes = ReviewOptions(file=_saved(folder, name, data)).changes()
    else:
        changes = document_changes(_proposal(), parse_yaml(data.decode("utf-8", "replace")))
    return apply_changes(_proposal(), changes, quotes=_QUOTES, new_uuid=lambda title, _: title)


_QUOTES = ("q1", "q2", "q3")


@cache
def _proposal() -> Any:
    from studium.concepts.domain import RelationType
    from studium.concepts.proposal import CandidateConcept, CandidateRelation, Proposal, SupportingQuote

    concepts = tuple(
        CandidateConcept(
            key=f"c{n}", uuid=f"c{n}", title=f"Idea {n}", concept="One.", quotes=(SupportingQuote(quote=f"q{n}"),)
        )
        for n in (1, 2)
    )
    relation = CandidateRelation(source="c1", target="c2", type=next(iter(RelationType)), reasoning="why")
    return Proposal(concepts=concepts, relations=(relation,), unattributed=("q3",))


def api(folder: Path, name: str, data: bytes) -> object:
    """A request to the API; the name is its method, its path and the type of its body."""
    method, path, kind = name.split(" ", 2)
    status = _server(folder.parent).run(_sent(method, path, kind, data))
    assert status < 500 or status in (503, 507), f"{method} {path} answered {status}"
    return status


async def _sent(method: str, path: str, kind: str, body: bytes) -> int:
    from httpx import ASGITransport, AsyncClient

    transport = ASGITransport(app=_app["app"], raise_app_exceptions=True)
    async with AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        headers = {"content-type": kind, "host": "127.0.0.1"}
        return (await client.request(method, path, content=body, headers=headers)).status_code


_app: dict[str, Any] = {}


@cache
def _server(folder: Path) -> asyncio.Runner:
    """The app in an event loop of this process: threads and connections do not outlive a fork."""
    from studium.core.config import load_settings
    from studium.core.jobs.service import open_service
    from studium.http.app import create_app

    settings = load_settings(overrides=(f"home={folder / 'home'}", "embedder=none"))
    runner = asyncio.Runner()

    async def open_() -> None:
        _app["app"] = create_app(settings)
        _app["open"] = open_service(settings, go_on=False)
        _app["app"].state.service = service = await _app["open"].__aenter__()
        service.jobs._slots = asyncio.Semaphore(0)  # it accepts jobs and never runs them

    runner.run(open_())
    return runner


READERS: dict[str, Reader] = {
    "note": note,
    "pdf": apart,
    "epub": apart,
    "html": apart,
    "jats": apart,
    "text": document,
    "asciidoc": document,
    "lyrics": song,
    "audio": song,
    "quotes": quotes,
    "transcript": transcript,
    "diagnosis": diagnosis,
    "console": console,
    "lab": lab,
    "formula": formula,
    "settings": settings_file,
    "corpus": corpus,
    "review": review,
    "api": api,
}

PREPARE: dict[str, Callable[[Path], object]] = {
    "api": _server,
}
"""What each child opens before its first case, which is not measured."""

WARM_UP: dict[str, tuple[str, bytes]] = {
    "note": ("warm.md", b"---\ntags: a\n---\nWhat is $x$?::That. ==c== #cloze"),
    "text": ("warm.txt", b"x"),
    "asciidoc": ("warm.adoc", b"= x"),
    "lyrics": ("warm.txt", "夢".encode()),
    "audio": ("warm.mp3", b"ID3"),
    "quotes": ("warm.md", b"# Quotes\n\n> one quote of some words (p. 3)\n"),
    "transcript": ("warm.txt", b"R1#show ip rout\n% Invalid input detected\n"),
    "console": ("", b"show running-config | include x"),
    "lab": ("lab.yaml", b"id: x"),
    "formula": ("inline", b"x"),
    "settings": ("studium.yaml", b"embedder: none"),
    "corpus": ("corpus.yaml", b"name: x"),
    "review": ("document.yaml", b"concepts: []\nrelations: []"),
}
"""What loads the tables of a reader before the children are forked; only of those that start no process or thread."""

MODULES = {
    "pdf": "studium.core.documents.pdf",
    "epub": "studium.core.documents.epub",
    "html": "studium.core.documents.html",
    "jats": "studium.core.documents.jats",
    "api": "studium.http.app",
}
"""What is only loaded."""

APART = tuple(name for name, read in READERS.items() if read is apart)
"""What the product reads in a process with limits, which may end for want of memory."""
