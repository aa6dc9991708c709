"""Sentence forms and the question that each answers; no word changes its form on the way."""

import re
from dataclasses import dataclass

from studium.questions.rules.generation.facts import QuestionFamily


@dataclass(frozen=True)
class SentencePattern:
    """A sentence form with its `subject` and `answer`; the question is made of these and its other groups."""

    family: QuestionFamily
    pattern: re.Pattern[str]
    question: str


def _pattern(family: QuestionFamily, question: str, *parts: str) -> SentencePattern:
    return SentencePattern(family, re.compile(" ".join(parts) + r"\.", re.DOTALL), question)


_S = r"(?P<subject>.{2,70}?)"
_ABOUT = "rund|etwa|ungefähr|über|mehr als|circa|unos|unas|casi|más de|aproximadamente|environ|près de|plus de"
_LARGE = r"Millionen|Milliarden|millones(?: de)?|millions(?: de)?|milliards(?: de)?"
_NUMBER = rf"(?:(?:{_ABOUT}) )?\d+(?:[., \u00a0\u202f]\d+)*(?: (?:{_LARGE}))?"
_COUNT = rf"(?P<answer>{_NUMBER} (?P<unit>[^\W\d_][\w-]*(?: [^\W\d_][\w-]*){{0,2}}))"
_YEAR = r"(?:1\d{3}|20\d{2})"
_CAPITAL = "[A-ZÁÉÍÓÚÑÄÖÜÀÂÇÈÊ]"
_NAME = rf"(?P<answer>{_CAPITAL}[\w’'.-]*(?: (?:(?:de|del|la|von|van|der) )*{_CAPITAL}[\w’'.-]*){{0,4}})"
_REST = r"(?: [^,;]*)?"

SENTENCE_PATTERNS = {
    "de": (
        _pattern(
            QuestionFamily.PROPERTY,
            "{what} {verb} {subject}?",
            r"(?P<subject>(?:Der|Die|Das) .{2,50}? (?:von|der|des|vom) .{2,40}?)",
            "(?P<verb>ist|war)",
            _NAME,
        ),
        _pattern(
            QuestionFamily.DEFINITION,
            "{what} {verb} {subject}?",
            _S,
            "(?P<verb>ist|sind|war|waren)",
            "(?P<answer>(?:eine?|der|die|das|einer der|eine der|eines der) .{8,})",
        ),
        _pattern(
            QuestionFamily.NUMBER,
            "Wie viele {unit} {verb} {subject}?",
            _S,
            "(?P<verb>hat|haben|besitzt|besitzen|umfasst|enthält|zählt|hatte)",
            _COUNT,
        ),
        _pattern(
            QuestionFamily.NUMBER,
            "Wie viel {verb} {subject}?",
            _S,
            "(?P<verb>beträgt|betrug|kostet|wiegt)",
            rf"(?P<answer>{_NUMBER}.{{0,40}})",
        ),
        _pattern(
            QuestionFamily.DATE,
            "Wann {verb} {subject}{rest} {done}?",
            _S,
            rf"(?P<verb>wurden?) (?:im Jahre? |im |am )?(?P<answer>(?:\d{{1,2}}\. )?(?:[A-ZÄ]\w+ )?{_YEAR})"
            r"(?P<rest> [^,;]*?)?",
            "(?P<done>[a-zäöü]+)",
        ),
        _pattern(
            QuestionFamily.PURPOSE,
            "Wozu {verb} {subject}?",
            _S,
            "(?P<verb>dient|dienen)",
            "(?P<answer>(?:zu|zum|zur|der|dem|als) .{6,})",
        ),
    ),
    "es": (
        _pattern(
            QuestionFamily.PROPERTY,
            "¿{which} {verb} {subject}?",
            r"(?P<subject>(?:El|La) .{2,50}? del? .{2,40}?)",
            "(?P<verb>es|fue)",
            _NAME,
        ),
        _pattern(
            QuestionFamily.DEFINITION,
            "¿{what} {verb} {subject}?",
            _S,
            "(?P<verb>es|son|fue|fueron|era)",
            "(?P<answer>(?:una?|el|la|los|las|uno de|una de) .{8,})",
        ),
        _pattern(
            QuestionFamily.NUMBER,
            "¿{many} {unit} {verb} {subject}?",
            _S,
            "(?P<verb>tiene|tienen|contiene|posee|incluye|comprende|tenía)",
            _COUNT,
        ),
        _pattern(
            QuestionFamily.NUMBER,
            "¿Cuánto {verb} {subject}?",
            _S,
            "(?P<verb>mide|pesa|cuesta|dura)",
            rf"(?P<answer>{_NUMBER}.{{1,30}})",
        ),
        _pattern(
            QuestionFamily.DATE,
            "¿En qué año {verb} {done} {subject}?",
            _S,
            "(?P<verb>fue|fueron) (?P<done>[a-zñáéíóú]+[dts][oa]s?) en",
            rf"(?P<answer>{_YEAR}){_REST}",
        ),
    ),
    "fr": (
        _pattern(
            QuestionFamily.PROPERTY,
            "{which} {verb} {subject} ?",
            r"(?P<subject>(?:Le|La|L[’']) ?.{2,50}? (?:de|du|des|d[’']) ?.{2,40}?)",
            "(?P<verb>est|était)",
            _NAME,
        ),
        _pattern(
            QuestionFamily.DEFINITION,
            "{what} {subject} ?",
            _S,
            "(?P<verb>est|sont|était|fut)",
            "(?P<answer>(?:une?|le|la|l[’']|des|les|l’une? des) ?.{8,})",
        ),
        _pattern(
            QuestionFamily.NUMBER,
            "Combien de {unit} {verb} {subject} ?",
            _S,
            "(?P<verb>compte|comptent|possède|possèdent|comprend|contient|comportait|a)",
            _COUNT,
        ),
        _pattern(
            QuestionFamily.DATE,
            "En quelle année {verb} {done} {subject} ?",
            _S,
            "(?P<verb>a été|ont été) (?P<done>[a-zéèêîïû]+(?:és?|ées?|it|ite|is|ise)) en",
            rf"(?P<answer>{_YEAR}){_REST}",
        ),
    ),
    "ru": (
        _pattern(QuestionFamily.DEFINITION, "{what} {subject}?", _S, "[—–-] это", "(?P<answer>.{8,})"),
        _pattern(
            QuestionFamily.DATE,
            "Когда {verb} {done} {subject}?",
            _S,
            "(?P<verb>был|была|было|были) (?P<done>[\u0430-\u044fё]+н[\u0430\u043eы]?)",
            rf"(?P<answer>в {_YEAR} году){_REST}",
        ),
    ),
}
