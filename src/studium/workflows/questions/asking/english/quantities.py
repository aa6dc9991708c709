"""How English writes amounts, measures and enumerations."""

import re

_WORDS = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?"
)
_DIGITS = r"[-\u2212+]?\d+(?:[.,]\d+)*"
_ABOUT = (
    r"(?:about|approximately|around|roughly|nearly|almost|over|more than|less than|fewer than|at least|at most|up to"
    r"|exactly|only)"
)
NUMBER = rf"(?:{_DIGITS}(?: ?(?:to|–|-) ?{_DIGITS})?|{_WORDS})(?: (?:hundred|thousand|million|billion|trillion))?"
AMOUNT = rf"(?:{_ABOUT} )?{NUMBER}"
MEASURE = rf"{AMOUNT}[ -]?(?:[^\W\d_]+|[%°]\w?|[µμ]\w)(?:/\w+)?(?: per \w+)?"
MONEY = (
    rf"(?:{_ABOUT} )?(?:[$€£¥] ?\d+(?:[.,]\d+)*(?: (?:thousand|million|billion|trillion))?"
    rf"|{NUMBER} (?:dollars|euros|pounds|yen))"
)
# A sign of a phrase that goes on without a second thought.
PLAIN = r"(?:(?! and | or )[^,;:])"
_ENUMERATION = re.compile(r"[^,;:]{2,60}(?:, [^,;:]{2,60}){1,8},? and [^,;:]{2,60}")
_CLAUSE_INSIDE = re.compile(r"\b(?:is|are|was|were|has|have|had|which|that|who|it|they|because|when|if)\b")


def is_enumeration(text: str) -> bool:
    """`A, B, and C`, with no clause among its parts."""
    return bool(_ENUMERATION.fullmatch(text)) and not _CLAUSE_INSIDE.search(text)
