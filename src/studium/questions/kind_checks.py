"""Whether a candidate is what its kind promises: one blank, one right choice, a statement that is true or false."""

from collections.abc import Callable, Mapping

from studium.questions.domain import RejectionReason
from studium.questions.kinds import BLANK, TRUE_OR_FALSE, QuestionKind
from studium.questions.rules.comparison.answers import gives_answer_away, same_answer
from studium.questions.rules.generation.facts import content_words
from studium.questions.rules.parsed_document import strip_markdown
from studium.questions.state import CurrentCandidate, Rejection

FEWEST_CHOICES = 3
SEVERAL = 2


def check_kind(candidate: CurrentCandidate) -> Rejection | None:
    """Why a candidate is no question of its kind, or None."""
    check = _CHECKS.get(candidate.kind)
    fault = check(candidate) if check else ""
    return Rejection(reason=RejectionReason.VALIDATION_FAILED, detail=fault) if fault else None


def _cloze(candidate: CurrentCandidate) -> str:
    if candidate.question.count(BLANK) != 1:
        return f"A cloze question has one blank: {BLANK}."
    quoted = " ".join(strip_markdown(evidence.quote) for evidence in candidate.evidence).casefold()
    if candidate.answer.casefold() not in quoted:
        return "What was left out does not stand in the quotes."
    return _needs_open_form(candidate)


def _multiple_choice(candidate: CurrentCandidate) -> str:
    choices = candidate.choices
    if candidate.answer not in choices or len(set(choices)) != len(choices):
        return "The choices need the answer, and each of them once."
    if len(choices) < FEWEST_CHOICES:
        return f"There are fewer than {FEWEST_CHOICES} choices."
    right = [choice for choice in choices if choice == candidate.answer or same_answer(choice, candidate.answer)]
    return f"More than one choice is right: {'; '.join(right)}." if len(right) > 1 else _needs_open_form(candidate)


def _true_false(candidate: CurrentCandidate) -> str:
    if candidate.answer not in ("True", "False"):
        return "The answer is neither True nor False."
    if fault := _needs_open_form(candidate):
        return fault
    statement = candidate.question.removeprefix(TRUE_OR_FALSE)
    says_it = content_words(candidate.expected) <= content_words(statement)
    if (says_it or gives_answer_away(statement, candidate.expected)) != (candidate.answer == "True"):
        return f"The statement does not fit the expected answer: {candidate.expected}."
    return ""


def _several_quotes(candidate: CurrentCandidate) -> str:
    return "" if len(candidate.evidence) >= SEVERAL else "It needs at least two quotes from different places."


def _needs_open_form(candidate: CurrentCandidate) -> str:
    return "" if candidate.asks and candidate.expected else "It has no open form that could be checked."


_CHECKS: Mapping[QuestionKind, Callable[[CurrentCandidate], str]] = {
    "cloze": _cloze,
    "multiple_choice": _multiple_choice,
    "true_false": _true_false,
    "multi_hop": _several_quotes,
}
