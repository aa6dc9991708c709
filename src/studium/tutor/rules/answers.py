"""Rule-based answers from diagnoses, the lab's hints and the documents."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files

from studium.core.domain.skill import TextAnswer, Tool
from studium.core.llm.models import Rule
from studium.tutor.domain import Diagnosis, HintLevel, TypedCommand
from studium.tutor.rules.intent import is_about_progress, subject_of, telling_words
from studium.tutor.rules.question import main_question
from studium.tutor.rules.sentences import (
    Sentence,
    best_sentence,
    cited_example,
    content_words,
    first_sentence,
    following_sentences,
    heading_of,
    is_definition,
    is_mentioned,
    join_with_citations,
    opening_sentences,
    relevant_sentences,
    shows_command,
    spelled_as_in,
)
from studium.tutor.skills import (
    FEEDBACK,
    LOOK,
    PARAPHRASE,
    TEACH,
    FeedbackInput,
    LookInput,
    LookOutput,
    NumberedPassage,
    ParaphraseInput,
    TeachInput,
)
from studium.tutor.strategy import most_serious


def hint_for(diagnosis: Diagnosis) -> str:
    """A hint that names the kind of mistake and leaves the fix to the student."""
    return _entry(diagnosis.error_type)[0]


def follow_up_question(diagnosis: Diagnosis) -> str:
    """The question whose answer leads to the fix."""
    return _entry(diagnosis.error_type)[1]


def _entry(error_type: str) -> list[str]:
    table = _advice_table()
    return table.get(error_type, table[""])


@cache
def _advice_table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = json.loads(files(__package__).joinpath("advice.json").read_text("utf-8"))
    return table


WORDS_OF_WHY = {"novice": 60, "intermediate": 40, "advanced": 0}
"""How many words of explanation a student gets who wants a fix; one who knows the topic gets none."""
WORDS_OF_HELP = 90
GIVES_AWAY: HintLevel = 3

_NOTHING_SEEN = "I see no error in what you typed."
_ASK_WHAT_IS_SEEN = "What did you expect to see, and what do you see instead?"


def troubleshooting_answer(given: FeedbackInput) -> str:
    """The answer, from the diagnoses, the passages and the lab alone."""
    diagnosis = most_serious(given.diagnoses)
    parts = _about(diagnosis, given) if diagnosis else _without_diagnosis(given)
    return "\n\n".join(part for part in (*parts, next_step(given), _question(diagnosis, given)) if part)


def next_step(given: TeachInput) -> str:
    """The first goal of the lab that is not reached yet, and the lab's hint for it."""
    if not given.open_checks:
        return ""
    return f"Still open in this lab: {given.open_checks[0].rstrip('.')}. {given.hint}".strip()


def _about(diagnosis: Diagnosis, given: FeedbackInput) -> Iterator[str]:
    typed = _line(diagnosis, given.history)
    if _gives_away(given):
        yield _placed(diagnosis, typed, diagnosis.diagnosis)
        yield _why(diagnosis, given)
        yield _fix(diagnosis)
        yield "\n".join(given.proofs)
    elif given.strategy == "hint":
        yield _placed(diagnosis, typed, hint_for(diagnosis) if given.hint_level == 1 else diagnosis.diagnosis)
        yield _where_to_read(given) if given.hint_level == 1 else _why(diagnosis, given)
    else:
        yield _placed(diagnosis, typed, _complaint(typed) or hint_for(diagnosis))


def _gives_away(given: FeedbackInput) -> bool:
    return given.strategy == "direct" or (given.strategy == "hint" and given.hint_level == GIVES_AWAY)


def _question(diagnosis: Diagnosis | None, given: FeedbackInput) -> str:
    """The follow-up question; phrased for next time if the fix was given."""
    if not diagnosis:
        return _ASK_WHAT_IS_SEEN
    return f"{'For next time: ' * _gives_away(given)}{follow_up_question(diagnosis)}"


def _line(diagnosis: Diagnosis, history: tuple[TypedCommand, ...]) -> TypedCommand | None:
    """The line that a diagnosis is about: the one it names, else the last refused one."""
    named = diagnosis.metadata.get("command")
    if named:
        return next((typed for typed in reversed(history) if typed.command == named), TypedCommand(command=str(named)))
    if diagnosis.metadata.get("device"):
        return None
    return next((typed for typed in reversed(history) if _complaint(typed)), None)


def _placed(diagnosis: Diagnosis, typed: TypedCommand | None, told: str) -> str:
    """The text with its line or device, unless it already names them."""
    if typed:
        return _about_line(typed, told)
    device = str(diagnosis.metadata.get("device", ""))
    return f"On {device}: {told}" if device and device.lower() not in told.lower() else told


def _about_line(typed: TypedCommand, told: str) -> str:
    if not typed.command or typed.command in told:
        return told
    return f"About `{typed.command}`{f' on {typed.device}' if typed.device else ''}: {told}"


def _complaint(typed: TypedCommand | None) -> str:
    """The device's own message."""
    lines = (line.strip() for line in typed.output.splitlines()) if typed else iter(())
    said = next((line for line in lines if line.startswith("%")), "")
    return f"The device says `{said}`" if said else ""


def _why(diagnosis: Diagnosis, given: FeedbackInput) -> str:
    words = WORDS_OF_WHY.get(given.mastery_level, WORDS_OF_HELP)
    if not words:
        return ""
    return join_with_citations(relevant_sentences(f"{diagnosis.diagnosis} {given.question}", given.passages, words))


def _where_to_read(given: FeedbackInput) -> str:
    """Where to read an explanation."""
    return f"See “{heading_of(given.passages[0])}” [{given.passages[0].number}]." if given.passages else ""


