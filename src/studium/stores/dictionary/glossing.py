"""English in the dictionary: a gloss as a learner wants it, and the keys it is found by."""

import re

_ASIDE = re.compile(r"\([^()]*\)")
_LEAD = re.compile(r"^(?:to be|to|being|an?|the|one's)\s+(?=\S)")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ing|ed|es|s|e|y)$")
_DOUBLED = re.compile(r"([a-z])\1$")
_SHORT, _LONG = 3, 5
# Words of every other gloss tell nothing.
_TELLING = re.compile(
    r"\b(?!(?:the|for|with|from|and|one's|oneself|someone|something|somebody|etc|esp|usu|its|that|this|which|who|not|into|"
    r"out|off|over|often|used|made|make|person|thing|also|being|such|particular|certain|very)\b)[a-z][a-z'-]{2,}"
)


def short(glosses: tuple[str, ...]) -> str:
    """The first gloss without its asides; a shorter one beside it, where the first is an explanation."""
    plain = [_plain(gloss) for gloss in glosses]
    first = plain[0]
    if len(first.split()) > _LONG:
        return next((gloss for gloss in plain[1:] if len(gloss.split()) <= _SHORT), first)
    return first


def key(gloss: str) -> str:
    """What a gloss is looked up by: lower case, no asides, no article, no `to`."""
    return _LEAD.sub("", _plain(gloss).lower()).strip(" .!?")


def telling_words(text: str) -> frozenset[str]:
    """The words of a gloss that say something, asides and all."""
    return frozenset(_stem(word) for word in _TELLING.findall(text.lower()))


def _plain(gloss: str) -> str:
    return " ".join(_ASIDE.sub(" ", gloss).split()).strip(" ;,") or gloss.strip("()")


def _stem(word: str) -> str:
    """A word without its ending, so that `running` meets `run` and `tears` meets `tear`."""
    return _DOUBLED.sub(r"\1", _ENDING.sub("", word))
