"""The use cases of cards: sync a vault with a destination, apply a saved plan, undo a run, and report."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from studium.core.reader_process import outside_server

if TYPE_CHECKING:
    from studium.cards.curriculum import Curriculum
    from studium.cards.report import CardsReport
    from studium.cards.sync.apply import ApplyResult, UndoResult
    from studium.cards.sync.engine import SyncResult
    from studium.core.config import Settings
    from studium.core.domain.decision import Decision, Plan


@dataclass(frozen=True)
class SyncOptions:
    """What to sync, where to, and how.

    `remember` records the cards that were recognised without writing to Anki; `adopt` takes over cards that other tools
    made.
    """

    vault: Path
    to: str = "anki"
    note: Path | None = None
    apply: bool = True
    resume: bool = False
    mass_change: bool = False
    remember: bool = False
    adopt: bool = False


async def sync(settings: "Settings", options: SyncOptions) -> "SyncResult":
    """Plan a sync, and apply the plan if the options say so."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.cards.setup import change_limit, settings_fingerprint, sync_context
    from studium.cards.sync.engine import SyncEngine
    from studium.cards.sync.scan import scan_note, scan_vault
    from studium.core.app import open_app
    from studium.core.files import file_lock

    vault = options.vault
    async with open_app(settings) as app:
        with (
            open_destination(options.to, vault, anki_openers(settings)) as destination,
            file_lock(settings.home / "locks", destination.name),
        ):
            stamp = settings_fingerprint(settings)
            if options.note:
                scan = scan_note(vault, options.note, stamp)
            else:
                # Recognising or adopting cards means reading every note, changed or not.
                everything = options.remember or options.adopt
                known = {} if everything else app.database.published.file_states(destination.name)
                scan = scan_vault(vault, settings.cards.ignore, known, stamp)
            engine = SyncEngine(
                sync_context(app, vault, destination),
                scan,
                destination.package,
                limit=None if options.mass_change else change_limit(settings),
                adopt=options.adopt,
                markers=None if settings.cards.markers == "none" else settings.cards.markers,
            )
            plan = await engine.plan(app.runner(), resume=options.resume)
            if options.apply:
                return engine.result(plan, engine.apply(plan))
            if options.remember:
                engine.remember(plan)
            return engine.result(plan)


async def apply(settings: "Settings", plan_file: Path, *, mass_change: bool) -> "ApplyResult":
    """Apply a saved plan; if a note changed since, nothing is written."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.cards.setup import change_limit, sync_context
    from studium.cards.sync.engine import PlanFile, SyncEngine
    from studium.core.app import open_app
    from studium.core.files import file_lock

    saved = PlanFile.read(plan_file)
    async with open_app(settings) as app:
        with (
            open_destination(saved.to, saved.vault, anki_openers(settings)) as destination,
            file_lock(settings.home / "locks", destination.name),
        ):
            limit = None if mass_change else change_limit(settings)
            context = sync_context(app, saved.vault, destination)
            engine = SyncEngine(context, saved.scan(), destination.package, limit)
            return engine.apply(app.database.items.plan(saved.run))


def undo(settings: "Settings", run: str) -> "UndoResult":
    """Restore Anki to its state before a run."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.cards.sync.apply import RunUndo
    from studium.core.app import open_database
    from studium.core.domain.errors import BadInput

    with open_database(settings) as database:
        found = database.runs.get(run)
        if found.feature != "cards":
            raise BadInput(f"Run {found.id} made no cards.", remedy="See `studium runs list`.")
        vault = Path(found.arguments["vault"])
        with open_destination(found.arguments["to"], vault, anki_openers(settings)) as destination:
            if destination.store is None:
                raise BadInput(
                    "A run that wrote a package cannot be undone.", remedy="Restore the notes and write it again."
                )
            return RunUndo(database, destination.store, found.id, destination.name).undo()


def watch_notes(vault: Path) -> Iterator[None]:
    """Yield once when watching starts, and again after every save of a note."""
    from watchfiles import watch

    # The first yield comes after watching has started, so that no save is missed in between.
    started = False
    for saved in watch(
        vault,
        watch_filter=lambda _change, path: path.endswith(".md"),
        yield_on_timeout=True,
        rust_timeout=300,
        raise_interrupt=False,
    ):
        if saved or not started:
            started = True
            yield