def _fix(diagnosis: Diagnosis) -> str:
    """The commands to type, or a description if none are known."""
    if not diagnosis.commands:
        return diagnosis.fix
    commands = "\n".join(diagnosis.commands)
    return f"Type this:\n\n```\n{commands}\n```"


def _without_diagnosis(given: FeedbackInput) -> Iterator[str]:
    if given.history:
        refused = next((typed for typed in reversed(given.history) if _complaint(typed)), None)
        yield _about_line(refused, _complaint(refused)) if refused else _NOTHING_SEEN
    words = WORDS_OF_HELP if given.strategy == "direct" else WORDS_OF_HELP // 2
    told = relevant_sentences(given.question, given.passages, words)
    yield join_with_citations(told)
    if given.strategy == "direct" and told:
        number = best_sentence(told).number
        yield cited_example(next(passage for passage in given.passages if passage.number == number))


DEPTH = {"novice": 70, "intermediate": 100, "advanced": 120}
"""The word limit by level: novices get the core, others more detail."""
CLUES = 2

_NOTHING_FOUND = "The documents I have say nothing about this."
_ASK_WHERE = "What have you done so far, and what would you try next?"
_ASK_OTHERWISE = "Can you say it in other words, or name the command or protocol you mean?"


def teaching_answer(given: TeachInput) -> str:
    """The answer, from the passages and the lab alone."""
    if not subject_of(given.question) or is_about_progress(given.question):
        return _joined(_way_on(given))
    if _is_beyond(given):
        return _joined((_NOTHING_FOUND, *_way_on(given)))
    page = _page_to_read(given)
    told = page and opening_sentences(page, _depth(given))
    told = told or relevant_sentences(given.question, given.passages, _depth(given))
    return _joined(_told(given, told) if told else (_NOTHING_FOUND, next_step(given), _ASK_OTHERWISE))


def _is_beyond(given: TeachInput) -> bool:
    """Whether no passage found speaks of the thing that is asked for."""
    asked = main_question(spelled_as_in(given.passages, given.question))
    things = [words for words in map(telling_words, asked.about) if words] if asked and given.passages else []
    foremost = things[:1] if asked and asked.kind in ("definition", "procedure", "request") else things
    return bool(things) and not any(is_mentioned(words, given.passages) for words in foremost)


def _page_to_read(given: TeachInput) -> NumberedPassage | None:
    """The best page, if it defines the thing that is asked for or shows how to do it."""
    asked, page = main_question(spelled_as_in(given.passages, given.question)), next(iter(given.passages), None)
    thing = content_words(asked.about[0]) if asked and asked.about else None
    if asked is None or page is None or not thing:
        return None
    is_named = content_words(heading_of(page)).keys() == thing.keys()
    if asked.kind == "definition":
        return page if is_named or is_definition(first_sentence(page.text), thing) else None
    return page if asked.kind == "procedure" and shows_command(page.text) else None


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _way_on(given: TeachInput) -> Iterator[str]:
    """For a vague question: where the student is in the lab."""
    yield f"The goal of this lab: {given.goal}" if given.goal else ""
    yield next_step(given)
    yield _ASK_WHERE if given.goal or given.open_checks else _ASK_OTHERWISE


def _depth(given: TeachInput) -> int:
    return DEPTH.get(given.mastery_level, DEPTH["novice"])


def _told(given: TeachInput, told: Sequence[Sentence]) -> Iterator[str]:
    best = best_sentence(told)
    source = next(passage for passage in given.passages if passage.number == best.number)
    topic = heading_of(source)
    if given.strategy == "socratic":
        yield join_with_citations([each for each in told if each is not best][:CLUES])
        yield f"What would you say yourself: {_asked(given.question)} Then compare with “{topic}” [{source.number}]."
    elif given.strategy == "hint":
        yield join_with_citations([best])
        yield f"Read on under “{topic}” [{source.number}]. What do you take from it?"
    elif given.strategy == "challenge":
        yield join_with_citations(told)
        yield f"You know this well. With which command would you show “{topic}” at work on a router of this lab?"
    else:
        yield join_with_citations(following_sentences(told, given.passages, _depth(given)))
        yield cited_example(source) if _wants_example(given) else ""
        yield f"How would you put “{topic}” in your own words{', and where does this lab need it' * bool(given.lab)}?"


def _wants_example(given: TeachInput) -> bool:
    """Whether to show an example: for how-to questions and for novices."""
    asked = main_question(spelled_as_in(given.passages, given.question))
    return given.mastery_level == "novice" or (asked is not None and asked.kind == "procedure")


def _asked(question: str) -> str:
    return question.strip().rstrip("?!. ") + "?"


def _teach(given: TeachInput, _tools: Sequence[Tool]) -> TextAnswer:
    return TextAnswer(text=teaching_answer(given))


def _feedback(given: FeedbackInput, _tools: Sequence[Tool]) -> TextAnswer:
    return TextAnswer(text=troubleshooting_answer(given))


def _look(_given: LookInput, _tools: Sequence[Tool]) -> LookOutput:
    """The rules look at nothing beyond the configurations already read."""
    return LookOutput()


def _as_it_is(given: ParaphraseInput, _tools: Sequence[Tool]) -> TextAnswer:
    """Return the answer unchanged; cleaning happens for every answer."""
    return TextAnswer(text=given.text)


RULES: dict[str, Rule] = {
    TEACH.name: _teach,
    FEEDBACK.name: _feedback,
    LOOK.name: _look,
    PARAPHRASE.name: _as_it_is,
}
