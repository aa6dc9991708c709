"""Clean an answer: no preambles, internal codes, tool names or text of the system prompt.

Code stays unchanged: fenced and indented blocks, lines with a prompt, and text in backticks.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Literal, TypedDict

_CODE = re.compile(
    r"```[\s\S]*?(?:```|\Z)"
    r"|~~~[\s\S]*?(?:~~~|\Z)"
    r"|^(?: {4}|\t).*$"
    r"|^[ \t]*[A-Za-z][\w.-]*(?:\([\w-]+\))?[#>].*$"
    r"|`[^`\n]+`",
    re.MULTILINE,
)
_EMOJI = re.compile("[\U0001f000-\U0001faff☀-➿⬀-⯿️⃣‍]+[ \t]?")
_NUMBERED = re.compile(r"\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b")
_SPACES = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
_LOOSE = re.compile(r"(?<![ \t])[ \t]+(?=[,.;:!?](?:\s|$)|$)|\(\s*\)", re.MULTILINE)
_GAPS = re.compile(r"\n{3,}")
_MARK = "\ue000"
_KEPT = re.compile(rf"{_MARK}(\d+){_MARK}")


def paraphrase(text: str) -> str:
    """Clean an answer; if nothing is left, return the original."""
    code: list[str] = []

    def hold_code(found: re.Match[str]) -> str:
        if _is_internal(found[0].strip("`")):
            return found[0].strip("`")
        code.append(found[0])
        return f"{_MARK}{len(code) - 1}{_MARK}"

    plain = _CODE.sub(hold_code, text.replace(_MARK, ""))
    previous = None
    while plain != previous:
        previous, plain = plain, _cleaned(plain)
    told = _KEPT.sub(lambda kept: code[int(kept[1])], plain).strip("\n")
    return told if told.strip() else text.strip()


def _cleaned(text: str) -> str:
    """One cleaning pass; removing one phrase may expose another."""
    text = _EMOJI.sub("", text)
    for kind in ("prompts", "labels"):
        text = _phrases(kind).sub("", text)
    text = _tools().sub(_tool_in_words, text)
    text = _NUMBERED.sub(lambda found: _in_words(found[0]), text)
    text = _preamble().sub(_capitalised, text)
    text = _closer().sub("", text)
    return _GAPS.sub("\n\n", _LOOSE.sub("", _SPACES.sub(" ", text)))


def _is_internal(word: str) -> bool:
    return bool(_tools().fullmatch(word) or (_NUMBERED.fullmatch(word) and _in_words(word) != word))


def _in_words(code: str) -> str:
    """`WRONG_MODE` as `wrong mode`; a name that a student may have given, such as `MY_LIST`, stays."""
    words = code.split("_")
    ours = sum(word in _table()["code_words"] for word in words)
    return " ".join(words).lower() if 2 * ours > len(words) else code


def _tool_in_words(found: re.Match[str]) -> str:
    device = re.search(r"[\"'=(]\s*([A-Za-z][\w-]*)[\"']?\s*\)", found["given"] or "")
    looked = "looked at " if found["used"] else ""
    return f"{looked}{_table()['tools'][found['tool']]}{f' of {device[1]}' if device else ''}"


def _capitalised(found: re.Match[str]) -> str:
    return found["next"].upper()


class _LeakTable(TypedDict):
    """What a model says of its prompt and tools: patterns by where they occur, and what to call each tool."""

    preambles: list[str]
    closers: list[str]
    prompts: list[str]
    labels: list[str]
    tools: dict[str, str]
    code_words: list[str]


@cache
def _table() -> _LeakTable:
    table: _LeakTable = json.loads(files(__package__).joinpath("leaks.json").read_text("utf-8"))
    return table


@cache
def _phrases(kind: Literal["prompts", "labels"]) -> re.Pattern[str]:
    flags = re.MULTILINE if kind == "labels" else re.MULTILINE | re.IGNORECASE
    fragments = [f"(?i:{each})" if "DIAGNOSIS" not in each else each for each in _table()[kind]]
    return re.compile("|".join(fragments), flags)


@cache
def _preamble() -> re.Pattern[str]:
    return re.compile(rf"\A\s*(?:{'|'.join(_table()['preambles'])})\s*(?P<next>[a-z]?)", re.IGNORECASE)


@cache
def _closer() -> re.Pattern[str]:
    return re.compile(rf"(?:^|(?<=[.!?\n])[ \t]*)(?:{'|'.join(_table()['closers'])})\s*\Z", re.IGNORECASE)


@cache
def _tools() -> re.Pattern[str]:
    names = "|".join(map(re.escape, _table()["tools"]))
    used = r"(?P<used>\b(?:used|called|ran|invoked|executed|queried) )?"
    return re.compile(rf"{used}(?:the )?\b(?P<tool>{names})\b(?P<given>\([^)\n]{{0,80}}\))?(?: (?:tool|function)\b)?")


_PARAGRAPH = re.compile(r"\n\s*\n")
_FENCE = "```"


class StreamCleaner:
    """Cleans a stream paragraph by paragraph; never splits a code block."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.heard = False
        self._say = say
        self._held = ""

    def hear(self, piece: str) -> None:
        """Add a piece and emit what is complete."""
        self._held += piece
        while (end := self._complete()) is not None:
            self._pass_on(self._held[:end])
            self._held = self._held[end:]

    def end(self) -> None:
        """Emit the rest."""
        self._pass_on(self._held)
        self._held = ""

    def _complete(self) -> int | None:
        for found in _PARAGRAPH.finditer(self._held):
            if self._held[: found.start()].count(_FENCE) % 2 == 0:
                return found.end()
        return None

    def _pass_on(self, text: str) -> None:
        cleaned = paraphrase(text)
        if cleaned.strip():
            self._say(("\n\n" if self.heard else "") + cleaned.strip())
            self.heard = True
