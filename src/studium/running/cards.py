"""The cards job: notes on disk, through the card graph, to an Anki package."""

from pathlib import Path
from typing import Any

from studium.domain.budget import Limits
from studium.domain.card import CardDecision, NoteContext, ProposedCard
from studium.domain.decision import Action, Decision, Plan
from studium.domain.errors import NotFound
from studium.domain.finding import Finding
from studium.domain.ports import Mind
from studium.domain.publication import Base
from studium.readers.files import find_files
from studium.running.job import Item, Job
from studium.running.library import Library
from studium.stores.anki.package import write_package
from studium.stores.ledger import Ledger
from studium.workflows.cards.graph import create_card_graph
from studium.workflows.cards.notes import note_context
from studium.workflows.cards.state import CardPolicy


def cards_job(root: Path, mind: Mind, policy: CardPolicy, limits: Limits) -> Job:
    """The job for one note, or for every note under a folder."""
    if not root.exists() and not root.is_symlink():
        raise NotFound(f"{root} does not exist.", remedy="Name a Markdown note or a folder of notes.")
    library = Library()
    items: list[Item] = []
    paths, findings = find_files(root, (".md",))
    unreadable = [(finding.where.path if finding.where else str(root), finding) for finding in findings]
    for path in paths:
        name = path.relative_to(root).as_posix() if root.is_dir() else path.name
        note = _note(library, path, name)
        if isinstance(note, Finding):
            unreadable.append((name, note))
        else:
            items.append(Item(name, {"note": note}))
    return Job(
        faculty="cards",
        arguments={"notes": str(root.resolve())},
        graph=create_card_graph(mind, library.document, policy),
        items=items,
        decide=_decide,
        item_limits=limits,
        unreadable=unreadable,
    )


def publish_cards(ledger: Ledger, plan: Plan, target: Path) -> int:
    """Write the accepted cards to a package, and remember what was written as their base."""
    cards = {
        decision.item: ProposedCard.model_validate(decision.proposal)
        for decision in plan.decisions
        if decision.action in (Action.CREATE, Action.UPDATE)
    }
    write_package(target, cards)
    ledger.remember_bases(f"apkg:{target.resolve()}", {key: Base(fields=card.fields) for key, card in cards.items()})
    return len(cards)


def _note(library: Library, path: Path, name: str) -> NoteContext | Finding:
    document, findings = library.read(path)
    if document is None:
        return findings[0]
    return note_context(document, name=name)


def _decide(item: Item, state: dict[str, Any]) -> list[Decision]:
    decided: CardDecision = state["decision"]
    report, card = decided.qa_report, decided.proposed_card
    return [
        Decision(
            item=item.id,
            action=decided.action,
            reasons=decided.messages,
            findings=tuple(state["findings"]),
            evidence=tuple(state["evidence"]),
            proposal=card.model_dump(mode="json") if card else None,
            proposal_schema=ProposedCard.model_json_schema() if card else None,
            score=report.qa_score if report else None,
        )
    ]
