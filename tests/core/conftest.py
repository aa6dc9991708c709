import json
from pathlib import Path

import pytest

from studium.core.domain.document import Passage, content_id
from studium.core.domain.finding import Locator
from studium.core.llm.embeddings import MiniLM


@pytest.fixture(scope="session")
def minilm():
    return MiniLM()


@pytest.fixture(scope="session")
def facts():
    """Passages and, for each, a question asked in other words."""
    pairs = json.loads(Path(__file__).with_name("facts.json").read_text(encoding="utf-8"))
    return [
        (Passage(content_id(text), text, Locator(path="facts.md", line=line, end_line=line)), question)
        for line, (text, question) in enumerate(pairs, 1)
    ]
