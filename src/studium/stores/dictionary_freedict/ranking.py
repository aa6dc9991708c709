"""Which sense of a word comes first: FreeDict lists them in no order.

What a word mostly means is worded with a common English word, is shown in examples, and is shared with few synonyms;
what belongs to a trade or a region is labelled so, and what needs several words is mostly aside.
"""

import re
from collections.abc import Callable
from math import log1p

from studium.stores.dictionary_freedict.article import Sense, bare

Zipf = Callable[[str], float]
"""How common an English word is: the logarithm of how often it stands in a thousand million words."""

_WORD = re.compile(r"\w{4,}")
# Of labels that mark a use most learners should meet late, or a word that has gone.
_MARGINAL = re.compile(r"^(?:obs|slang|vulg|rare|dated|archaic|veraltet|selten|ugs|coll|Schw|Ös|Sc|poet|pej|humor)\b")
_STEM = 5


def weight(sense: Sense, zipf: Zipf, line: str = "") -> float:
    """How likely this sense is meant, in this line if one is given."""
    first = sense.translations[0]
    return (
        0.5 * zipf(bare(first.text))
        + min(log1p(len(sense.examples)), 2.2)
        + min(_shared(sense, line), 3)
        - 0.6 * min(sense.synonyms, 3)
        - 0.8 * bool(first.labels)
        - 1.0 * (" " in bare(first.text))
        - 2.0 * any(_MARGINAL.match(label) for label in first.labels)
        - 0.5 * sense.is_noted
        - 1.5 * (sense.part_of_speech == "other")
    )


def _shared(sense: Sense, line: str) -> int:
    """How many words of the line stand in the examples, in whatever form."""
    if not line:
        return 0
    own = _stems(sense.word)
    return len((_stems(line) & _stems(" ".join(sense.examples))) - own)


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(text.lower())}
