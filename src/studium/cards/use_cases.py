"""What can be asked of cards: one vault and one sink, brought in step, undone, tidied, looked at."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studium.cards.curriculum import Curriculum
    from studium.cards.report import CardsReport
    from studium.cards.sync.apply import ApplyResult
    from studium.cards.sync.engine import SyncResult
    from studium.cards.sync.undo import UndoResult
    from studium.core.config import Settings
    from studium.core.domain.decision import Decision, Plan


@dataclass(frozen=True)
class SyncOptions:
    """What the user asked for.

    `remember` keeps what was recognised without writing to Anki; `adopt` takes over cards that other tools made.
    """

    vault: Path
    to: str = "anki"
    note: Path | None = None
    apply: bool = True
    resume: bool = False
    mass_change: bool = False
    remember: bool = False
    adopt: bool = False


async def sync(settings: "Settings", wish: SyncOptions) -> "SyncResult":
    """Plan, and carry the plan out if that was asked for."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.cards.setup import change_limit, settings_fingerprint, sync_context
    from studium.cards.sync.engine import SyncEngine
    from studium.cards.sync.scan import scan_note, scan_vault
    from studium.core.app import open_app
    from studium.core.files import file_lock

    async with open_app(settings) as app:
        with (
            open_destination(wish.to, wish.vault, anki_openers(settings)) as sink,
            file_lock(settings.home / "locks", sink.name),
        ):
            stamp = settings_fingerprint(settings)
            # Taking cards over means looking at every note, changed or not.
            seen = {} if wish.remember or wish.adopt else app.database.published.file_states(sink.name)
            ignore = settings.cards.ignore
            scan = scan_note(wish.vault, wish.note, stamp) if wish.note else scan_vault(wish.vault, ignore, seen, stamp)
            radius = None if wish.mass_change else change_limit(settings)
            markers = None if settings.cards.markers == "none" else settings.cards.markers
            syncing = SyncEngine(sync_context(app, wish.vault, sink), scan, sink.package, radius, wish.adopt, markers)
            plan = await syncing.plan(app.runner(), resume=wish.resume)
            if wish.apply:
                return syncing.synced(plan, syncing.apply(plan))
            if wish.remember:
                syncing.remember(plan)
            return syncing.synced(plan)


async def apply(settings: "Settings", plan_file: Path, *, mass_change: bool) -> "ApplyResult":
    """Carry a saved plan out; a note that changed since stops it before anything is written."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.cards.setup import change_limit, sync_context
    from studium.cards.sync.engine import PlanFile, SyncEngine
    from studium.core.app import open_app
    from studium.core.files import file_lock

    saved = PlanFile.read(plan_file)
    async with open_app(settings) as app:
        with (
            open_destination(saved.to, saved.vault, anki_openers(settings)) as sink,
            file_lock(settings.home / "locks", sink.name),
        ):
            scan = saved.scan()
            radius = None if mass_change else change_limit(settings)
            syncing = SyncEngine(sync_context(app, saved.vault, sink), scan, sink.package, radius)
            return syncing.apply(app.database.items.plan(saved.run))


def undo(settings: "Settings", run: str) -> "UndoResult":
    """Put Anki back as it was before a run."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.cards.sync.undo import RunUndo
    from studium.core.app import open_database
    from studium.core.domain.errors import BadInput

    with open_database(settings) as database:
        found = database.runs.get(run)
        if found.feature != "cards":
            raise BadInput(f"Run {found.id} made no cards.", remedy="See `studium runs list`.")
        with open_destination(found.arguments["to"], Path(found.arguments["vault"]), anki_openers(settings)) as sink:
            if sink.store is None:
                raise BadInput(
                    "A package is not changed in place.", remedy="Write it again from the notes as they were."
                )
            return RunUndo(database, sink.store, found.id, sink.name).undo()


def watch_notes(vault: Path) -> Iterator[None]:
    """Now, and again after every save of a note."""
    from watchfiles import watch

    # The first comes when watching has begun, so that no save falls between the two.
    begun = False
    for saved in watch(
        vault,
        watch_filter=lambda _change, path: path.endswith(".md"),
        yield_on_timeout=True,
        rust_timeout=300,
        raise_interrupt=False,
    ):
        if saved or not begun:
            begun = True
            yield


