"""Documents in several genres and languages, and questions about them."""

import json
from pathlib import Path

import pytest

from studium.core.documents.registry import read_document
from studium.core.domain.skill import Tool
from studium.questions.document_tools import ReadLines, read_lines
from studium.questions.rules.validation.validate import validate
from studium.questions.skills import ValidateInput

HERE = Path(__file__).parent


class Reader:
    """Asks the validator about one document, through the tool that a model would use."""

    def __init__(self, path):
        self.document = read_document(path).document

    async def ask(self, question):
        document = self.document
        tool = Tool("read_lines", "Read lines.", ReadLines, lambda wanted: read_lines(document, wanted))
        given = ValidateInput(
            document=document.id, title=document.path, line_count=document.line_count, question=question
        )
        return await validate(given, [tool])


@pytest.fixture(scope="session")
def readers():
    return {path.name: Reader(path) for path in (HERE / "documents").iterdir()}


@pytest.fixture
def written(tmp_path):
    """A document with the given text."""

    def write(text, name="document.md"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return Reader(path)

    return write


@pytest.fixture(scope="session")
def cases():
    lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [{"verdict": "correct"} | json.loads(line) for line in lines]
