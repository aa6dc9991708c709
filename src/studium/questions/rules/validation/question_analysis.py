"""Analyse a question for the validator: expected answer type, topic, focus and measures."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from typing import Literal, NamedTuple, get_args

from studium.core.text.stems import stem
from studium.questions.rules.comparison.quantities import UNITS, numbers_in
from studium.questions.rules.comparison.words import Word, guess_language, load_lexicon, stems_of, words_in


@lru_cache(maxsize=4096)
def search_keys(text: str, language: str) -> frozenset[str]:
    """The stems of the content words; numbers by their value, in digits or in words."""
    return frozenset(word.key for word in valued_words(text, language) if word.is_content)


def valued_words(text: str, language: str) -> Iterator[Word]:
    """The words of a text; the last word of a number has its value as key."""
    values = {number.end: str(number.value) for number in numbers_in(text, language) if number.value is not None}
    for word in words_in(text, language):
        yield word._replace(key=values[word.end], is_content=True) if word.end in values else word


AnswerType = Literal[
    "polar",
    "expansion",
    "quantity",
    "date",
    "year",
    "reason",
    "purpose",
    "definition",
    "person",
    "place",
    "manner",
    "thing",
]
LEXICON = load_lexicon("validation")
MEASURED: dict[str, frozenset[str]] = {
    word: frozenset(measures.split()) for measures, said in LEXICON.by_language("measured").items() for word in said
}


class QuestionWording(NamedTuple):
    """The expected answer type of a question, the place of its question words, and its topic."""

    kind: AnswerType
    start: int
    end: int
    asking: str
    topic: str


def match_wording(question: str, language: str) -> QuestionWording:
    """The first known wording of its language that matches the question."""
    for kind, pattern in _wordings(language):
        if found := pattern.search(question):
            before, after = question[: found.start()], question[found.end() :]
            marked = found.groupdict().get("topic")
            topic = f"{marked}{after}" if marked else f"{before} {after}"
            asking = found[0].replace(marked, " ", 1) if marked else found[0]
            return QuestionWording(kind, found.start(), found.end(), asking, topic)
    return QuestionWording("thing", 0, 0, "", question)


def match_list_question(question: str, language: str) -> re.Match[str] | None:
    """The match of a question that asks for a list; it may contain the number of items."""
    if language not in LEXICON.concepts["lists"]:
        return None
    wordings = LEXICON.concepts["lists"][language].split(" / ")
    return next((found for each in wordings if (found := re.match(each, question, re.IGNORECASE))), None)


@cache
def _wordings(language: str) -> list[tuple[AnswerType, re.Pattern[str]]]:
    known: dict[str, AnswerType] = {kind: kind for kind in get_args(AnswerType)}
    return [
        (known[name], re.compile(wording, re.IGNORECASE))
        for kind in LEXICON.concepts["kinds"][language]
        for name, said in kind.items()
        for wording in said.split(" / ")
    ]


MIN_TOPIC = 2  # words; with fewer, light words count too
LONGEST_FOCUS = 4
LONGEST_SYMBOL = 3  # longer names of units are words


_LIGHT = LEXICON.stems("light")
_PLACES = LEXICON.stems("places")
_PEOPLE = LEXICON.stems("people")
_ANY_NAME = _PLACES | _PEOPLE | LEXICON.stems("named")
_PURPOSES = LEXICON.stems("purposes")
_UNIT_NAMES = {
    key: unit.measures for name, unit in UNITS.items() if len(name) > LONGEST_SYMBOL for key in stems_of((name,))
}
_AUXILIARY = re.compile(rf"\s+(?:{'|'.join(LEXICON.concepts['auxiliaries']['en'].split(' / '))})\b", re.IGNORECASE)
_ACCORDING_TO = re.compile(rf"^(?:{LEXICON.any_of('according_to')}) [“„«\"][^”“»\"]+[”“»\"],?\s*", re.IGNORECASE)
_ATTRIBUTE = re.compile(rf"^\s*(?:{LEXICON.any_of('articles')}) (?P<name>\w+) (?:of|von|des|de|du)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"man|much|viele|cuánt|combien|скол|number", re.IGNORECASE)
_LAST_VERB = re.compile(r"\b(?:do|does|did) .* (?P<verb>[a-z]+)\s*\??$")
_OFFERED = re.compile(
    rf"(?P<one>[\w'’-]+(?: [\w'’-]+)?),? (?:{LEXICON.any_of('offers')}) (?P<other>[\w'’-]+(?: [\w'’-]+){{0,2}})\s*\?*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ParsedQuestion:
    """A parsed question: the expected answer type, its topic, and the noun that it asks for (`which gate`).

    `topic` are its content stems, of which the `soft` ones are optional; `names` are those written as names,
    `small` the function words.
    """

    text: str
    language: str
    kind: AnswerType
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
        """The stems that an answer's place must have."""
        return tuple(dict.fromkeys(key for key in self.topic if key not in self.soft))

    @property
    def verb(self) -> str:
        """The final verb of the question: `Which languages does it SPEAK?`."""
        found = _LAST_VERB.search(self.text)
        return stem(found["verb"], self.language) if found else ""

    @property
    def offered(self) -> tuple[str, ...]:
        """The answers that the question offers, if any."""
        found = _OFFERED.search(self.text)
        return (found["one"], found["other"]) if found else ()


