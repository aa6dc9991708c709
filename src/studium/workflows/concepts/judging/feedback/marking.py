"""A person's words taken apart: instructions one by one, with what stands in quotation marks kept whole."""

import re

from studium.workflows.concepts.judging.feedback.phrases import phrase, verbs
from studium.workflows.concepts.judging.words import listed

FIRST_MARK, LAST_MARK = "\ue000", "\uf8ff"
MARK = f"[{FIRST_MARK}-{LAST_MARK}]"
LONGEST_RANGE = 100

_QUOTED = re.compile(
    r"“[^”]+”|„[^“”]+[“”]|«[^»]+»|\"[^\"]+\"|‘[^’]+’(?!\w)|(?<![\w])'(?=\S).+?(?<=\S)'(?!\w)|\[\[[^\]]+\]\]|`[^`\n]+`"
)
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d{1,3}[.)])\s+")
_ENDS = re.compile(r"[.!?]+(?:\s+|$)")
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


class Marked:
    """A text in which one sign stands for each thing in quotation marks."""

    def __init__(self, text: str) -> None:
        self.quoted: list[str] = []
        self.text = _QUOTED.sub(self._mark, re.sub(MARK, " ", text))

    def _mark(self, match: re.Match[str]) -> str:
        if len(self.quoted) > ord(LAST_MARK) - ord(FIRST_MARK):
            return match.group()
        self.quoted.append(match.group())
        return chr(ord(FIRST_MARK) + len(self.quoted) - 1)

    def inside(self, mark: str) -> str:
        """What stands between the quotation marks that a sign stands for."""
        return self.quoted[ord(mark) - ord(FIRST_MARK)].strip("“”„«»\"‘’'[]`").strip()

    def whole(self, text: str) -> str:
        """A piece of the text, word for word."""
        return re.sub(MARK, lambda match: self.quoted[ord(match.group()) - ord(FIRST_MARK)], text)


def instructions(text: str) -> list[str]:
    """The instructions of a marked text: by lines, sentences and semicolons, and where `and` leads to the next verb."""
    lines = (_BULLET.sub("", line) for line in re.split(r"[\n;]", text))
    pieces = (piece for line in lines for piece in _by_sentence(line))
    return [each.strip() for piece in pieces for each in _next_verb().split(piece) if each.strip()]


def plain_instruction(instruction: str) -> str:
    """An instruction without politeness, with concepts and quotes as keys: `concept 3` is c3, `c4-c6` are three."""
    polite = phrase("politeness")
    text = " ".join(instruction.strip(" \t.!?¡¿:").split())
    text = re.sub(rf"^(?:(?:{polite})(?:[,:]?\s+|[,:]?$))+", "", text, flags=re.IGNORECASE)
    text = re.sub(rf"[\s,]+(?:{polite})$", "", text, flags=re.IGNORECASE)
    for pattern, name in _NAMES:
        text = pattern.sub(name, text)
    return _RANGE.sub(_spelled, text).strip(" .!?,")


def _by_sentence(line: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    for match in _ENDS.finditer(line):
        word = (line[start : match.start()].rsplit(maxsplit=1) or [""])[-1].casefold()
        if word not in listed("abbreviations"):
            pieces.append(line[start : match.end()])
            start = match.end()
    return [*pieces, line[start:]]


def _next_verb() -> re.Pattern[str]:
    nouns = "concepts?|conceptos?|quotes?|citas?|title|título|text|texto"
    thing = rf"(?:(?:the|el|la|los|las|a|al)\s+)?(?:(?:{nouns})\b|[cq]\d|{MARK})"
    joint = r"(?:\s*,\s*|\s+)(?:(?:and|then|also|but|y|e|luego|después|también|pero)[\s,]+)+|\s*,\s*"
    return re.compile(rf"(?:{joint})(?=(?:{verbs()})\s+{thing})", re.IGNORECASE)


def _spelled(match: re.Match[str]) -> str:
    letter, first, last = match.group(1), int(match.group(2)), int(match.group(3))
    if not first < last <= first + LONGEST_RANGE:
        return match.group()
    return ", ".join(f"{letter}{number}" for number in range(first, last + 1))
