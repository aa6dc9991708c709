"""Quiz: choose the next question and grade the answer."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any, Literal, TypedDict

from pydantic import Field, ValidationError, model_validator

from studium.core.documents.files import read_text
from studium.core.domain.errors import BadInput, NotFound
from studium.core.domain.value import Value
from studium.core.reader_process import outside_server
from studium.core.yaml_files import load_yaml
from studium.tutor.ios.interface_names import full_interface_type
from studium.tutor.mastery import Learner, Outcome


class QuizQuestion(Value):
    """A question, every answer that is right, and why it is.

    - choice: one of `choices`, by its text, its letter or its number.
    - short: a few words, a number, an address.
    - command: one or more lines of configuration; several answers are several ways.
    """

    question: str = Field(min_length=1)
    kind: Literal["choice", "command", "short"]
    answers: tuple[str, ...] = Field(min_length=1)
    choices: tuple[str, ...] = ()
    explanation: str = ""
    topic: str = ""

    @model_validator(mode="before")
    @classmethod
    def _one_answer_is_a_list_of_one(cls, entry: Any) -> Any:
        if not isinstance(entry, Mapping):
            return entry
        entry = dict(entry)
        answers = entry.pop("answer", entry.pop("answers", ()))
        several = answers if isinstance(answers, list | tuple) else [answers]
        return {**entry, "answers": [str(each) for each in several], "choices": _texts(entry.get("choices"))}

    @model_validator(mode="after")
    def _right_answer_is_a_choice(self) -> "QuizQuestion":
        if self.kind == "choice" and not any(answer in self.choices for answer in self.answers):
            raise ValueError("none of the answers is among the choices")
        return self


def parse_questions(entries: Sequence[Mapping[str, Any]], where: str) -> tuple[QuizQuestion, ...]:
    """Parse the questions of a file; one error lists all invalid entries."""
    questions, mistakes = [], []
    for number, entry in enumerate(entries, 1):
        try:
            questions.append(QuizQuestion.model_validate(entry))
        except ValidationError as bad:
            mistakes += [f"question {number}: {_place(each['loc'])}{each['msg']}" for each in bad.errors()]
    if mistakes:
        raise BadInput(f"{where}: {'; '.join(mistakes)}", remedy="Correct these questions in the file.")
    return tuple(questions)


def _texts(choices: Any) -> Any:
    """The choices as texts; what is not a list is left for the validation to refuse."""
    return [str(each) for each in choices] if isinstance(choices, list | tuple) else choices or []


def _place(loc: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, loc))}: " if loc else ""


def next_question(
    questions: Sequence[QuizQuestion], learner: Learner, now: datetime, asked: Collection[str] = ()
) -> QuizQuestion | None:
    """The next unasked question: of the topic longest overdue, else of the weakest topic."""
    open_ones = [each for each in questions if each.question not in asked]
    overdue = {topic: place for place, topic in enumerate(learner.due(now))}

    def urgency(question: QuizQuestion) -> tuple[int, float]:
        return overdue.get(question.topic, len(overdue)), learner.of(question.topic).known

    return min(open_ones, key=urgency, default=None)


class SpellingTable(TypedDict):
    """Words that answers are compared by: commands that navigate or open a section, numbers in words."""

    navigation: list[str]
    openers: list[str]
    in_order: list[str]
    one_letter: list[str]
    numbers: dict[str, str]
    articles: list[str]


@cache
def spelling_table() -> SpellingTable:
    """Load the spelling table."""
    table: SpellingTable = json.loads(
        files(__package__).joinpath("data", "tables", "quiz_spellings.json").read_text("utf-8")
    )
    return table


LONGEST_MASK = 32

_Line = tuple[str, str]

_PROMPT = re.compile(r"^\s*[A-Za-z][\w.-]*(?:\([\w-]+\))?[#>]\s*")
_INTERFACE = re.compile(r"\b([a-z][a-z-]*?) ?(\d+(?:/\d+)*(?:\.\d+)?)(?![\w/.])")
_PREFIX = re.compile(r"(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})/(\d{1,2})(?!\d)")
_KEYWORD = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True)
class Comparison:
    """The difference between typed and expected commands: lines met, missing and extra.

    `by_length`: a prefix length was written where IOS wants a mask.
    """

    met: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    by_length: bool = False

    @property
    def is_same(self) -> bool:
        """Whether nothing is missing or extra."""
        return not self.missing and not self.extra


def compare_commands(typed: str, wanted: str) -> Comparison:
    """Compare typed with expected commands."""
    on_the_way = _navigation() if _lines(wanted, _navigation()) else frozenset()
    left, expected = _lines(typed, on_the_way), _lines(wanted, on_the_way)
    is_in_order = _in_same_order(left, expected)
    missing = []
    for line in expected:
        found = next((each for each in left if _is_same(each, line)), None)
        if found is None or not is_in_order:
            missing.append(line[1])
        else:
            left.remove(found)
    by_length = bool(_PREFIX.search(typed)) and not _PREFIX.search(wanted)
    met = len(expected) - len(missing)
    return Comparison(met, tuple(missing), tuple(line for _, line in left), by_length)


def dotted_masks(text: str) -> str:
    """Prefix lengths as masks: `10.0.0.1/24` as `10.0.0.1 255.255.255.0`."""
    return _PREFIX.sub(
        lambda found: f"{found[1]} {mask_for_length(int(found[2]))}" if int(found[2]) <= LONGEST_MASK else found[0],
        text,
    )


def mask_for_length(length: int) -> str:
    """The mask of a prefix length."""
    return str(IPv4Network((0, length)).netmask)


def _lines(text: str, on_the_way: Collection[str]) -> list[_Line]:
    """The relevant lines with their block; not those that only navigate."""
    block, lines = "", []
    for raw in text.splitlines():
        line = _normal_line(raw)
        if not line or line == "!" or line in on_the_way:
            block = "" if line in {"exit", "end"} else block
            continue
        if _opens(line):
            block = line
            lines.append(("", line))
        else:
            lines.append((block, line))
    return lines


def _normal_line(raw: str) -> str:
    line = " ".join(_PROMPT.sub("", raw).lower().split())
    return _INTERFACE.sub(_interface_in_full, dotted_masks(line))


def _interface_in_full(found: re.Match[str]) -> str:
    full = full_interface_type(found[1])
    return f"{full.lower()}{found[2]}" if full else found[0]


def _opens(line: str) -> bool:
    words = line.split()
    return any(
        len(words) > len(opener.split())
        and all(_abbreviates(word, full) for word, full in zip(words, opener.split(), strict=False))
        for opener in spelling_table()["openers"]
    )


def _is_same(typed: _Line, wanted: _Line) -> bool:
    return all(_same_line(*pair) for pair in zip(typed, wanted, strict=True))


def _same_line(typed: str, wanted: str) -> bool:
    words, full = typed.split(), wanted.split()
    if words[:1] == ["do"] and full[:1] != ["do"]:  # right in every mode; the other way round it is not
        words = words[1:]
    return len(words) == len(full) and all(map(_abbreviates, words, full))


def _abbreviates(word: str, full: str) -> bool:
    """Whether a word is a keyword or its abbreviation; names and numbers must be equal."""
    if word == full:
        return True
    is_long_enough = len(word) > 1 or word in spelling_table()["one_letter"]
    return is_long_enough and bool(_KEYWORD.fullmatch(full)) and full.startswith(word)


def _in_same_order(typed: Sequence[_Line], wanted: Sequence[_Line]) -> bool:
    """Whether the order is right, for lines whose order matters."""
    read_from_the_top = tuple(spelling_table()["in_order"])
    if not any(line.startswith(read_from_the_top) for _, line in wanted):
        return True
    return all(_is_same(one, other) for one, other in zip(typed, wanted, strict=False))


@cache
def _navigation() -> frozenset[str]:
    return frozenset(spelling_table()["navigation"])


GradeVerdict = Literal["right", "partly", "wrong"]

HALF = 0.5
FORGIVING = 5
"""Words of at least this many letters may have one typo."""

_LENGTH = re.compile(r"(?<![\w./])/(\d{1,2})(?![\d/])")
_ANY_LENGTH = re.compile(r"/(\d{1,2})(?![\d/])")
_MARKS = re.compile(r"[\"'`“”‘’!?;,()]|[.:](?=\s|$)")


class Grade(Value):
    """A verdict, why, and what it means for the student's mastery."""

    verdict: GradeVerdict
    explanation: str

    @property
    def outcome(self) -> Outcome:
        """The verdict as a mastery outcome."""
        return Outcome(f"quiz_{self.verdict}")


