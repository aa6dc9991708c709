"""What can be asked about cards: what to learn first, what went stale, how good it all is."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.core.domain.decision import Decision, Plan
    from studium.running.cards.applying import Applied
    from studium.running.cards.report import CardsReport
    from studium.workflows.cards.studying.curriculum import Curriculum


def curriculum(settings: "Settings", vault: Path) -> "Curriculum":
    """In which order to learn the notes, and what is missing."""
    from studium.running.cards.curriculum import vault_curriculum

    return vault_curriculum(vault, settings.cards.ignore)


def curriculum_json(found: "Curriculum", limit: int | None = None) -> dict[str, Any]:
    """The curriculum for a program, with at most so many notes."""
    order = [lesson.model_dump(mode="json") for lesson in found.order[:limit]]
    return {**found.model_dump(mode="json"), "order": order, "notes": len(found.order)}


async def recheck(settings: "Settings", vault: Path, to: str, *, to_review: bool) -> "tuple[Plan, Applied]":
    """Find cards in Anki that are stale, broken, doubled, poor, or forgotten again and again."""
    from studium.bootstrap.cards import card_sync
    from studium.bootstrap.house import open_house
    from studium.running.cards.recheck import Rechecking
    from studium.running.cards.scanning import scan_vault
    from studium.running.cards.sinks import card_openers, open_sink

    async with open_house(settings) as house:
        with open_sink(to, vault, card_openers(settings)) as sink:
            scan = scan_vault(vault, settings.cards.ignore, seen={}, stamp="")
            rechecking = Rechecking(card_sync(house, vault, sink), scan, to_review=to_review)
            plan = (await house.runner().run(rechecking.job())).plan
            return plan, rechecking.apply(plan)


def recheck_json(plan: "Plan", applied: "Applied") -> dict[str, Any]:
    """What a recheck found, for a program."""
    from studium.running.cards.recheck import count_faults, worst_first

    return {
        "run": plan.run,
        "cards": len(plan.decisions),
        "counts": count_faults(plan),
        "faults": [_fault(decision) for decision in worst_first(plan)],
        "waiting": plan.counts["manual_review"],
        "written": applied.done,
        "refused": [str(finding) for finding in applied.refused.values()],
    }


def report(settings: "Settings", run: str | None = None, *, every: bool = False) -> "CardsReport":
    """What the cards of a run, of the last one or of every one reached against what they must reach."""
    from studium.bootstrap.cards import card_policy
    from studium.bootstrap.house import open_ledger
    from studium.running.cards.report import report_on, runs_to_report

    with open_ledger(settings) as ledger:
        return report_on(ledger, runs_to_report(ledger, run, every=every), card_policy(settings))


def _fault(decision: "Decision") -> dict[str, Any]:
    note, _, card = decision.item.rpartition("#")
    return {
        "card": card,
        "note": note,
        "action": decision.action.value,
        "score": decision.score,
        "findings": [finding.model_dump(mode="json") for finding in decision.findings],
    }
