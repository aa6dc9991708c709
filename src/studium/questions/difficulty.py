"""How difficult a question is, by what can be counted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from studium.core.text.tokens import split_words
from studium.questions.kinds import Difficulty, QuestionKind

_KIND_POINTS: Mapping[QuestionKind, int] = {
    "true_false": -1,
    "multiple_choice": -1,
    "multi_hop": 2,
    "reasoning": 2,
    "comparison": 2,
    "unanswerable": 2,
}
LONG_ANSWER, VERY_LONG_ANSWER = 5, 14
RARE = 3
MEDIUM, HARD = 1, 3
_EXPLAINS = ("why", "how")
_AMOUNTS = ("many", "much", "long", "often", "old", "high", "far", "large", "deep", "big", "tall", "wide", "heavy")


def difficulty_of(
    kind: QuestionKind, question: str, answer: str, quotes: Sequence[str], counts: Mapping[str, int]
) -> Difficulty:
    """How difficult it is to answer an open form of a question: easy below 1 point, hard from 3 points.

    - its kind: true_false and multiple_choice -1 (it is enough to recognise the answer), multi_hop, reasoning,
      comparison and unanswerable +2;
    - the answer has more than 5 words: +1; more than 14: +2;
    - the answer does not stand word for word in one of the quotes: +1;
    - it takes more than one quote: +1;
    - it asks why or how: +1;
    - every word of the answer stands fewer than 3 times in the document (`counts`): +1.
    """
    words = split_words(answer.casefold())
    quoted = [" ".join(split_words(quote.casefold())) for quote in quotes]
    asked = split_words(question.casefold())
    explains = any(
        word in _EXPLAINS and after not in _AMOUNTS for word, after in zip(asked, [*asked[1:], ""], strict=True)
    )
    points = (
        _KIND_POINTS.get(kind, 0)
        + (len(words) > LONG_ANSWER)
        + (len(words) > VERY_LONG_ANSWER)
        + (not any(" ".join(words) in quote for quote in quoted))
        + (len(quotes) > 1)
        + explains
        + all(counts.get(word, 0) < RARE for word in words)
    )
    return "easy" if points < MEDIUM else "medium" if points < HARD else "hard"


@lru_cache(maxsize=8)
def word_counts(text: str) -> Counter[str]:
    """How often each word stands in a text."""
    return Counter(split_words(text.casefold()))
