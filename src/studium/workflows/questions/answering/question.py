"""A question understood: what kind of answer it asks for, and what it is about."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from studium.workflows.questions.answering.keys import valued_words
from studium.workflows.questions.answering.kinds import MEASURED, WORDS, Kind, Wording, several_asked, wording_of
from studium.workflows.questions.comparing.language import language_of
from studium.workflows.questions.comparing.numbers import numbers_in
from studium.workflows.questions.comparing.stems import stem
from studium.workflows.questions.comparing.units import UNITS
from studium.workflows.questions.comparing.words import Word, words_in

LEAST_TOPIC = 2  # words; with fewer, also a light one tells what is asked
LONGEST_FOCUS = 4
LONGEST_SYMBOL = 3  # longer names of units are words


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem, words))


_LIGHT = _stems(WORDS.words("light"))
_PLACES = _stems(WORDS.words("places"))
_PEOPLE = _stems(WORDS.words("people"))
_ANY_NAME = _PLACES | _PEOPLE | _stems(WORDS.words("named"))
_PURPOSES = _stems(WORDS.words("purposes"))
_UNIT_NAMES = {stem(name): unit.measures for name, unit in UNITS.items() if len(name) > LONGEST_SYMBOL}
_AUXILIARY = re.compile(rf"\s+(?:{'|'.join(WORDS.concepts['auxiliaries']['en'].split(' / '))})\b", re.IGNORECASE)
_ACCORDING_TO = re.compile(rf"^(?:{WORDS.any_of('according_to')}) [“„«\"][^”“»\"]+[”“»\"],?\s*", re.IGNORECASE)
_ATTRIBUTE = re.compile(rf"^\s*(?:{WORDS.any_of('articles')}) (?P<name>\w+) (?:of|von|des|de|du)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"man|much|viele|cuánt|combien|скол|number", re.IGNORECASE)
_LAST_VERB = re.compile(r"\b(?:do|does|did) .* (?P<verb>[a-z]+)\s*\??$")
_OFFERED = re.compile(
    rf"(?P<one>[\w'’-]+(?: [\w'’-]+)?),? (?:{WORDS.any_of('offers')}) (?P<other>[\w'’-]+(?: [\w'’-]+){{0,2}})\s*\?*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Asked:
    """What a question asks: the kind of answer, the words it is about, and the noun it asks for (`which gate`).

    `topic` are its telling stems, of which the `soft` ones need not be found; `names` are those written as names,
    `small` the words that tell little.
    """

    text: str
    language: str
    kind: Kind
    topic: tuple[str, ...]
    focus: frozenset[str]
    names: frozenset[str]
    soft: frozenset[str]
    measures: frozenset[str]
    wants_subject: bool
    listed: bool
    count: int | None
    negations: int
    small: frozenset[str]

    @property
    def hard(self) -> tuple[str, ...]:
        """The stems that whatever answers must be about."""
        return tuple(dict.fromkeys(key for key in self.topic if key not in self.soft))

    @property
    def verb(self) -> str:
        """The verb that the question ends with: `Which languages does it SPEAK?`."""
        found = _LAST_VERB.search(self.text)
        return stem(found["verb"]) if found else ""

    @property
    def offered(self) -> tuple[str, ...]:
        """The answers to choose from, where the question offers some."""
        found = _OFFERED.search(self.text)
        return (found["one"], found["other"]) if found else ()


@lru_cache(maxsize=1024)
def understand(question: str) -> Asked:
    """Read a question in any of the languages that the rules know."""
    whole = " ".join(question.strip().strip("¿¡").split())
    language = language_of(whole)
    text = _ACCORDING_TO.sub("", whole)
    wording = wording_of(text, language)
    words = [word for word in valued_words(wording.topic, language) if word.telling]
    focus = _focus(text, wording, language)
    named = _ATTRIBUTE.match(wording.topic)
    kind = _narrowed(wording.kind, focus)
    listed = several_asked(text, language)
    count = _count(listed.groupdict().get("count") or "" if listed else "", language)
    return Asked(
        text=text,
        language=language,
        kind=kind,
        topic=tuple(word.key for word in words if word.key != str(count)),
        focus=focus,
        names=frozenset(word.key for word in words if word.text[0].isupper() and language != "de"),
        soft=(_soft(kind, words, focus) - {stem(named["name"]) if named else ""})
        | _telling(wording.asking, language)
        | _telling(whole[: -len(text)], language),
        measures=_measures(kind, words_in(wording.asking, language), words, focus),
        wants_subject=kind in ("thing", "person") and _asks_for_subject(text, wording),
        listed=bool(listed),
        count=count,
        negations=sum(word.negation for word in words_in(text, language)),
        small=frozenset(word.key for word in words_in(wording.topic, language) if not word.telling),
    )


def _telling(text: str, language: str) -> frozenset[str]:
    return frozenset(word.key for word in words_in(text, language) if word.telling)


def _focus(text: str, wording: Wording, language: str) -> frozenset[str]:
    """The noun that the question word belongs to: `how many ROUTERS`, `which PROTOCOL`."""
    counted = wording.kind == "quantity" and _HOW_MANY.search(wording.asking)
    asking = wording.asking.casefold()
    if not counted and (wording.kind != "thing" or asking in WORDS.words("no_focus")):
        return frozenset()
    rest = text[wording.end :]
    verb = _AUXILIARY.search(rest) if language == "en" else None
    if asking.endswith("what") and not verb:
        return frozenset()
    ahead = words_in(rest[: verb.start()] if verb else rest, language)
    noun = list(takewhile(lambda word: word.telling, ahead[:LONGEST_FOCUS]))
    return frozenset(word.key for word in (noun if verb and len(noun) == len(ahead) else noun[:1]))


def _narrowed(kind: Kind, focus: frozenset[str]) -> Kind:
    """`In which city` asks for a place, `which company` for somebody."""
    if kind == "thing" and focus & _PLACES:
        return "place"
    return "person" if kind == "thing" and focus & _PEOPLE else kind


def _soft(kind: Kind, words: Sequence[Word], focus: frozenset[str]) -> frozenset[str]:
    """What need not be found: light words, units, what names are names of, and what the kind says already."""
    light = frozenset(word.key for word in words if word.key in _LIGHT)
    if kind == "thing" and len({word.key for word in words} - light - focus) < LEAST_TOPIC:
        light = frozenset()
    implied = _PURPOSES if kind == "purpose" else frozenset[str]()
    return light | implied | (focus & (_UNIT_NAMES.keys() if kind == "quantity" else _ANY_NAME))


def _measures(kind: Kind, asking: Sequence[Word], words: Sequence[Word], focus: frozenset[str]) -> frozenset[str]:
    """What the answer has to measure, as far as the question tells."""
    units = frozenset(_UNIT_NAMES[key] for key in focus if key in _UNIT_NAMES)
    if kind == "quantity" and units:
        return units
    sure = [word for word in asking if word.text.casefold() not in WORDS.words("measures_any")]
    told = [*sure, *(words if kind in ("definition", "thing", "quantity") else ()), *asking]
    named = (MEASURED[word.text.casefold()] for word in told if word.text.casefold() in MEASURED)
    return next(named, frozenset())


def _count(said: str, language: str) -> int | None:
    numbers = numbers_in(said, language)
    return int(numbers[0].value) if numbers and numbers[0].value is not None else None


def _asks_for_subject(text: str, wording: Wording) -> bool:
    """`Which router originates …` asks for the subject; `Which router does …` does not."""
    if wording.start or _AUXILIARY.search(f" {wording.asking}"):
        return False
    return not _AUXILIARY.search(text[wording.end :].partition(",")[0])
