"""Splits feedback into instructions, with quoted text kept whole."""

import re
from functools import cache
from typing import Any, NamedTuple

from studium.concepts.domain import RelationType
from studium.core.text.sentences import split_sentences
from studium.core.text.word_lists import load_word_table

_MARK = "[\ue000-\uf8ff]"
_CONCEPT = rf"(?:c\d+|{_MARK})"
_AND = r"(?:\s*,\s*(?:(?:and|y|e)\s+)?|\s+(?:and|with|y|e|con)\s+|\s*[&+]\s*)"
_TYPES = "|".join(kind.value for kind in RelationType)
_FREE = {"title", "titles"}
_IN_MARKS = {"title": _MARK, "titles": rf"{_MARK}(?:{_AND}{_MARK})*"}
_IN_WORDS = rf"[^\s{_MARK[1:-1]}][^{_MARK[1:-1]}]*"
_SLOTS = {
    "concept": _CONCEPT,
    "other": _CONCEPT,
    "concepts": rf"{_CONCEPT}(?:{_AND}{_CONCEPT})*",
    "quotes": rf"q\d+(?:{_AND}q\d+)*",
    "text": _MARK,
    "quoted": _MARK,
    "type": rf"(?:{_TYPES})",
    "source": r"\S+",
    "end": r"\S+",
}


class InstructionPattern(NamedTuple):
    """One way to ask for something: what is asked, and how."""

    name: str
    pattern: re.Pattern[str]


def _listed() -> dict[str, Any]:
    return load_word_table(__package__, "feedback_phrases.yaml")


@cache
def phrase_pattern(kind: str) -> str:
    """The pattern of one kind of phrase."""
    return re.sub(r"(?<!\s)\s*\|\s*", "|", str(_listed()[kind]).strip())


@cache
def verb_pattern() -> str:
    """A pattern of the verbs that instructions begin with."""
    kinds = ("merge", "reject", "approve", "restore", "unmerge", "rename", "change", "split", "move", "add", "relate")
    return "|".join(_listed()["words"][kind] for kind in (*kinds, "unrelate"))


@cache
def instruction_patterns() -> tuple[InstructionPattern, ...]:
    """All ways to ask for something; texts in quotation marks come first, then those without."""
    found: list[InstructionPattern] = []
    for name, templates in _listed()["orders"].items():
        for template in templates:
            slots = set(re.findall(r"\{(\w+)\}", template))
            found.append(
                InstructionPattern(name, _pattern(template, _IN_MARKS) if slots & _FREE else _pattern(template, {}))
            )
            if slots & _FREE:
                found.append(
                    InstructionPattern(name, _pattern(template, dict.fromkeys(_FREE, _IN_WORDS), reasoned=False))
                )
    return tuple(found)


def is_vague(title: str) -> bool:
    """Whether words speak of a title that is still to be thought of: `something shorter`."""
    return bool(re.match(rf"(?:{phrase_pattern('vague')})\b", title, re.IGNORECASE))


def relation_in_phrase(text: str, kind: str = "relations") -> RelationType:
    """The relation that a phrase names."""
    listed: dict[str, str] = _listed()[kind]
    return next(RelationType(name) for name, pattern in listed.items() if re.fullmatch(pattern, text, re.IGNORECASE))


def denied_relation(text: str) -> RelationType | None:
    """The relation that a phrase denies."""
    listed: dict[str, str] = _listed()["relations"]
    kinds = (name for name, pattern in listed.items() if re.fullmatch(_denied(pattern), text, re.IGNORECASE))
    return next((RelationType(name) for name in kinds), None)


def _denied(pattern: str) -> str:
    phrases = re.split(r"\|(?![^(]*\))", pattern)
    being = "|".join(each.removeprefix("is ") for each in phrases if each.startswith("is "))
    plain = "|".join(each for each in phrases if not each.startswith("is "))
    denials = [rf"(?:does not|doesn['’]t|do not|don['’]t|no)\s+(?:{plain})"]
    return "|".join(denials + ([rf"is(?: not|n['’]t)\s+(?:{being})"] if being else []))


def _pattern(template: str, free: dict[str, str], *, reasoned: bool = True) -> re.Pattern[str]:
    listed = _listed()
    slots = _SLOTS | free
    slots["relation"] = "|".join(listed["relations"].values())
    slots["not_relation"] = "|".join(_denied(pattern) for pattern in listed["relations"].values())
    slots["mutual"] = "|".join(listed["mutual"].values())

    def fill(match: re.Match[str]) -> str:
        name = match.group(1)
        return f"(?P<{name}>{slots[name]})" if name in slots else f"(?:{listed['words'][name]})"

    filled = re.sub(r"\{(\w+)\}", fill, template).replace(" ", r"\s+").replace(r"\s+{", "{")
    reason = rf"(?:[\s,:(–—-]+(?P<reason>(?:{listed['reason']})\s.+?)\)?)?" if reasoned else ""
    return re.compile(filled + reason, re.IGNORECASE)


