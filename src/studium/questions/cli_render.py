"""What `studium questions` prints: questions with their evidence, tables, estimates and reviews."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from studium.cli.console import say, show_json, show_table
from studium.core.domain.finding import Finding
from studium.questions.domain import DocumentResult, QAPair, RejectedQA
from studium.questions.estimate import Estimate
from studium.questions.kinds import lettered
from studium.questions.question_set import QuestionSet, ReviewedQuestion
from studium.questions.use_cases import GenerationOutcome

_QUOTE = 160
_NAMED = 10


def render_result(outcome: GenerationOutcome, out: Path | None) -> None:
    """Print the questions of one document."""
    result = outcome.only_result()
    _render_pairs(result.accepted, result.rejected)
    for finding in outcome.findings:
        say(str(finding), "yellow")
    stats = result.stats
    written = f", written to {out}" if out else ""
    say(f"{stats.accepted_count} of {stats.target_count} questions{written}. {_coverage_text(stats.coverage)}")
    say(f"Run {outcome.run}.", "dim")


def render_document(document: DocumentResult) -> None:
    """Print the questions of one document of a corpus."""
    say(document.path, "bold underline")
    _render_pairs(document.accepted, document.rejected)


def render_corpus(outcome: GenerationOutcome, out: Path | None) -> None:
    """Print a table of the documents, the files without a reader, and the totals."""
    documents = outcome.documents
    names = _names(documents)
    show_table(("document", "#questions", "#rejected", "#covered"), map(_row, documents, names))
    for document, name in zip(documents, names, strict=True):
        for finding in document.findings:
            say(f"{name}: {finding.message}", "yellow" if document.failed else "dim")
    _render_unsupported(outcome.unsupported)
    failed = sum(document.failed for document in documents)
    short = sum(bool(document.shortfall) for document in documents)
    written = f", written to {out}" if out else ""
    faults = f" {failed} documents failed." if failed else ""
    lacking = f" {short} of them gave fewer than were asked for." if short else ""
    made = f"{len(outcome.pairs)} of {outcome.target} questions"
    say(f"{made} about {len(documents)} documents{written}.{lacking}{faults}")
    say(f"Run {outcome.run}.", "dim")


def _render_unsupported(findings: Sequence[Finding]) -> None:
    """Name the files that there is no reader for, by their type."""
    by_reason: dict[str, list[str]] = {}
    for finding in findings:
        name = os.path.basename(finding.where.path if finding.where else "")  # noqa: PTH119 - any text may be a path
        by_reason.setdefault(finding.message, []).append(name)
    for reason, names in by_reason.items():
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        say(f"Not read: {', '.join(names[:_NAMED])}{more}. {reason}", "yellow")


def render_estimate(expected: Estimate, *, as_json: bool) -> None:
    """Print the estimate of a run."""
    if as_json:
        show_json(vars(expected))
        return
    for path, problem in expected.unreadable.items():
        say(f"{path}: {problem}", "yellow")
    opened = "" if expected.surveyed == expected.documents else f" ({expected.surveyed} opened)"
    pages = f", {expected.pages:,} pages" if expected.pages else ""
    about = ", ".join((*sorted(expected.kinds), *sorted(expected.languages)))
    say(f"{expected.documents} documents{opened}: {expected.words:,} words{pages} ({about}).")
    say(f"About {expected.expected} of the {expected.questions} questions asked for are likely. {expected.basis}")
    if expected.calls:
        tokens = f"{expected.input_tokens:,} input tokens and {expected.output_tokens:,} output tokens"
        cost = "an unknown price (set `models.….price`)" if expected.cost is None else f"about {expected.cost:.2f}"
        say(f"Expected: {expected.calls} calls, {tokens}, a cost of {cost}.")
        say("This is an estimate; --max-cost limits what a run spends.", "dim")
    else:
        say("No model is called: the rules need none.")
    if expected.seconds is not None:
        say(f"About {expected.seconds:,.0f} seconds, as past runs took.", "dim")


def _render_pairs(accepted: Iterable[QAPair], rejected: Iterable[RejectedQA]) -> None:
    for pair in accepted:
        say(pair.question, "bold")
        for choice in lettered(pair.choices):
            say(f"  {choice}")
        say(f"  {pair.answer}")
        for evidence in pair.evidence:
            quote = " ".join(evidence.quote.split())
            say(f"  {evidence.where}: “{quote[:_QUOTE]}{'…' if len(quote) > _QUOTE else ''}”", "dim")
    for pair_rejected in rejected:
        say(
            f"rejected ({pair_rejected.rejection_reason}): {pair_rejected.question} {pair_rejected.rejection_detail}",
            "dim",
        )


def _names(documents: Sequence[DocumentResult]) -> list[str]:
    """The documents' paths, without the folder that they share."""
    folders = [os.path.dirname(document.path) for document in documents]  # noqa: PTH120 - any text may be a path here
    above = os.path.commonpath(folders) if folders and all(folders) else ""
    return [document.path.removeprefix(above).lstrip("/") for document in documents]


def _row(document: DocumentResult, name: str) -> tuple[object, ...]:
    stats = document.stats
    if stats is None:
        return name, "failed", "", ""
    return name, f"{stats.accepted_count} of {stats.target_count}", stats.rejected_count, f"{stats.coverage:.0%}"


def _coverage_text(coverage: float) -> str:
    return f"They cover {coverage:.0%} of the document's parts."


def render_review(questions: QuestionSet, *, listed: bool) -> None:
    """Print how far a review is and, if `listed`, every question with its number and status."""
    if listed:
        rows = [(each.number, each.status, each.pair.question, each.pair.answer) for each in questions.questions]
        show_table(("#", "status", "question", "answer"), rows)
    say(f"{questions.progress}.")


def render_question(question: ReviewedQuestion) -> None:
    """Print one question and what was decided about it."""
    say(f"{question.number} {question.status}: {question.pair.question}")
    say(f"  {question.pair.answer}", "dim")
