"""What documents are, before anything is asked about them: words, pages, language and kind."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from studium.core.domain.errors import LimitPassed
from studium.core.domain.value import Value
from studium.core.process_limits import OCR_TIMES
from studium.core.reader_process import outside_server
from studium.core.text.tokens import count_words

MOST_SURVEYED = 100
"""Of more documents than this, as many are opened, evenly spread, and the rest is assumed to be like them."""
_LANGUAGE_SAMPLE = 20_000


class DocumentSurvey(Value):
    """What one document is; `problem` says why it cannot be read."""

    path: str
    kind: str
    words: int = 0
    pages: int = 0
    language: str = "und"
    problem: str = ""


def survey_documents(paths: Sequence[Path]) -> list[DocumentSurvey]:
    """Open the documents, or an even sample of many, and say what they are."""
    step = max(1, -(-len(paths) // MOST_SURVEYED))
    return [_survey_version(path, _version(path)) for path in paths[::step]]


def _version(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=1000)
def _survey_version(path: Path, _version: tuple[int, int]) -> DocumentSurvey:
    """A page asks again whenever a field of its form changes: an unchanged file is opened once."""
    try:
        return survey_document(path)
    except LimitPassed as passed:
        return DocumentSurvey(path=str(path), kind=path.suffix.lower().lstrip("."), problem=str(passed))


@outside_server(lambda path: path.name, times=OCR_TIMES)
def survey_document(path: Path) -> DocumentSurvey:
    """Open one document and say what it is."""
    from studium.core.documents.registry import read_document
    from studium.core.text.language_detection import detect_language

    kind = path.suffix.lower().lstrip(".")
    reading = read_document(path)
    document = reading.document
    if document is None:
        return DocumentSurvey(path=str(path), kind=kind, problem="; ".join(map(str, reading.findings)))
    pages = len(document.pages) if document.pages and document.pages[0].number is not None else 0
    language = detect_language(document.text[:_LANGUAGE_SAMPLE]).code
    return DocumentSurvey(path=str(path), kind=kind, words=count_words(document.text), pages=pages, language=language)