FIRST_MARK, LAST_MARK = "\ue000", "\uf8ff"
MARK = f"[{FIRST_MARK}-{LAST_MARK}]"
MAX_KEY_RANGE = 100

_QUOTED = re.compile(
    r"“[^”]+”|„[^“”]+[“”]|«[^»]+»|\"[^\"]+\"|‘[^’]+’(?!\w)|(?<![\w])'(?=\S).+?(?<=\S)'(?!\w)|\[\[[^\]]+\]\]|`[^`\n]+`"
)
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d{1,3}[.)])\s+")
_THE = r"\b(?:(?:the|el|la|los|las)\s+)?"
_NAMES = (
    (re.compile(r"\b([ad]e?)l\s+(?=(?:concepto|c\d))", re.IGNORECASE), r"\1 "),
    (re.compile(rf"{_THE}(?:concepts?|conceptos?|ideas?|notes?|notas?)\s+(?=[cC]\d|{MARK})", re.IGNORECASE), ""),
    (re.compile(rf"{_THE}(?:quotes?|citas?)\s+(?=[qQ]\d)", re.IGNORECASE), ""),
    (re.compile(rf"{_THE}(?:concept|concepto|idea)\s+#?(\d+)\b", re.IGNORECASE), r"c\1"),
    (re.compile(rf"{_THE}(?:quote|cita)\s+#?(\d+)\b", re.IGNORECASE), r"q\1"),
    (re.compile(r"\bC(?=\d+\b)"), "c"),
    (re.compile(r"\bQ(?=\d+\b)"), "q"),
)
_RANGE = re.compile(r"\b([cq])(\d+)\s*[-–—]\s*\1?(\d+)\b")


class MarkedText:
    """A text in which a placeholder replaces each quoted string."""

    def __init__(self, text: str) -> None:
        self.quoted: list[str] = []
        self.text = _QUOTED.sub(self._mark, re.sub(MARK, " ", text))

    def _mark(self, match: re.Match[str]) -> str:
        if len(self.quoted) > ord(LAST_MARK) - ord(FIRST_MARK):
            return match.group()
        self.quoted.append(match.group())
        return chr(ord(FIRST_MARK) + len(self.quoted) - 1)

    def inside(self, mark: str) -> str:
        """The quoted string that a placeholder replaces."""
        return self.quoted[ord(mark) - ord(FIRST_MARK)].strip("“”„«»\"‘’'[]`").strip()

    def whole(self, text: str) -> str:
        """A piece of the text, word for word."""
        return re.sub(MARK, lambda match: self.quoted[ord(match.group()) - ord(FIRST_MARK)], text)


def split_instructions(text: str) -> list[str]:
    """The instructions of a marked text: by lines, sentences and semicolons, and where `and` leads to the next verb."""
    lines = (_BULLET.sub("", line) for line in re.split(r"[\n;]", text))
    pieces = (piece for line in lines for piece in split_sentences(line, any_start=True))
    return [each.strip() for piece in pieces for each in _next_verb().split(piece) if each.strip()]


def normalize_instruction(instruction: str) -> str:
    """An instruction without politeness, with concepts and quotes as keys: `concept 3` is c3, `c4-c6` are three."""
    polite = phrase_pattern("politeness")
    text = " ".join(instruction.strip(" \t.!?¡¿:").split())
    text = re.sub(rf"^(?:(?:{polite})(?:[,:]?\s+|[,:]?$))+", "", text, flags=re.IGNORECASE)
    text = re.sub(rf"[\s,]+(?:{polite})$", "", text, flags=re.IGNORECASE)
    for pattern, name in _NAMES:
        text = pattern.sub(name, text)
    return _RANGE.sub(_spelled, text).strip(" .!?,")


def _next_verb() -> re.Pattern[str]:
    nouns = "concepts?|conceptos?|quotes?|citas?|title|título|text|texto"
    thing = rf"(?:(?:the|el|la|los|las|a|al)\s+)?(?:(?:{nouns})\b|[cq]\d|{MARK})"
    joint = r"(?:\s*,\s*|\s+)(?:(?:and|then|also|but|y|e|luego|después|también|pero)[\s,]+)+|\s*,\s*"
    return re.compile(rf"(?:{joint})(?=(?:{verb_pattern()})\s+{thing})", re.IGNORECASE)


def _spelled(match: re.Match[str]) -> str:
    letter, first, last = match.group(1), int(match.group(2)), int(match.group(3))
    if not first < last <= first + MAX_KEY_RANGE:
        return match.group()
    return ", ".join(f"{letter}{number}" for number in range(first, last + 1))
