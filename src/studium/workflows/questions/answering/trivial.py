"""Questions that need no document."""

import re

from studium.workflows.questions.answering.kinds import WORDS

_KNOWN = re.compile(WORDS.any_of("known_to_all"), re.IGNORECASE)


def needs_no_document(question: str) -> bool:
    """Whether anyone can answer it: calendars, clocks and sums."""
    return bool(_KNOWN.search(question))
