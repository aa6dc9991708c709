"""What a person is asked before a concept of a proposal is edited, merged, split or related."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from nicegui import html, ui

from studium.domain.concept import RelationType
from studium.web.concepts.words import SAID
from studium.workflows.concepts.changes import Change, Part
from studium.workflows.concepts.proposal import Candidate

Make = Callable[[Change], Awaitable[None]]
_SHORT = 80


def edit(concept: Candidate, quotes: dict[str, dict[str, Any]], make: Make) -> None:
    """Ask for other words, and for the quotes that carry the concept."""

    async def done() -> None:
        change = Change(
            action="edit",
            concept=concept.key,
            title=title.value.strip(),
            text=text.value.strip(),
            analysis=analysis.value.strip(),
            quotes=tuple(carrying.value),
        )
        await make(change)
        dialog.close()

    with _asked(f"Edit “{concept.title}”", "Change it", done) as dialog:
        title = ui.input("Title", value=concept.title).props("outlined")
        text = ui.textarea("What it says", value=concept.concept).props("outlined autogrow")
        analysis = ui.textarea("What it means", value=concept.analysis).props("outlined autogrow")
        carrying = _choice("Quotes that carry it", _told(quotes), [each.quote for each in concept.quotes])


def merge(concept: Candidate, others: Sequence[Candidate], make: Make) -> None:
    """Ask which concepts are the same as this one."""

    async def done() -> None:
        await make(Change(action="merge", concept=concept.key, others=tuple(chosen.value)))
        dialog.close()

    with _asked(f"Merge into “{concept.title}”", "Merge", done) as dialog:
        html.p("They become one concept with all their quotes; it can be taken apart again.").classes("s-muted")
        chosen = _choice("Concepts that say the same", _titles(others), [])


def split(concept: Candidate, quotes: dict[str, dict[str, Any]], make: Make) -> None:
    """Ask into which two concepts this one falls."""
    carrying = [each.quote for each in concept.quotes]

    async def done() -> None:
        gone = tuple(chosen.value)
        stays = tuple(key for key in carrying if key not in gone)
        parts = (
            Part(title=first.value.strip(), concept=concept.concept, analysis=concept.analysis, quotes=stays),
            Part(title=second.value.strip(), concept=says.value.strip(), quotes=gone),
        )
        await make(Change(action="split", concept=concept.key, parts=parts))
        dialog.close()

    with _asked(f"Split “{concept.title}”", "Split", done) as dialog:
        first = ui.input("Title of the first", value=concept.title).props("outlined")
        second = ui.input("Title of the second").props("outlined")
        says = ui.textarea("What the second says").props("outlined autogrow")
        chosen = _choice("Quotes that go to the second", _told({key: quotes[key] for key in carrying}), [])


def relate(concept: Candidate, others: Sequence[Candidate], make: Make) -> None:
    """Ask how this concept relates to which other."""

    async def done() -> None:
        change = Change(
            action="relate",
            concept=concept.key,
            target=target.value,
            type=kind.value,
            reasoning=why.value.strip(),
        )
        await make(change)
        dialog.close()

    with _asked(f"Relate “{concept.title}”", "Relate", done) as dialog:
        kind = ui.select(SAID, label="It", value=RelationType.RELATES_TO)
        target = ui.select(_titles(others), label="This concept", value=others[0].key, with_input=True)
        for field in (kind, target):
            field.props("outlined options-dense")
        why = ui.input("Why").props("outlined")


@contextmanager
def _asked(title: str, verb: str, done: Callable[[], Awaitable[None]]) -> Iterator[ui.dialog]:
    """A dialog with its fields made in the block, and two buttons below them; it stays if the change is refused."""
    with ui.context.client.content, ui.dialog(value=True) as dialog, ui.element("div").classes("s-card c-dialog"):
        dialog.props["aria-label"] = title
        html.h2(title)
        yield dialog
        with ui.element("div").classes("s-row"):
            ui.button(verb, on_click=done)
            ui.button("Leave it", on_click=dialog.close).props("flat")
    dialog.on("hide", dialog.delete)


def _choice(label: str, options: dict[str, str], chosen: list[str]) -> ui.select:
    return ui.select(options, label=label, value=chosen, multiple=True).props("outlined options-dense use-chips")


def _told(quotes: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {key: _short(f"{key}: {quote['text']}") for key, quote in quotes.items()}


def _titles(concepts: Sequence[Candidate]) -> dict[str, str]:
    return {each.key: _short(f"{each.key}: {each.title}") for each in concepts}


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"
