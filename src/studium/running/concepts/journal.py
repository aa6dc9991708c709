"""Commits to the concept graph are written down before they are made, so that they can be taken back."""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from studium.core.database import Database
from studium.core.database.engine import write_json
from studium.core.domain.change import Change, ChangeStatus
from studium.core.domain.errors import NotFound
from studium.core.domain.run import current_context
from studium.domain.concept import Approved, ConceptGraph
from studium.workflows.concepts.undoing import as_json, from_json, inverse

SINK = "concepts"
FACULTY = "concepts"
_NAMED = 3


@dataclass(frozen=True)
class Journal:
    """Keeps what was approved in the graph, and what takes it back in the ledger."""

    ledger: Database
    graph: ConceptGraph

    def commit(self, approved: Approved) -> str:
        """Keep all of it or nothing; asked again after a crash, it finishes what was begun. The run takes it back."""
        # Vectors are made again from the texts, should they ever be wanted.
        after = as_json(replace(approved, vectors={}))
        key = sha256(write_json(after).encode()).hexdigest()[:16]
        run, change = self.ledger.changes.latest(SINK, key) or self._begin(key, after, approved)
        self.graph.commit(approved)
        self.ledger.changes.finish(run, SINK, {change.position: ChangeStatus.APPLIED})
        return run

    def undo(self, run: str) -> tuple[str, ...]:
        """Take back what a run committed, the last first; these concepts were touched by it."""
        found = [change for sink, change in self.ledger.changes.of_run(run) if sink == SINK]
        made = [change for change in found if change.status is ChangeStatus.APPLIED]
        if not made:
            told = "was taken back already" if found else "kept nothing in the concept graph"
            raise NotFound(f"Run {run} {told}.", remedy="`studium runs` lists the runs.")
        touched: dict[str, None] = {}
        for change in reversed(made):
            back = from_json(change.before or {})
            touched |= dict.fromkeys(_touched(change.after))
            self.graph.commit(back)
            self.ledger.changes.finish(run, SINK, {change.position: ChangeStatus.UNDONE})
        return tuple(touched)

    def _begin(self, key: str, after: dict[str, Any], approved: Approved) -> tuple[str, Change]:
        run = current_context().run or self.ledger.runs.start(FACULTY, {"commit": key}, _note(approved)).id
        before = as_json(inverse(self.graph, approved))
        planned = self.ledger.changes.plan(run, SINK, [Change(key=key, kind="commit", before=before, after=after)])
        return run, planned[0]


def _note(approved: Approved) -> str:
    titles = [concept.title for concept in approved.concepts]
    return "Keep: " + (", ".join(titles[:_NAMED]) + ("…" if titles[_NAMED:] else "") or "a change of the graph")


def _touched(commit: dict[str, Any]) -> list[str]:
    ends = [each[end] for each in commit["relations"] for end in ("source", "target")]
    return [each["uuid"] for each in commit["concepts"]] + ends + [each["concept"] for each in commit["supports"]]
