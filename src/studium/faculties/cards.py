"""What can be asked of cards: one vault and one sink, brought in step, undone, tidied, looked at."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.core.domain.decision import Decision
    from studium.running.cards.applying import Applied
    from studium.running.cards.syncing import Synced
    from studium.running.cards.undoing import Undone


@dataclass(frozen=True)
class Wish:
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


async def sync(settings: "Settings", wish: Wish) -> "Synced":
    """Plan, and carry the plan out if that was asked for."""
    from studium.bootstrap.cards import card_radius, card_sync, cards_stamp
    from studium.bootstrap.house import open_house
    from studium.core.files import file_lock
    from studium.running.cards.scanning import scan_note, scan_vault
    from studium.running.cards.sinks import card_openers, open_sink
    from studium.running.cards.syncing import Syncing

    async with open_house(settings) as house:
        with (
            open_sink(wish.to, wish.vault, card_openers(settings)) as sink,
            file_lock(settings.home / "locks", sink.name),
        ):
            stamp = cards_stamp(settings)
            # Taking cards over means looking at every note, changed or not.
            seen = {} if wish.remember or wish.adopt else house.ledger.published.file_states(sink.name)
            ignore = settings.cards.ignore
            scan = scan_note(wish.vault, wish.note, stamp) if wish.note else scan_vault(wish.vault, ignore, seen, stamp)
            radius = None if wish.mass_change else card_radius(settings)
            markers = None if settings.cards.markers == "none" else settings.cards.markers
            syncing = Syncing(card_sync(house, wish.vault, sink), scan, sink.package, radius, wish.adopt, markers)
            plan = await syncing.plan(house.runner(), resume=wish.resume)
            if wish.apply:
                return syncing.synced(plan, syncing.apply(plan))
            if wish.remember:
                syncing.remember(plan)
            return syncing.synced(plan)


async def apply(settings: "Settings", plan_file: Path, *, mass_change: bool) -> "Applied":
    """Carry a saved plan out; a note that changed since stops it before anything is written."""
    from studium.bootstrap.cards import card_radius, card_sync
    from studium.bootstrap.house import open_house
    from studium.core.files import file_lock
    from studium.running.cards.saved import SavedPlan
    from studium.running.cards.sinks import card_openers, open_sink
    from studium.running.cards.syncing import Syncing

    saved = SavedPlan.read(plan_file)
    async with open_house(settings) as house:
        with (
            open_sink(saved.to, saved.vault, card_openers(settings)) as sink,
            file_lock(settings.home / "locks", sink.name),
        ):
            scan = saved.scan()
            radius = None if mass_change else card_radius(settings)
            syncing = Syncing(card_sync(house, saved.vault, sink), scan, sink.package, radius)
            return syncing.apply(house.ledger.items.plan(saved.run))


def undo(settings: "Settings", run: str) -> "Undone":
    """Put Anki back as it was before a run."""
    from studium.bootstrap.house import open_ledger
    from studium.core.domain.errors import BadInput
    from studium.running.cards.sinks import card_openers, open_sink
    from studium.running.cards.undoing import Undoing

    with open_ledger(settings) as ledger:
        found = ledger.runs.get(run)
        if found.faculty != "cards":
            raise BadInput(f"Run {found.id} made no cards.", remedy="See `studium runs list`.")
        with open_sink(found.arguments["to"], Path(found.arguments["vault"]), card_openers(settings)) as sink:
            if sink.store is None:
                raise BadInput(
                    "A package is not changed in place.", remedy="Write it again from the notes as they were."
                )
            return Undoing(ledger, sink.store, found.id, sink.name).undo()


def saves(vault: Path) -> Iterator[None]:
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
    from studium.core.domain.errors import BadInput
    from studium.running.cards.sinks import card_openers, open_sink
    from studium.running.cards.tidying import unused_files

    with open_sink(to, vault, card_openers(settings)) as sink:
        if sink.store is None:
            raise BadInput("A package has no media but its own.", remedy="Write --to anki or --to FILE.anki2.")
        found = unused_files(sink.store)
        if found and remove:
            sink.store.remove_media(found)
        return found


def status(settings: "Settings", vault: Path, to: str) -> dict[str, Any]:
    """How a vault and its sink stand."""
    from studium.bootstrap.cards import cards_stamp
    from studium.bootstrap.house import open_ledger
    from studium.running.cards.scanning import scan_vault
    from studium.running.cards.sinks import card_openers, open_sink

    with open_ledger(settings) as ledger, open_sink(to, vault, card_openers(settings)) as sink:
        scan = scan_vault(vault, settings.cards.ignore, ledger.published.file_states(sink.name), cards_stamp(settings))
        known = ledger.published.details(sink.name)
        waiting = ledger.reviews.select("open", "cards", limit=10_000)
        return {
            "notes": len(scan.names),
            "changed_notes": len(scan.changed),
            "known_cards": len(known),
            "suspended_cards": sum(bool(about.get("retired")) for about in known.values()),
            "waiting": len(waiting),
            "sink": sink.name.partition(" < ")[0],
        }


def plan_json(synced: "Synced", to: str) -> dict[str, Any]:
    """The plan for a program: counts by action, and each decision with its card, findings and diff."""
    from studium.running.cards.saved import SavedPlan

    saved = SavedPlan.of(synced, to).model_dump(mode="json")
    decisions = [_decision(decision) for decision in synced.plan.decisions]
    applied = {"done": len(synced.applied.done), "refused": [str(each) for each in synced.applied.faults]}
    counts = {"counts": synced.plan.counts, "unchanged_notes": synced.unchanged}
    return {**saved, **counts, "decisions": decisions, "applied": applied}


def _decision(decision: "Decision") -> dict[str, Any]:
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
