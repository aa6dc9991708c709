"""Unintended overwrites: what a person had typed in Anki and a run replaced without the person's word.

The journal of changes has what stood in each field before, and what we had last written there: where the two differ, a
person edited the field, and what was written has to keep the edit.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from studium.core.domain.change import Change, ChangeStatus
from studium.core.domain.decision import Decision, Review, ReviewStatus
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.text.html import same_html, token_keys, tokenize_html
from studium.running.cards.order import Order
from studium.running.cards.preimage import Preimage


def unintended_overwrites(
    changes: Sequence[Change], decisions: Sequence[Decision], reviews: Callable[[], Sequence[Review]]
) -> list[Finding]:
    """The changes of a run that lost a person's edit, but for those that a person asked for in review."""
    found = [finding for change in changes for finding in _overwrites(change)]
    asked = _asked_for(decisions, reviews()) if found else set()
    return [finding for card_id, finding in found if card_id not in asked]


def loses_edit(base: str, person: str, written: str) -> bool:
    """Whether a person's edit of what we had written is gone: something typed is missing, or all that was cut is back.

    >>> loses_edit("<p>Floods LSAs</p>", "<p>Floods LSAs <b>reliably</b></p>", "<p>Floods link-state updates</p>")
    True
    """
    if same_html(base, person) or same_html(person, written):
        return False
    before, there, after = (Counter(token_keys(tokenize_html(html))) for html in (base, person, written))
    typed, cut = there - before, before - there
    if typed - after:
        return True
    return not typed and all(after[key] >= before[key] for key in cut)


def _overwrites(change: Change) -> Iterator[tuple[str, Finding]]:
    if change.before is None or change.status is not ChangeStatus.APPLIED:
        return
    order, before = Order.model_validate(change.after), Preimage.model_validate(change.before)
    base = before.base.fields if before.base else {}
    for name, written in order.fields.items():
        if loses_edit(base.get(name, ""), before.fields.get(name, ""), written):
            message = f"`{name}` of card {order.card_id} was edited in Anki, and the edit was overwritten."
            where = Locator(path=order.note, line=order.line)
            severity = Severity.ERROR
            yield order.card_id, Finding(code="card.overwritten", severity=severity, message=message, where=where)


def _asked_for(decisions: Sequence[Decision], reviews: Sequence[Review]) -> set[str]:
    """The cards of which a person approved or wrote what was decided."""
    answered = {
        review.decision.item: review.answer or review.decision.proposal
        for review in reviews
        if review.status in (ReviewStatus.APPROVED, ReviewStatus.EDITED)
    }
    return {
        decision.order["card_id"]
        for decision in decisions
        if decision.order and decision.item in answered and answered[decision.item] == decision.proposal
    }