def grade(question: QuizQuestion, answer: str) -> Grade:
    """Grade an answer and explain it; a wrong one gets the right answer."""
    if question.kind == "command":
        return _command_grade(question, answer)
    verdict = _choice(question, answer) if question.kind == "choice" else _short(question, answer)
    return _told(question, verdict)


def _choice(question: QuizQuestion, answer: str) -> GradeVerdict:
    chosen = {_normal(each) for each in _chosen(question.choices, answer)}
    return "right" if chosen & {_normal(each) for each in question.answers} else "wrong"


def _chosen(choices: tuple[str, ...], answer: str) -> list[str]:
    """The chosen option: by its text, letter or number (`b`, `B)`, `2.`)."""
    by_text = [choice for choice in choices if _normal(choice) == _normal(answer)]
    if by_text:
        return by_text
    sign = answer.strip().strip("().:").lower()
    lettered = {chr(ord("a") + place): choice for place, choice in enumerate(choices)}
    numbered = {str(place): choice for place, choice in enumerate(choices, 1)}
    meant = (lettered | numbered).get(sign)
    return [meant] if meant else []


def _short(question: QuizQuestion, answer: str) -> GradeVerdict:
    if _only_repeats(question, answer):
        return "wrong"
    verdicts = [_compared(_normal(answer).split(), _normal(wanted).split()) for wanted in question.answers]
    return min(verdicts, key=("right", "partly", "wrong").index)


