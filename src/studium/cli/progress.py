"""The progress bar of a long run, on stderr and only for people."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from studium.running.job import Progress


@contextmanager
def progress_bar(label: str) -> "Iterator[Callable[[Progress], None]]":
    """Show how many items are done; where nobody looks, show nothing."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=None)

        def show(progress: "Progress") -> None:
            bar.update(task, completed=progress.done, total=progress.total, description=f"{label} {progress.item}")

        yield show
