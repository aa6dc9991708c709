"""Tools for what was done: runs, what they decided, and orders."""

from typing import Annotated, Any

from pydantic import Field

from studium.app.service import Service
from studium.assistant.looking import Page, Shown, quick, shown
from studium.assistant.ordering import followed, order_told
from studium.assistant.tool import Answer, Call, Tool
from studium.core.domain.decision import Action
from studium.core.domain.errors import BadInput
from studium.questions import use_cases as questions
from studium.service.kinds.kind import Name, Request
from studium.service.kinds.registry import kind_named

_BRIEF = {"id", "kind", "status", "run", "done", "total", "placed_at", "ended_at"}


class Runs(Page):
    """Which runs to list."""

    faculty: Annotated[str, Field(max_length=50)] | None = None
    """Only of this faculty."""


class Decisions(Page):
    """Which decisions of a run to list."""

    run: Name
    """The run's id, or as much of it as is unique."""
    action: Action | None = None
    """Only these."""


class Orders(Page):
    """Which orders to list."""

    kind: Annotated[str, Field(max_length=50)] | None = None
    """As in `cards.sync`, or a whole faculty."""


class Resumed(Request):
    """An order to go on with."""

    id: Name
    """The order's id, or as much of it as is unique."""


def run_json(service: Service, given: str) -> dict[str, Any]:
    """A run, with what it took and brought."""
    run = service.ledger.runs.get(given)
    return run.model_dump(mode="json") | {"metrics": service.ledger.metrics.measure(run.id).model_dump(mode="json")}


def decisions(service: Service, asked: Decisions) -> dict[str, Any]:
    """Decisions of a run, and how many there are."""
    found, total = service.ledger.items.decisions_page(asked.run, asked.action, limit=asked.limit, offset=asked.offset)
    given = [decision.model_dump(mode="json", exclude={"proposal_schema", "order"}) for decision in found]
    return {"total": total, "offset": asked.offset, "decisions": given}


def questions_json(service: Service, run: str) -> dict[str, Any]:
    """What a run of questions came to, with every question."""
    asked = questions.load_outcome(service.ledger, run)
    return questions.outcome_json(asked.run, asked.documents, whole=True)


def _list_runs(service: Service, asked: Runs) -> Answer:
    found = service.ledger.runs.newest(asked.limit, asked.offset, faculty=asked.faculty)
    total = service.ledger.runs.count(asked.faculty)
    given = [run.model_dump(mode="json") for run in found]
    return Answer(f"{total} runs, newest first; {len(given)} are given.", {"total": total, "runs": given})


def _show_run(service: Service, asked: Shown) -> Answer:
    found = run_json(service, asked.id)
    return shown(asked, f"Run {found['id']} ({found['faculty']}) is {found['status']}.", found)


def _list_decisions(service: Service, asked: Decisions) -> Answer:
    found = decisions(service, asked)
    return Answer(f"{found['total']} decisions; {len(found['decisions'])} are given.", found)


def _show_questions(service: Service, asked: Shown) -> Answer:
    found = questions_json(service, asked.id)
    return shown(asked, f"{found['accepted']} questions were accepted in run {found['run']}.", found)


def _list_orders(service: Service, asked: Orders) -> Answer:
    found = service.ledger.jobs.newest(asked.limit, asked.offset, job_type=asked.kind)
    total = service.ledger.jobs.count(asked.kind)
    given = [order.model_dump(mode="json", include=_BRIEF) for order in found]
    return Answer(f"{total} orders, newest first; {len(given)} are given.", {"total": total, "orders": given})


def _show_order(service: Service, asked: Shown) -> Answer:
    found = order_told(service, service.ledger.jobs.get(asked.id))
    return shown(asked, found.said, found.whole)


async def _resume(call: Call, asked: Resumed) -> Answer:
    order = await call.service.workshop.find(asked.id)
    if kind_named(order.kind).writes and not call.service.settings.serve.assistants_may_write:
        raise BadInput(f"Assistants may not order {order.kind} here.", remedy="The person can resume it in the app.")
    return await followed(call, await call.service.workshop.resume(order.id))


TOOLS = (
    Tool("list_runs", "List the last runs of the faculties, newest first.", Runs, quick(_list_runs)),
    Tool("show_run", "Show one run: how it went, what it took, what it brought.", Shown, quick(_show_run)),
    Tool("list_decisions", "List what a run decided about each item, and why.", Decisions, quick(_list_decisions)),
    Tool("show_questions", "Show the questions of a run, with their evidence.", Shown, quick(_show_questions)),
    Tool("list_orders", "List the last orders: work in the background.", Orders, quick(_list_orders)),
    Tool("show_order", "Show one order: how far it is, and what came of it.", Shown, quick(_show_order)),
    Tool("resume_order", "Go on with an order that failed or was cancelled.", Resumed, _resume, reads=False),
)