def tidy_media(settings: "Settings", vault: Path, to: str, *, remove: bool) -> list[str]:
    """The media files of ours that no note shows any more, removed if that is asked for."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.anki.media import find_unused_media
    from studium.core.domain.errors import BadInput

    with open_destination(to, vault, anki_openers(settings)) as sink:
        if sink.store is None:
            raise BadInput("A package has no media but its own.", remedy="Write --to anki or --to FILE.anki2.")
        found = find_unused_media(sink.store)
        if found and remove:
            sink.store.remove_media(found)
        return found


def status(settings: "Settings", vault: Path, to: str) -> dict[str, Any]:
    """How a vault and its sink stand."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.cards.setup import settings_fingerprint
    from studium.cards.sync.scan import scan_vault
    from studium.core.app import open_database

    with open_database(settings) as database, open_destination(to, vault, anki_openers(settings)) as sink:
        scan = scan_vault(
            vault, settings.cards.ignore, database.published.file_states(sink.name), settings_fingerprint(settings)
        )
        known = database.published.details(sink.name)
        waiting = database.reviews.select("open", "cards", limit=10_000)
        return {
            "notes": len(scan.names),
            "changed_notes": len(scan.changed),
            "known_cards": len(known),
            "suspended_cards": sum(bool(about.get("retired")) for about in known.values()),
            "waiting": len(waiting),
            "sink": sink.name.partition(" < ")[0],
        }


def plan_json(synced: "SyncResult", to: str) -> dict[str, Any]:
    """The plan for a program: counts by action, and each decision with its card, findings and diff."""
    from studium.cards.sync.engine import PlanFile

    saved = PlanFile.of(synced, to).model_dump(mode="json")
    decisions = [_decision_json(decision) for decision in synced.plan.decisions]
    applied = {"done": len(synced.applied.done), "refused": [str(each) for each in synced.applied.faults]}
    counts = {"counts": synced.plan.counts, "unchanged_notes": synced.unchanged}
    return {**saved, **counts, "decisions": decisions, "applied": applied}


def _decision_json(decision: "Decision") -> dict[str, Any]:
    order = decision.order or {}
    note, _, card_id = decision.item.rpartition("#")
    return {
        "id": card_id if note else None,
        "action": decision.action.value,
        "note": order.get("note") or note or decision.item,
        "line": order.get("line"),
        "reasons": list(decision.reasons),
        "card": decision.proposal,
        "findings": [finding.model_dump(mode="json") for finding in decision.findings],
        "diff": order.get("diff"),
        "score": decision.score,
        "item": decision.item,
    }


def curriculum(settings: "Settings", vault: Path) -> "Curriculum":
    """In which order to learn the notes, and what is missing."""
    from studium.cards.curriculum import vault_curriculum

    return vault_curriculum(vault, settings.cards.ignore)


def curriculum_json(found: "Curriculum", limit: int | None = None) -> dict[str, Any]:
    """The curriculum for a program, with at most so many notes."""
    order = [lesson.model_dump(mode="json") for lesson in found.order[:limit]]
    return {**found.model_dump(mode="json"), "order": order, "notes": len(found.order)}


async def recheck(settings: "Settings", vault: Path, to: str, *, to_review: bool) -> "tuple[Plan, ApplyResult]":
    """Find cards in Anki that are stale, broken, doubled, poor, or forgotten again and again."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.cards.recheck import Recheck
    from studium.cards.setup import sync_context
    from studium.cards.sync.scan import scan_vault
    from studium.core.app import open_app

    async with open_app(settings) as app:
        with open_destination(to, vault, anki_openers(settings)) as sink:
            scan = scan_vault(vault, settings.cards.ignore, seen={}, stamp="")
            rechecking = Recheck(sync_context(app, vault, sink), scan, to_review=to_review)
            plan = (await app.runner().run(rechecking.job())).plan
            return plan, rechecking.apply(plan)


def recheck_json(plan: "Plan", applied: "ApplyResult") -> dict[str, Any]:
    """What a recheck found, for a program."""
    from studium.cards.recheck import count_faults, worst_first

    return {
        "run": plan.run,
        "cards": len(plan.decisions),
        "counts": count_faults(plan),
        "faults": [_fault_json(decision) for decision in worst_first(plan)],
        "waiting": plan.counts["manual_review"],
        "written": applied.done,
        "refused": [str(finding) for finding in applied.refused.values()],
    }


def report(settings: "Settings", run: str | None = None, *, every: bool = False) -> "CardsReport":
    """What the cards of a run, of the last one or of every one reached against what they must reach."""
    from studium.cards.report import build_report, runs_to_report
    from studium.cards.setup import card_policy
    from studium.core.app import open_database

    with open_database(settings) as database:
        return build_report(database, runs_to_report(database, run, every=every), card_policy(settings))


def _fault_json(decision: "Decision") -> dict[str, Any]:
    note, _, card = decision.item.rpartition("#")
    return {
        "card": card,
        "note": note,
        "action": decision.action.value,
        "score": decision.score,
        "findings": [finding.model_dump(mode="json") for finding in decision.findings],
    }
