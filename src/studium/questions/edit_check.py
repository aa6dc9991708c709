"""Check an edited question against its evidence: the quotes are still there, and the answer is in them or confirmed."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from studium.core.domain.document import Document
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Evidence, unusable_error
from studium.core.domain.run import Run, current_context, use_context
from studium.core.domain.usage import Budget
from studium.core.text.language_detection import detect_language
from studium.core.text.stems import stem
from studium.core.text.stop_words import content_words, is_negation, negations
from studium.core.text.tokens import split_words
from studium.questions.candidates import check_leak, check_numbers, judge_candidate
from studium.questions.corpus import question_context
from studium.questions.document_tools import document_tools
from studium.questions.domain import CorpusConfig, QAPair
from studium.questions.kind_checks import check_kind
from studium.questions.rules.duplicate_detection.same_question import nearest_questions
from studium.questions.skills import (
    DEDUPE,
    VALIDATE,
    VALIDATE_VISUAL,
    Candidate,
    DedupeInput,
    ValidateInput,
    ValidationResult,
)
from studium.questions.source_pages import document_of
from studium.questions.state import CurrentCandidate

if TYPE_CHECKING:
    from studium.core.app import App

_COMPARED = 12
_SHORT_ANSWER = 2
"""An answer of more content words is a statement: it must not leave out a negation of its quote."""


@dataclass(frozen=True)
class CheckedEdit:
    """An edit that holds, with the evidence that proves it; `note` says if only the quote does."""

    pair: QAPair
    note: str = ""


async def check_edit(app: "App", run: Run, pair: QAPair, others: Mapping[str, int]) -> CheckedEdit:
    """Check an edited pair; raises `BadInput` that says why it does not hold.

    `others` are the other questions of the set about this document, with their numbers.
    """
    document = await asyncio.to_thread(read_source, run, pair.source_document)
    pair = with_open_form(pair)
    _check_form(pair)
    quoted = _still_quoted(document, pair)
    budget = Budget(app.settings.budget)
    with use_context(current_context().for_item(run.id, f"{pair.source_document}#edit", budget)):
        await _check_duplicate(app, pair.open_question, others)
        return await _check_answer(app, run, document, pair.model_copy(update={"evidence": quoted}))


def read_source(run: Run, path: str) -> Document:
    """The document of a question, opened again."""
    from studium.core.documents.registry import read_document

    reading = read_document(document_of(run, path))
    if reading.document is None:
        raise unusable_error(reading.findings)
    _ = reading.document.line_count  # reads all pages now, in this thread
    return reading.document


def _check_form(pair: QAPair) -> None:
    try:
        Candidate(question=pair.question, answer=pair.answer, quotes=("-",))
    except ValidationError as error:
        faults = "; ".join(f"the {fault['loc'][0]} is too short" for fault in error.errors())
        raise _refused(f"{faults.capitalize()}.") from error
    if fault := check_kind(_candidate(pair)) or check_leak(_candidate(pair)):
        raise _refused(fault.detail)


def with_open_form(pair: QAPair) -> QAPair:
    """The pair with the open form that its own words have now."""
    if pair.kind == "multiple_choice":
        return pair.model_copy(update={"asks": pair.question, "expected": pair.answer})
    if pair.kind == "cloze" and pair.answer.casefold() not in pair.expected.casefold():
        return pair.model_copy(update={"expected": pair.answer})
    return pair


def _candidate(pair: QAPair) -> CurrentCandidate:
    return CurrentCandidate(
        question=pair.question,
        answer=pair.answer,
        evidence=pair.evidence,
        kind=pair.kind,
        choices=pair.choices,
        asks=pair.asks,
        expected=pair.expected,
    )


def _still_quoted(document: Document, pair: QAPair) -> tuple[Evidence, ...]:
    """The evidence as it is in the document now."""
    if pair.category == "visual":
        shown = {visual.caption or visual.source or visual.kind for visual in document.visuals()}
        found = [each for each in pair.evidence if each.quote in shown]
    else:
        found = [now for each in pair.evidence if (now := document.locate(each.quote))]
    if len(found) < len(pair.evidence):
        raise _refused("A quote that proves it is no longer in the document.")
    return tuple(found)


async def _check_duplicate(app: "App", question: str, others: Mapping[str, int]) -> None:
    if not others:
        return
    nearest = nearest_questions(question, list(others), _COMPARED, app.similarity)
    compared = await app.model.answer(DEDUPE, DedupeInput(question=question, accepted=nearest))
    same = compared.output.duplicate_of if compared.output else None
    if same is not None:
        which = f"Question {others[same]}" if same in others else "Another question"
        raise _refused(f"{which} asks the same: {same}")


async def _check_answer(app: "App", run: Run, document: Document, pair: QAPair) -> CheckedEdit:
    objection, validated = await _validate(app, run, document, pair)
    if not objection and validated:
        return CheckedEdit(_with_quotes(document, pair, validated.quotes))
    language = detect_language(document.text).code
    quotes = [each.quote for each in pair.evidence]
    if is_in_quotes(pair.open_answer, quotes, language) and check_numbers(pair.open_answer, quotes) is None:
        return CheckedEdit(pair, f"The quote supports the answer, the validator does not: {objection}")
    raise _refused(f"The quotes do not say “{pair.answer}”, and the validator does not confirm it: {objection}")


async def _validate(app: "App", run: Run, document: Document, pair: QAPair) -> tuple[str, ValidationResult | None]:
    """The objection of the validator, empty if it confirms the answer, and its own answer."""
    corpus = run.arguments.get("corpus")
    config = CorpusConfig.model_validate(corpus) if corpus else None
    given = ValidateInput(
        document=document.id,
        title=document.path,
        line_count=document.line_count,
        question=pair.open_question,
        **dict(question_context(config, run.arguments.get("scenario"))),
    )
    skill = VALIDATE_VISUAL if pair.category == "visual" else VALIDATE
    answer = await app.model.answer(skill, given, tools=document_tools(document, pair.category))
    if answer.output is None:
        return "; ".join(map(str, answer.findings)) or "it gave no answer.", None
    rejection = judge_candidate(_candidate(pair), answer.output, app.similarity)
    return (rejection.detail if rejection else ""), answer.output


def _with_quotes(document: Document, pair: QAPair, quotes: Sequence[str]) -> QAPair:
    """The pair with the validator's quotes, where its own no longer hold the answer."""
    own = [each.quote for each in pair.evidence]
    if pair.category == "visual" or is_in_quotes(pair.open_answer, own, detect_language(document.text).code):
        return pair
    found = [evidence for quote in quotes if (evidence := document.locate(quote))]
    fields = pair.model_dump(exclude={"evidence", "content_refs"})
    return QAPair.model_validate(fields | {"evidence": tuple(found)}) if found else pair


def is_in_quotes(answer: str, quotes: Sequence[str], language: str) -> bool:
    """Whether the quotes hold every content word of an answer, and negate what it states no more than it does."""
    said = split_words(answer, numbers=True)
    quoted = split_words("\n".join(quotes), numbers=True)
    stems = {stem(word, language) for word in quoted}
    words = content_words(said, language, keep=negations(language))
    if not words or any(stem(word, language) not in stems for word in words):
        return False
    is_statement = len(words) > _SHORT_ANSWER
    negated = [any(is_negation(word, language) for word in part) for part in (said, quoted)]
    return not is_statement or negated[0] == negated[1]


def _refused(why: str) -> BadInput:
    return BadInput(
        f"The edit is not supported by the document: {why}",
        remedy="Change the wording so that the quotes support it, or drop the question.",
    )