@lru_cache(maxsize=1024)
def parse_question(question: str) -> ParsedQuestion:
    """Parse a question in any language that the rules know."""
    whole = " ".join(question.strip().strip("¿¡").split())
    language = guess_language(whole)
    text = _ACCORDING_TO.sub("", whole)
    source = whole[: -len(text)]
    wording = match_wording(text, language)
    words = [word for word in valued_words(wording.topic, language) if word.is_content]
    focus = _focus(text, wording, language)
    named = _ATTRIBUTE.match(wording.topic)
    kind = _narrowed(wording.kind, focus)
    listed = match_list_question(text, language)
    count = _count(listed.groupdict().get("count") or "" if listed else "", language)
    return ParsedQuestion(
        text=text,
        language=language,
        kind=kind,
        topic=tuple(word.key for word in words if word.key != str(count)),
        focus=focus,
        names=_names([*words, *words_in(source, language)], language),
        soft=(_soft(kind, words, focus) - {stem(named["name"], language) if named else ""})
        | _content_stems(wording.asking, language)
        | _content_stems(source, language),
        measures=_measures(kind, words_in(wording.asking, language), words, focus),
        wants_subject=kind in ("thing", "person") and _asks_for_subject(text, wording),
        listed=bool(listed),
        count=count,
        negations=sum(word.negation for word in words_in(text, language)),
        small=frozenset(word.key for word in words_in(wording.topic, language) if not word.is_content),
    )


def _names(words: Sequence[Word], language: str) -> frozenset[str]:
    """The stems of the words written as names; unknown in German, where every noun has a capital."""
    if language == "de":
        return frozenset()
    return frozenset(word.key for word in words if word.is_content and word.text[0].isupper())


def _content_stems(text: str, language: str) -> frozenset[str]:
    return frozenset(word.key for word in words_in(text, language) if word.is_content)


def _focus(text: str, wording: QuestionWording, language: str) -> frozenset[str]:
    """The noun of the question word: `how many ROUTERS`, `which PROTOCOL`."""
    counted = wording.kind == "quantity" and _HOW_MANY.search(wording.asking)
    asking = wording.asking.casefold()
    if not counted and (wording.kind != "thing" or asking in LEXICON.words("no_focus")):
        return frozenset()
    rest = text[wording.end :]
    verb = _AUXILIARY.search(rest) if language == "en" else None
    if asking.endswith("what") and not verb:
        return frozenset()
    ahead = words_in(rest[: verb.start()] if verb else rest, language)
    noun = list(takewhile(lambda word: word.is_content, ahead[:LONGEST_FOCUS]))
    return frozenset(word.key for word in (noun if verb and len(noun) == len(ahead) else noun[:1]))


def _narrowed(kind: AnswerType, focus: frozenset[str]) -> AnswerType:
    """`In which city` asks for a place, `which company` for a person."""
    if kind == "thing" and focus & _PLACES:
        return "place"
    return "person" if kind == "thing" and focus & _PEOPLE else kind


def _soft(kind: AnswerType, words: Sequence[Word], focus: frozenset[str]) -> frozenset[str]:
    """The optional stems: light words, units, kinds of names, and what the answer type implies."""
    light = frozenset(word.key for word in words if word.key in _LIGHT)
    if kind == "thing" and len({word.key for word in words} - light - focus) < MIN_TOPIC:
        light = frozenset()
    implied = _PURPOSES if kind == "purpose" else frozenset[str]()
    return light | implied | (focus & (_UNIT_NAMES.keys() if kind == "quantity" else _ANY_NAME))


def _measures(kind: AnswerType, asking: Sequence[Word], words: Sequence[Word], focus: frozenset[str]) -> frozenset[str]:
    """What the answer must measure, if the question says so."""
    units = frozenset(_UNIT_NAMES[key] for key in focus if key in _UNIT_NAMES)
    if kind == "quantity" and units:
        return units
    sure = [word for word in asking if word.text.casefold() not in LEXICON.words("measures_any")]
    told = [*sure, *(words if kind in ("definition", "thing", "quantity") else ()), *asking]
    named = (MEASURED[word.text.casefold()] for word in told if word.text.casefold() in MEASURED)
    return next(named, frozenset())


def _count(said: str, language: str) -> int | None:
    numbers = numbers_in(said, language)
    return int(numbers[0].value) if numbers and numbers[0].value is not None else None


def _asks_for_subject(text: str, wording: QuestionWording) -> bool:
    """`Which router originates …` asks for the subject; `Which router does …` does not."""
    if wording.start or _AUXILIARY.search(f" {wording.asking}"):
        return False
    return not _AUXILIARY.search(text[wording.end :].partition(",")[0])
