"""Files of quotes, and what a reader finds in each."""

import pytest

from studium.concepts.quotes.reader import read_quotes


@pytest.fixture
def read(tmp_path):
    """Writes a file and reads its quotes."""

    def reading(content, name="quotes.md"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_quotes(path)

    return reading
