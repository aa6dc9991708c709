"""Words that say the same, and words that say the opposite."""

from studium.workflows.questions.comparing.lexicon import lexicon
from studium.workflows.questions.comparing.stems import stem


def _related(concept: str) -> dict[str, frozenset[str]]:
    """Each stem with those that stand in one line with it."""
    found: dict[str, frozenset[str]] = {}
    for line in lexicon("comparing").wordings(concept):
        group = frozenset(map(stem, line.split()))
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found


_SYNONYMS = _related("same")
_OPPOSITES = _related("opposite")


def synonyms(key: str) -> frozenset[str]:
    """The stems that say what this stem says, itself among them."""
    return _SYNONYMS.get(key, frozenset((key,)))


def opposites(key: str) -> frozenset[str]:
    """The stems that say the opposite of this stem."""
    return _OPPOSITES.get(key, frozenset()) - {key}
