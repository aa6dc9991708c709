"""The refine rule: does what the critic's remarks ask for, to the concepts they name, and nothing else."""

from collections.abc import Sequence

from studium.core.domain.skill import Tool
from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.judging.feedback.sheet import Sheet
from studium.workflows.concepts.judging.feedback.understanding import understand
from studium.workflows.concepts.judging.halves import mentions
from studium.workflows.concepts.skills import Changes, RefineGiven, Remark

# What takes a concept away comes last, so that the rest still finds it.
_IN_TURN = ("unrelate", "relate", "edit", "split", "merge", "reject")


def refine(given: RefineGiven, _tools: Sequence[Tool]) -> Changes:
    """Follow the remarks that say what to do in words the rules understand; `not_done` tells the others."""
    sheet = Sheet(given.concepts, given.quotes, given.relations)
    changes: dict[Change, None] = {}
    left: list[str] = []
    for remark in given.remarks:
        asked = _followed(remark, sheet)
        changes.update(dict.fromkeys(asked))
        if not asked and sheet.gone.isdisjoint(remark.concepts):
            left.append(remark.message)
    in_turn = tuple(sorted(changes, key=lambda change: _IN_TURN.index(change.action)))
    return Changes(changes=in_turn, not_done=f"The rules cannot mend this: {' '.join(left)}" if left else "")


def _followed(remark: Remark, sheet: Sheet) -> tuple[Change, ...]:
    """The changes that a remark asks for, unless one of its instructions goes past what it names or what is certain."""
    before = set(sheet.gone), {key: list(quotes) for key, quotes in sheet.carried.items()}
    changes = tuple(change for each in understand(remark.message, sheet) for change in each.changes)
    if changes and all(_allowed(change, remark, sheet) for change in changes):
        return changes
    sheet.gone, sheet.carried = before
    return ()


def _allowed(change: Change, remark: Remark, sheet: Sheet) -> bool:
    touched = {change.concept, *change.others} | ({change.target} & sheet.ideas.keys())
    named = set(remark.concepts) or touched
    return change.action in _IN_TURN and touched & sheet.ideas.keys() <= named and _certain(change, sheet)


def _certain(change: Change, sheet: Sheet) -> bool:
    """Whether each part of a split has a quote that speaks of it; any other change is certain."""
    return all(any(mentions(sheet.texts[key], part.title) for key in part.quotes) for part in change.parts)
