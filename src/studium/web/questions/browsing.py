"""Looking through the pairs of a run: by document, by words, accepted or refused."""

from pathlib import Path
from typing import Any

from nicegui import html, ui

from studium.core.domain.run import Run
from studium.domain.question import QAPair, RejectedQA
from studium.faculties.questions import Asked
from studium.running.questions.results import DocumentResult
from studium.web.parts.address import in_address, keep_in_address
from studium.web.parts.tables import Column, big_table
from studium.web.questions.pairs import PairCard, refused_row

_AT_ONCE = 25
_COLUMNS = (
    Column("name", "Document"),
    Column("accepted", "Accepted", "right"),
    Column("refused", "Refused", "right"),
    Column("coverage", "Asked about", "right"),
)


class Browser:
    """What is looked for, and what fits it."""

    def __init__(self, asked: Asked, run: Run) -> None:
        self.asked, self._run = asked, run
        self._document = next((each.path for each in asked.documents if each.path == in_address("document")), None)
        self._shown = _AT_ONCE
        if len(asked.documents) > 1:
            self._documents()
        html.h2("Questions")
        self._tools()
        self._filter = ui.element("div").classes("s-row")
        self._list = ui.element("div").classes("qa-pairs")
        first = self._show()
        if first:
            ui.timer(0, first.toggle, once=True)

    def _documents(self) -> None:
        html.h2("Documents")
        rows = [_row(document) for document in self.asked.documents]
        table = big_table(rows, _COLUMNS, key="path", title="Documents", on_row=lambda row: self._choose(row["path"]))
        table.classes("qa-documents")

    def _tools(self) -> None:
        refused = sum(len(document.rejected) for document in self.asked.documents)
        kind = "refused" if in_address("show") == "refused" else "accepted"
        kinds = {"accepted": f"Accepted ({len(self.asked.pairs)})", "refused": f"Refused ({refused})"}
        with ui.element("div").classes("qa-tools"):
            self._words = ui.input("Search questions and answers", value=in_address("words"))
            self._words.props("outlined dense clearable debounce=250")
            self._words.on_value_change(self._again)
            self._kind = ui.toggle(kinds, value=kind).props('no-caps unelevated aria-label="Which to show"')
            self._kind.on_value_change(self._again)

    def _choose(self, document: str | None) -> None:
        self._document = document
        self._again()

    def _again(self) -> None:
        self._shown = _AT_ONCE
        show = "" if self._kind.value == "accepted" else self._kind.value
        keep_in_address({"document": self._document, "words": self._words.value, "show": show})
        self._show()

    def _show(self) -> PairCard | None:
        """Show what fits; the card of the first pair, if there is one."""
        found = self._found()
        self._list.clear()
        with self._list:
            cards = [self._candidate(candidate) for candidate in found[: self._shown]]
            if not found:
                html.p("Nothing fits what is looked for.").classes("s-muted").props("role=status")
            if len(found) > self._shown:
                left = len(found) - self._shown
                ui.button(f"Show more ({left} left)", on_click=self._more).props("outline")
        self._show_filter(len(found))
        return cards[0] if cards else None

    def _show_filter(self, many: int) -> None:
        self._filter.clear()
        if self._document is None:
            return
        with self._filter:
            html.span(f"{many} of {Path(self._document).name}").classes("s-muted qa-name").props("role=status")
            ui.button("All documents", icon="close", on_click=lambda: self._choose(None)).props("outline")

    def _more(self) -> None:
        self._shown += 2 * _AT_ONCE
        self._show()

    def _found(self) -> list[QAPair | RejectedQA]:
        words = str(self._words.value or "").casefold().split()
        return [
            candidate
            for document in self.asked.documents
            if self._document in (None, document.path)
            for candidate in (document.accepted if self._kind.value == "accepted" else document.rejected)
            if _fits(candidate, words)
        ]

    def _candidate(self, candidate: QAPair | RejectedQA) -> PairCard | None:
        if isinstance(candidate, QAPair):
            return PairCard(candidate, self._own_run)
        refused_row(candidate)
        return None

    async def _own_run(self) -> Run:
        return self._run


def _fits(candidate: QAPair | RejectedQA, words: list[str]) -> bool:
    said = f"{candidate.question} {candidate.answer}".casefold() if words else ""
    return all(word in said for word in words)


def _row(document: DocumentResult) -> dict[str, Any]:
    return {
        "path": document.path,
        "name": Path(document.path).name,
        "accepted": len(document.accepted),
        "refused": len(document.rejected),
        "coverage": f"{100 * document.stats.coverage:.0f} %" if document.stats else "failed",
    }
