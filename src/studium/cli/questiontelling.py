"""How the questions of a run are shown."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from studium.cli.console import say, show_json, show_table

if TYPE_CHECKING:
    from studium.core.domain.finding import Finding
    from studium.domain.question import GenerationResult, QAPair, RejectedQA
    from studium.running.questions.estimate import Estimate
    from studium.running.questions.results import DocumentResult

_QUOTE = 160


def tell_result(run: str, result: "GenerationResult", findings: "Iterable[Finding]", out: Path | None) -> None:
    """Say what one document came to."""
    _tell_pairs(result.accepted, result.rejected)
    for finding in findings:
        say(str(finding), "yellow")
    stats = result.stats
    written = f", written to {out}" if out else ""
    say(f"{stats.accepted_count} of {stats.target_count} questions{written}. {_spread(stats.coverage)}")
    say(f"Run {run}.", "dim")


def tell_document(document: "DocumentResult") -> None:
    """Say what one document of a corpus came to."""
    say(document.path, "bold underline")
    _tell_pairs(document.accepted, document.rejected)


def tell_corpus(run: str, documents: "Sequence[DocumentResult]", out: Path | None) -> None:
    """Say what each document came to, and all together."""
    names = _names(documents)
    show_table(("document", "#questions", "#refused", "#covered"), map(_row, documents, names))
    for document, name in zip(documents, names, strict=True):
        for finding in document.findings:
            say(f"{name}: {finding.message}", "yellow" if document.failed else "dim")
    accepted = sum(len(document.accepted) for document in documents)
    failed = sum(document.failed for document in documents)
    written = f", written to {out}" if out else ""
    faults = f" {failed} documents failed." if failed else ""
    say(f"{accepted} questions about {len(documents)} documents{written}.{faults}")
    say(f"Run {run}.", "dim")


def tell_estimate(expected: "Estimate", *, as_json: bool) -> None:
    """Say what a run is likely to take."""
    if as_json:
        show_json(vars(expected))
        return
    cost = "an unknown price (set `models.….price`)" if expected.cost is None else f"about {expected.cost:.2f} in money"
    say(f"{expected.questions} questions about {expected.documents} documents.")
    if not expected.calls:
        say("No model is called: the rules do all of it.")
        return
    tokens = f"{expected.input_tokens:,} tokens read and {expected.output_tokens:,} written"
    say(f"Expected: {expected.calls} calls, {tokens}, {cost}.")
    say("This is an estimate; --max-cost stops a run before it spends more.", "dim")


def _tell_pairs(accepted: "Iterable[QAPair]", rejected: "Iterable[RejectedQA]") -> None:
    for pair in accepted:
        say(pair.question, "bold")
        say(f"  {pair.answer}")
        for evidence in pair.content_refs:
            quote = " ".join(evidence.quote.split())
            say(f"  {evidence.where}: “{quote[:_QUOTE]}{'…' if len(quote) > _QUOTE else ''}”", "dim")
    for refused in rejected:
        say(f"refused ({refused.rejection_reason}): {refused.question} {refused.rejection_detail}", "dim")


def _names(documents: "Sequence[DocumentResult]") -> list[str]:
    """The documents' paths, without the folder that all lie in."""
    folders = [os.path.dirname(document.path) for document in documents]  # noqa: PTH120 - any text may be a path here
    above = os.path.commonpath(folders) if folders and all(folders) else ""
    return [document.path.removeprefix(above).lstrip("/") for document in documents]


def _row(document: "DocumentResult", name: str) -> tuple[object, ...]:
    stats = document.stats
    if stats is None:
        return name, "failed", "", ""
    return name, f"{stats.accepted_count} of {stats.target_count}", stats.rejected_count, f"{stats.coverage:.0%}"


def _spread(coverage: float) -> str:
    return f"They cover {coverage:.0%} of the document's parts."
