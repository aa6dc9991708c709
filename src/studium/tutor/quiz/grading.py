"""What an answer to a question is worth."""

import re
from datetime import datetime
from pathlib import Path
from typing import Literal

from studium.core.domain.errors import BadInput, NotFound
from studium.core.domain.value import Value
from studium.tutor.mastery.learner import Learner, Outcome
from studium.tutor.quiz.command_comparison import (
    LONGEST_MASK,
    Comparison,
    compare_commands,
    dotted_masks,
    mask_for_length,
    spelling_table,
)
from studium.tutor.quiz.questions import QuizQuestion, parse_questions

GradeVerdict = Literal["right", "partly", "wrong"]

HALF = 0.5
FORGIVING = 5
"""In words of so many letters one letter may be wrong."""

_LENGTH = re.compile(r"(?<![\w./])/(\d{1,2})(?![\d/])")
_ANY_LENGTH = re.compile(r"/(\d{1,2})(?![\d/])")
_MARKS = re.compile(r"[\"'`“”‘’!?;,()]|[.:](?=\s|$)")


class Grade(Value):
    """A verdict, why, and what it means for the student's mastery."""

    verdict: GradeVerdict
    explanation: str

    @property
    def outcome(self) -> Outcome:
        """The same, as an outcome that mastery learns from."""
        return Outcome(f"quiz_{self.verdict}")


def grade(question: QuizQuestion, answer: str) -> Grade:
    """What an answer is worth, and the explanation; a wrong one is told the right one."""
    if question.kind == "command":
        return _command_grade(question, answer)
    verdict = _choice(question, answer) if question.kind == "choice" else _short(question, answer)
    return _told(question, verdict)


def _choice(question: QuizQuestion, answer: str) -> GradeVerdict:
    chosen = {_normal(each) for each in _chosen(question.choices, answer)}
    return "right" if chosen & {_normal(each) for each in question.answers} else "wrong"


def _chosen(choices: tuple[str, ...], answer: str) -> list[str]:
    """The choice that is meant: by its text first, then by its letter or number (`b`, `B)`, `2.`)."""
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
    """Whether `/27` is the answer to `Which mask is /27?`: the two are the same, but nothing was worked out."""
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
    """The same word, or one with a single letter wrong; of numbers, addresses and short words every sign counts."""
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


def load_questions(folder: Path) -> tuple[QuizQuestion, ...]:
    """The questions in a lab's folder."""
    import yaml

    path = folder / "quiz.yaml"
    try:
        entries = yaml.safe_load(path.read_text("utf-8"))
    except FileNotFoundError:
        raise NotFound(f"There are no questions on {folder.name}.", remedy="Choose another lab.") from None
    except yaml.YAMLError as error:
        raise BadInput(f"{path} cannot be read as YAML: {error}") from error
    return parse_questions(entries.get("questions", entries) if isinstance(entries, dict) else entries, str(path))


def grade_and_learn(question: QuizQuestion, answer: str, learner: Learner, now: datetime) -> tuple[str, Learner]:
    """What to say to an answer, and the student once it was given."""
    found = grade(question, answer)
    told = f"{found.verdict.capitalize()}. {found.explanation}".strip()
    return told, learner.after(question.topic, found.outcome, now)
