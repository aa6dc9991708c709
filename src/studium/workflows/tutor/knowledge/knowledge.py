"""Finds the passages that an answer rests on: what explains a concept, or what bears on an error."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePosixPath

from studium.core.domain.document import Passage
from studium.core.domain.ports import Embedder
from studium.core.retrieval.index import HybridIndex
from studium.domain.lab import Diagnosis, Typed
from studium.workflows.tutor.answering.sentences import defines, keys, opening
from studium.workflows.tutor.knowledge.commands import is_grammar
from studium.workflows.tutor.knowledge.pages import MOST_PAGES, CommandPages
from studium.workflows.tutor.knowledge.patterns import pattern_heading
from studium.workflows.tutor.knowledge.queries import (
    command_keywords,
    error_marked,
    teaching_query,
    troubleshooting_query,
)

TEACHING_K = 3
TROUBLESHOOTING_K = 12
SEARCHED = 60  # enough to pass over the pages of other labs

# What explains, as against what lists errors.
TEACHING_KINDS = frozenset({"concept", "command_ref", "lab_specific", "user"})
# How many of each kind are kept, in this order; concepts and the user's pages count among the lab's.
WITH_ERRORS: Mapping[str, int] = {"error_patterns": 2, "command_ref": 2, "lab_specific": 1}
WITHOUT_ERRORS: Mapping[str, int] = {"command_ref": 3, "lab_specific": 2}
_COUNTS_AS = {"concept": "lab_specific", "user": "lab_specific"}


class Knowledge:
    """All that can be looked up. Passages are data: whatever they say, they are only ever found and cited."""

    def __init__(self, passages: Sequence[Passage], embedder: Embedder | None = None) -> None:
        self._index = HybridIndex(passages, embedder)
        self._pages = CommandPages(passages)

    def teaching(self, question: str, lab: str = "") -> list[Passage]:
        """What explains the concept that a student asks about, best first."""
        found = self._found(teaching_query(question), lab, TEACHING_KINDS)
        explaining = [passage for passage in found if _explains(passage, question)]
        asked = keys(question)
        # What says in its first sentence what the thing is comes before what says much about it.
        return sorted(explaining, key=lambda passage: not defines(opening(passage.text), asked))[:TEACHING_K]

    def troubleshooting(
        self, question: str, cli_history: Sequence[Typed] = (), lab: str = "", error: Diagnosis | None = None
    ) -> list[Passage]:
        """What bears on what was typed: of the best, the error patterns first, then commands, then the lab's pages."""
        found = list(self._found(troubleshooting_query(question, cli_history, error), lab))
        on_error = [page for page in found if error and page.heading == pattern_heading(error.error_type)]
        on_command = self._pages.on(command_keywords(cli_history, error))
        best = list(islice(dict.fromkeys((*on_error[:MOST_PAGES], *on_command, *found)), TROUBLESHOOTING_K))
        return prioritised(best, WITH_ERRORS if error or error_marked(cli_history) else WITHOUT_ERRORS)

    def _found(self, query: str, lab: str, kinds: Collection[str] | None = None) -> Iterator[Passage]:
        ranked = self._index.search(query, SEARCHED, kinds)
        return (found.passage for found in ranked if not _of_another_lab(found.passage, lab))


def prioritised(best: Sequence[Passage], wanted: Mapping[str, int]) -> list[Passage]:
    """As many passages of each kind as are wanted, kind by kind; where one has too few, the next best stand in."""
    kept = [
        passage
        for kind, count in wanted.items()
        for passage in islice((each for each in best if _COUNTS_AS.get(each.kind, each.kind) == kind), count)
    ]
    others = (passage for passage in best if passage not in kept)
    return [*kept, *islice(others, sum(wanted.values()) - len(kept))]


def _explains(passage: Passage, question: str) -> bool:
    """A device's bare grammar explains nothing, unless the student spelled out that very command."""
    command = passage.heading.rpartition(" > ")[2]
    return not is_grammar(passage) or (" " in command and command in question.casefold())


def _of_another_lab(passage: Passage, lab: str) -> bool:
    """Whether this is a page on how to do some other lab; what labs explain in general is open to all."""
    return passage.kind == "lab_specific" and lab not in PurePosixPath(passage.where.path).parts
