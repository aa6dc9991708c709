"""Words as they stand in a song, written the short way."""

import pytest

from studium.vocabulary.domain import WordToken

PARTICLES = set("のをはがにへともで")


@pytest.fixture
def sung():
    """`夜 の 空 / 夜 の 星` as words: a slash begins the next line, particles carry no content."""

    def sung(text: str) -> list[WordToken]:
        return [
            WordToken(
                word, word, word, word, "particle" if word in PARTICLES else "noun", word not in PARTICLES, 0, line
            )
            for line, part in enumerate(text.split("/"), start=1)
            for word in part.split()
        ]

    return sung
