"""The progress bar of a long run, on stderr and only for people."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from rich.console import Console


@contextmanager
def progress_bar(label: str) -> Iterator[None]:
    """Show how many items of the work in this block are done; where nobody looks, show nothing."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from studium.core.domain.run import current_context, use_context

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=None)

        def show(kind: str, data: dict[str, Any]) -> None:
            if kind == "progress":
                bar.update(task, completed=data["done"], total=data["total"], description=f"{label} {data['item']}")

        with use_context(replace(current_context(), on_event=show)):
            yield
