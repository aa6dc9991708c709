"""An answer to somebody who is stuck: what is wrong, why, the way out, the next step, and a question back.

How much of the way out is said depends on the strategy: `direct` gives the commands, `hint` says what kind of mistake
it is (and more with every hint), `socratic` and `challenge` only ask.
"""

from collections.abc import Iterator

from studium.domain.lab import Diagnosis, Typed
from studium.workflows.tutor.answering.advice import pointer, question_back
from studium.workflows.tutor.answering.sentences import best_of, example_shown, heading_of, quoted, telling_sentences
from studium.workflows.tutor.helping import foremost_of
from studium.workflows.tutor.levels import HintLevel
from studium.workflows.tutor.skills import FeedbackGiven, TeachGiven

WORDS_OF_WHY = {"novice": 60, "intermediate": 40, "advanced": 0}
"""How many words of explanation somebody reads who only wants it to work; who knows the topic needs none."""
WORDS_OF_HELP = 90
GIVES_AWAY: HintLevel = 3

_NOTHING_SEEN = "I see no error in what you typed."
_ASK_WHAT_IS_SEEN = "What did you expect to see, and what do you see instead?"


def troubleshooting_answer(given: FeedbackGiven) -> str:
    """The answer, from the diagnoses, the passages and the lab alone."""
    diagnosis = foremost_of(given.diagnoses)
    parts = _about(diagnosis, given) if diagnosis else _without_diagnosis(given)
    return "\n\n".join(part for part in (*parts, next_step(given), _question(diagnosis, given)) if part)


def next_step(given: TeachGiven) -> str:
    """The first goal of the lab that is not reached yet, and the lab's hint for it."""
    if not given.open_checks:
        return ""
    return f"Still open in this lab: {given.open_checks[0].rstrip('.')}. {given.hint}".strip()


def _about(diagnosis: Diagnosis, given: FeedbackGiven) -> Iterator[str]:
    typed = _line(diagnosis, given.history)
    if _gives_away(given):
        yield _placed(diagnosis, typed, diagnosis.diagnosis)
        yield _why(diagnosis, given)
        yield _fix(diagnosis)
        yield "\n".join(given.proofs)
    elif given.strategy == "hint":
        yield _placed(diagnosis, typed, pointer(diagnosis) if given.hint_level == 1 else diagnosis.diagnosis)
        yield _where_to_read(given) if given.hint_level == 1 else _why(diagnosis, given)
    else:
        yield _placed(diagnosis, typed, _complaint(typed) or pointer(diagnosis))


def _gives_away(given: FeedbackGiven) -> bool:
    return given.strategy == "direct" or (given.strategy == "hint" and given.hint_level == GIVES_AWAY)


def _question(diagnosis: Diagnosis | None, given: FeedbackGiven) -> str:
    """What leads to the fix; where that was given already, it is for another time."""
    if not diagnosis:
        return _ASK_WHAT_IS_SEEN
    return f"{'For next time: ' * _gives_away(given)}{question_back(diagnosis)}"


def _line(diagnosis: Diagnosis, history: tuple[Typed, ...]) -> Typed | None:
    """The line that a diagnosis is about: the one it names, else the last that the device answered with a complaint."""
    named = diagnosis.metadata.get("command")
    if named:
        return next((typed for typed in reversed(history) if typed.command == named), Typed(command=str(named)))
    if diagnosis.metadata.get("device"):
        return None
    return next((typed for typed in reversed(history) if _complaint(typed)), None)


def _placed(diagnosis: Diagnosis, typed: Typed | None, told: str) -> str:
    """What is told, with the line or the device that it is about, unless it names them itself."""
    if typed:
        return _about_line(typed, told)
    device = str(diagnosis.metadata.get("device", ""))
    return f"On {device}: {told}" if device and device.lower() not in told.lower() else told


def _about_line(typed: Typed, told: str) -> str:
    if not typed.command or typed.command in told:
        return told
    return f"About `{typed.command}`{f' on {typed.device}' if typed.device else ''}: {told}"


def _complaint(typed: Typed | None) -> str:
    """What the device said about it, in its own words."""
    lines = (line.strip() for line in typed.output.splitlines()) if typed else iter(())
    said = next((line for line in lines if line.startswith("%")), "")
    return f"The device says `{said}`" if said else ""


def _why(diagnosis: Diagnosis, given: FeedbackGiven) -> str:
    words = WORDS_OF_WHY.get(given.mastery_level, WORDS_OF_HELP)
    if not words:
        return ""
    return quoted(telling_sentences(f"{diagnosis.diagnosis} {given.question}", given.passages, words))


def _where_to_read(given: FeedbackGiven) -> str:
    """The way to an explanation, without the explanation."""
    return f"See “{heading_of(given.passages[0])}” [{given.passages[0].number}]." if given.passages else ""


def _fix(diagnosis: Diagnosis) -> str:
    """The commands to type, as they stand; in words where no commands are known."""
    if not diagnosis.commands:
        return diagnosis.fix
    commands = "\n".join(diagnosis.commands)
    return f"Type this:\n\n```\n{commands}\n```"


def _without_diagnosis(given: FeedbackGiven) -> Iterator[str]:
    if given.history:
        refused = next((typed for typed in reversed(given.history) if _complaint(typed)), None)
        yield _about_line(refused, _complaint(refused)) if refused else _NOTHING_SEEN
    words = WORDS_OF_HELP if given.strategy == "direct" else WORDS_OF_HELP // 2
    told = telling_sentences(given.question, given.passages, words)
    yield quoted(told)
    if given.strategy == "direct" and told:
        number = best_of(told).number
        yield example_shown(next(passage for passage in given.passages if passage.number == number))
