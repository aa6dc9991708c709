"""One decision of a plan: the card as Anki shows it, why it was decided so, what changes, and where it came from."""

import asyncio
from dataclasses import dataclass
from typing import Any

from nicegui import html, ui

from studium.core.domain.decision import Action, Decision, review_id
from studium.web.cards.card_frame import CardFrame, Shown, card_frame, shown_cards
from studium.web.cards.differences import Part, differences
from studium.web.cards.planned import Planned
from studium.web.cards.rows import note_of
from studium.web.cards.source import Excerpt, excerpt, show_excerpt
from studium.web.parts.figures import chip

_ELEMENTS = {"same": html.span, "gone": html.del_, "new": html.ins}


@dataclass(frozen=True)
class Detail:
    """All that is shown of a decision, made ready away from the event loop."""

    decision: Decision
    cards: Shown
    changes: list[tuple[dict[str, Any], list[Part]]]
    source: Excerpt


async def detail_of(planned: Planned, number: int) -> Detail:
    """Make ready what is shown of the decision of this number."""
    return await asyncio.to_thread(_prepare, planned, number)


def show_detail(detail: Detail) -> CardFrame | None:
    """Show a decision; says which frame holds its card."""
    decision = detail.decision
    _head(decision)
    frame = card_frame(detail.cards) if detail.cards else None
    _reasons(decision)
    _changes(detail)
    show_excerpt(detail.source)
    return frame


def _prepare(planned: Planned, number: int) -> Detail:
    decision, vault = planned.decision(number), planned.vault
    diff = (decision.order or {}).get("diff") or {}
    changes = [(change, differences(change["old"], change["new"])) for change in diff.get("changes", ())]
    return Detail(decision, shown_cards(decision, vault), changes, excerpt(decision, vault))


def _head(decision: Decision) -> None:
    order, proposal = decision.order or {}, decision.proposal or {}
    with ui.element("div").classes("s-row s-between"):
        html.h2(note_of(decision).rpartition("/")[2].removesuffix(".md")).classes("s-wrap")
        with ui.element("div").classes("s-row s-tight"):
            chip(decision.action.value)
            if decision.score is not None:
                chip(f"score {decision.score:.2f}", "neutral")
    told = {
        "Deck": order.get("deck") or proposal.get("deck_name"),
        "Moves to": order.get("move_to"),
        "Type": order.get("note_type") or proposal.get("model_name"),
        "Tags": ", ".join([*order.get("add_tags", ())] or proposal.get("tags", ())),
    }
    if any(told.values()):
        line = " · ".join(f"{name}: {value}" for name, value in told.items() if value)
        html.p(line).classes("s-muted s-small s-wrap")
    if order.get("kind") == "retire":
        html.p("Its source is gone: the card is suspended and keeps its history.")


def _reasons(decision: Decision) -> None:
    said = {finding.message for finding in decision.findings}
    reasons = [reason for reason in decision.reasons if reason not in said]
    if reasons or decision.findings:
        with ui.element("section").classes("s-stack s-tight"):
            html.h3("Why")
            with ui.element("ul").classes("s-reasons"):
                for reason in reasons:
                    html.li(reason)
                for finding in decision.findings:
                    with html.li():
                        chip(finding.severity.value)
                        html.span(finding.message)
                        html.code(finding.code).classes("s-muted s-small")
    if decision.action is Action.MANUAL_REVIEW:
        html.a("Answer it in the inbox", href=f"/inbox?review={review_id('cards', decision)}").classes("s-button")


def _changes(detail: Detail) -> None:
    if not detail.changes:
        return
    with ui.element("section").classes("s-stack s-tight"):
        html.h3("What changes")
        for change, parts in detail.changes:
            with ui.element("div").classes("s-row s-tight"):
                html.strong(str(change["field"]))
                html.span(str(change["severity"])).classes("s-muted s-small")
            with ui.element("p").classes("s-difference"):
                for part in parts:
                    _ELEMENTS[part.kind](part.text)
