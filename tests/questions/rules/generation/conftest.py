"""Documents of several genres, and the question loop's part that asks."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from studium.core.documents.registry import read_document
from studium.core.domain.document import Document
from studium.core.domain.skill import Tool
from studium.questions.document_tools import ReadLines, read_lines
from studium.questions.rules.generation.generate import generate
from studium.questions.skills import Candidate, Exhausted, GenerateInput

GENRES = Path(__file__).with_name("genres")
LANGUAGES = {"bericht.md": "de", "articulo.md": "es"}
Asking = Callable[..., Awaitable[Candidate | Exhausted]]


def document_of(path: Path) -> Document:
    document = read_document(path).document
    assert document is not None
    return document


@pytest.fixture(params=sorted(path.name for path in GENRES.iterdir()))
def genre(request) -> str:
    return request.param


@pytest.fixture
def written(tmp_path) -> Callable[[str], Document]:
    """A document of a text."""

    def write(text: str) -> Document:
        path = tmp_path / "document.md"
        path.write_text(text)
        return document_of(path)

    return write


@pytest.fixture
def ask() -> Asking:
    """The next question about a document, with what else it is told."""

    async def one(document: Document, **told) -> Candidate | Exhausted:
        given = GenerateInput(
            **{"document": document.id, "title": document.path, "line_count": document.line_count, "language": "en"}
            | told
        )
        return await generate(given, [Tool("read_lines", "", ReadLines, partial(read_lines, document))])

    return one


@pytest.fixture
def ask_all(ask) -> Callable[..., Awaitable[list[Candidate]]]:
    """Every question about a document, one after the other."""

    async def all_of(document: Document, **told) -> list[Candidate]:
        found: list[Candidate] = []
        while isinstance(
            next_one := await ask(document, asked=tuple(each.question for each in found), **told), Candidate
        ):
            found.append(next_one)
        return found

    return all_of


@pytest.fixture
def candidates(ask_all) -> Callable[[str], Awaitable[tuple[Document, list[Candidate]]]]:
    """A document of a genre, and all questions about it."""

    async def of(name: str) -> tuple[Document, list[Candidate]]:
        document = document_of(GENRES / name)
        return document, await ask_all(document, language=LANGUAGES.get(name, "en"))

    return of


@pytest.fixture
def answers(candidates) -> Callable[[str], Awaitable[dict[str, str]]]:
    """All questions about a document of a genre, with their answers."""

    async def of(name: str) -> dict[str, str]:
        _, found = await candidates(name)
        return {each.question: each.answer for each in found}

    return of