def _only_repeats(question: QuizQuestion, answer: str) -> bool:
    """Whether the answer only repeats the question, like `/27` for `Which mask is /27?`."""
    given = set(_LENGTH.findall(answer)) - set(_LENGTH.findall(" ".join(question.answers)))
    return bool(given) and given <= set(_ANY_LENGTH.findall(question.question))


def _compared(given: list[str], wanted: list[str]) -> GradeVerdict:
    met = sum(any(_is_word(each, word) for each in given) for word in wanted)
    if met == len(wanted) and len(given) <= 2 * len(wanted) + 2 and not _turned_round(given, wanted):
        return "right"
    return "partly" if len(wanted) > 1 and met >= HALF * len(wanted) else "wrong"


def _turned_round(given: list[str], wanted: list[str]) -> bool:
    """Whether it says the opposite, or hedges with a second number."""
    denied = ("not" in given or "no" in given) != ("not" in wanted or "no" in wanted)
    hedged = any(any(map(str.isdigit, word)) for word in wanted) and {
        word for word in given if word not in wanted and any(map(str.isdigit, word))
    }
    return denied or bool(hedged)


def _is_word(given: str, wanted: str) -> bool:
    """Whether the words are equal; long words may have one typo, numbers and addresses none."""
    if given == wanted:
        return True
    return min(len(given), len(wanted)) >= FORGIVING and wanted.isalpha() and _one_letter_off(given, wanted)


def _one_letter_off(one: str, other: str) -> bool:
    start = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    if start is None:
        return abs(len(one) - len(other)) == 1
    rest, rest_of_other = one[start:], other[start:]
    swapped = rest[:2] == rest_of_other[:2][::-1] and rest[2:] == rest_of_other[2:]
    return swapped or rest_of_other[1:] in (rest[1:], rest) or rest[1:] == rest_of_other


def _normal(text: str) -> str:
    words = _MARKS.sub(" ", dotted_masks(text.lower())).split()
    words = [_LENGTH.sub(_as_mask, spelling_table()["numbers"].get(word, word)) for word in words]
    telling = [word for word in words if word not in spelling_table()["articles"]]
    return " ".join(telling or words)


def _as_mask(found: re.Match[str]) -> str:
    return mask_for_length(int(found[1])) if int(found[1]) <= LONGEST_MASK else found[0]


def _command_grade(question: QuizQuestion, answer: str) -> Grade:
    compared = [compare_commands(answer, wanted) for wanted in question.answers]
    best = max(compared, key=lambda each: (each.is_same, each.met - len(each.missing) - len(each.extra)))
    if best.is_same:
        return _by_length(question) if best.by_length else _told(question, "right")
    verdict: GradeVerdict = "partly" if best.met else "wrong"
    return _told(question, verdict, _what_differs(best) if best.met else "")


def _by_length(question: QuizQuestion) -> Grade:
    return _told(question, "partly", "The length is right, but IOS wants it as a dotted mask.")


def _what_differs(found: Comparison) -> str:
    missing = f"Missing: {', '.join(f'`{line}`' for line in found.missing)}." if found.missing else ""
    extra = f"Not asked for: {', '.join(f'`{line}`' for line in found.extra)}." if found.extra else ""
    return " ".join(filter(None, (missing, extra)))


def _told(question: QuizQuestion, verdict: GradeVerdict, why: str = "") -> Grade:
    solution = "" if verdict == "right" else f"The answer is:\n{question.answers[0].strip()}"
    parts = (why, solution, question.explanation.strip())
    return Grade(verdict=verdict, explanation="\n".join(filter(None, parts)))


@outside_server(lambda folder: f"{folder.name}/quiz.yaml")
def load_questions(folder: Path) -> tuple[QuizQuestion, ...]:
    """The questions in a lab's folder."""
    path = folder / "quiz.yaml"
    if not path.is_file():
        raise NotFound(f"{folder.name} has no quiz questions.", remedy="Choose another lab.")
    file = read_text(path)
    if file.text is None:
        raise BadInput(f"The quiz questions cannot be read: {file.findings[0]}")
    entries = load_yaml(file.text, name=str(path))
    questions = entries.get("questions", entries) if isinstance(entries, dict) else entries
    if not isinstance(questions, list):
        raise BadInput(f"{path} has no list of questions.", remedy="Write each question as `- question: …`.")
    return parse_questions(questions, str(path))


def grade_and_learn(question: QuizQuestion, answer: str, learner: Learner, now: datetime) -> tuple[str, Learner]:
    """Grade an answer; return the message and the updated student."""
    found = grade(question, answer)
    told = f"{found.verdict.capitalize()}. {found.explanation}".strip()
    return told, learner.after(question.topic, found.outcome, now)
