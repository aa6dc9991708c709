"""Pairs as a run over two documents leaves them."""

import pytest

from studium.core.documents.registry import read_document
from studium.core.domain.finding import Evidence, Locator
from studium.questions.chunks import ChunkedCorpus
from studium.questions.domain import GenerationMetadata, QAPair


def make_pair(question: str, answer: str, *quotes: str, document: str = "docs/lamps.md", page: int | None = None):
    refs = tuple(
        Evidence(passage=f"p{line}", quote=quote, where=Locator(path=document, line=line, end_line=line, page=page))
        for line, quote in enumerate(quotes, 7)
    )
    made = GenerationMetadata(generator_model="rules", validator_model="rules", attempt_number=1)
    return QAPair(question=question, answer=answer, source_document=document, evidence=refs, generation_metadata=made)


@pytest.fixture
def pair():
    return make_pair


@pytest.fixture
def pairs():
    return [
        make_pair("How long does the lamp burn?", "7 hours", "The lamp burns for 7 hours.", "Seven hours, | no more."),
        make_pair("¿Cuánto mide la torre?", "41 m", "La torre mide\n41 m.", document="docs/faro.pdf", page=3),
        make_pair("What does 灯台 mean?", 'A "lighthouse", <b>tower</b>', "灯台: a lighthouse"),
    ]


LAMPS = """\
# Lamps

Keepers fill the lamp at dusk. The lamp burns for 7 hours. Then it is out.

Seven hours, | no more.

灯台: a lighthouse
"""


@pytest.fixture
def corpus(tmp_path):
    """The document of two of the pairs; that of the third is gone."""
    path = tmp_path / "lamps.md"
    path.write_text(LAMPS, encoding="utf-8")
    return ChunkedCorpus({"docs/lamps.md": read_document(path).document}, missing=("docs/faro.pdf",))


@pytest.fixture
def kinds():
    """A pair of each kind that has a form of its own."""
    quote = "Tarn Light was built by Odile Marrack in 1823."
    who = {"asks": "Who built Tarn Light?", "expected": "Odile Marrack"}
    cloze = make_pair("Tarn Light was built by _____ in 1823.", "Odile Marrack", quote)
    choice = make_pair("Who built Tarn Light?", "Odile Marrack", quote)
    true = make_pair("True or false: Tarn Light was built by Ida Brandt in 1823.", "False", quote)
    names = ("Ida Brandt", "Odile Marrack", "Olaf Lund", "Erik Dahl")
    return [
        cloze.model_copy(update=who | {"kind": "cloze", "difficulty": "medium"}),
        choice.model_copy(update=who | {"kind": "multiple_choice", "difficulty": "easy", "choices": names}),
        true.model_copy(update=who | {"kind": "true_false", "difficulty": "easy"}),
    ]