def tidy_media(settings: "Settings", vault: Path, to: str, *, remove: bool) -> list[str]:
    """Find our media files that no note uses any more, and move them to Anki's trash if `remove` is set."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.anki.media import find_unused_media
    from studium.core.domain.errors import BadInput

    with open_destination(to, vault, anki_openers(settings)) as destination:
        if destination.store is None:
            raise BadInput("A package has no unused media.", remedy="Use --to anki or --to FILE.anki2.")
        found = find_unused_media(destination.store)
        if found and remove:
            destination.store.remove_media(found)
        return found


@dataclass(frozen=True)
class VaultStatus:
    """The notes and cards of a vault in one destination."""

    notes: int
    changed_notes: int
    known_cards: int
    suspended_cards: int
    waiting: int
    sink: str


@outside_server(lambda _settings, vault, _to: str(vault))
def status(settings: "Settings", vault: Path, to: str) -> VaultStatus:
    """Count the notes and cards of a vault, what changed since the last sync, and what is in review."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.cards.setup import settings_fingerprint
    from studium.cards.sync.scan import scan_vault
    from studium.core.app import open_database

    with open_database(settings) as database, open_destination(to, vault, anki_openers(settings)) as destination:
        known = database.published.file_states(destination.name)
        scan = scan_vault(vault, settings.cards.ignore, known, settings_fingerprint(settings))
        cards = database.published.details(destination.name)
        waiting = database.reviews.select("open", "cards", limit=10_000)
        return VaultStatus(
            notes=len(scan.names),
            changed_notes=len(scan.changed),
            known_cards=len(cards),
            suspended_cards=sum(bool(details.get("retired")) for details in cards.values()),
            waiting=len(waiting),
            sink=destination.name.partition(" < ")[0],
        )


def plan_json(result: "SyncResult", to: str) -> dict[str, Any]:
    """The plan as JSON: counts by action, and each decision with its card, findings and diff."""
    from studium.cards.sync.engine import PlanFile

    saved = PlanFile.of(result, to).model_dump(mode="json")
    decisions = [_decision_json(decision) for decision in result.plan.decisions]
    applied = {"done": len(result.applied.done), "refused": [str(each) for each in result.applied.faults]}
    counts = {"counts": result.plan.counts, "unchanged_notes": result.unchanged}
    return {**saved, **counts, "decisions": decisions, "applied": applied}


class DecisionJson(TypedDict):
    """A decision in the JSON of a plan; `id` is the card's, if the decision is about a card."""

    id: str | None
    action: str
    note: str
    line: int | None
    reasons: list[str]
    card: dict[str, Any] | None
    findings: list[dict[str, Any]]
    diff: dict[str, Any] | None
    score: float | None
    item: str


def _decision_json(decision: "Decision") -> DecisionJson:
    change = decision.change or {}
    note, _, card_id = decision.item.rpartition("#")
    return {
        "id": card_id if note else None,
        "action": decision.action.value,
        "note": change.get("note") or note or decision.item,
        "line": change.get("line"),
        "reasons": list(decision.reasons),
        "card": decision.proposal,
        "findings": [finding.model_dump(mode="json") for finding in decision.findings],
        "diff": change.get("diff"),
        "score": decision.score,
        "item": decision.item,
    }


@outside_server(lambda _settings, vault: str(vault))
def curriculum(settings: "Settings", vault: Path) -> "Curriculum":
    """Order the notes of a vault for learning, and find its gaps."""
    from studium.cards.curriculum import vault_curriculum

    return vault_curriculum(vault, settings.cards.ignore)


def curriculum_json(found: "Curriculum", limit: int | None = None) -> dict[str, Any]:
    """The curriculum as JSON, with up to `limit` notes."""
    order = [lesson.model_dump(mode="json") for lesson in found.order[:limit]]
    return {**found.model_dump(mode="json"), "order": order, "notes": len(found.order)}


async def recheck(settings: "Settings", vault: Path, to: str, *, to_review: bool) -> "tuple[Plan, ApplyResult]":
    """Find cards in Anki that are outdated, broken, duplicated, of low quality, or often forgotten."""
    from studium.anki.destination import anki_openers, open_destination
    from studium.cards.recheck import Recheck
    from studium.cards.setup import sync_context
    from studium.cards.sync.scan import scan_vault
    from studium.core.app import open_app

    async with open_app(settings) as app:
        with open_destination(to, vault, anki_openers(settings)) as destination:
            scan = scan_vault(vault, settings.cards.ignore, known={}, stamp="")
            check = Recheck(sync_context(app, vault, destination), scan, to_review=to_review)
            plan = (await app.runner().run(check.run_spec())).plan
            return plan, check.apply(plan)


class FaultJson(TypedDict):
    """A card with faults in the JSON of a recheck."""

    card: str
    note: str
    action: str
    score: float | None
    findings: list[dict[str, Any]]


def recheck_json(plan: "Plan", applied: "ApplyResult") -> dict[str, Any]:
    """The result of a recheck as JSON."""
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


def _fault_json(decision: "Decision") -> FaultJson:
    note, _, card = decision.item.rpartition("#")
    return {
        "card": card,
        "note": note,
        "action": decision.action.value,
        "score": decision.score,
        "findings": [finding.model_dump(mode="json") for finding in decision.findings],
    }


def report(settings: "Settings", run: str | None = None, *, every: bool = False) -> "CardsReport":
    """Compare the cards of a run, of the last run or of every run with the targets."""
    from studium.cards.report import build_report, runs_to_report
    from studium.cards.setup import card_policy
    from studium.core.app import open_database

    with open_database(settings) as database:
        return build_report(database, runs_to_report(database, run, every=every), card_policy(settings))
