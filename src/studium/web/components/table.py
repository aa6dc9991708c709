"""Tables of any length."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

Row = dict[str, Any]
"""A row by column name, as the browser gets it."""

_AT_ONCE = 200
"""How many rows are sent with the page; the rest follows right after."""

_REACHABLE = "vnode => vnode.el.querySelector('.q-table__middle').setAttribute('tabindex', '0')"
"""Lets the keyboard scroll the table."""


class _Rows(Element, component="table_rows.js"):
    """Lets the keyboard reach the rows of a table."""


@dataclass(frozen=True)
class Column:
    """One column: the field of the row that it shows, and its heading."""

    field: str
    heading: str
    align: Literal["left", "right"] = "left"

    def as_quasar(self) -> Row:
        """The column in the form that Quasar expects."""
        return {"name": self.field, "field": self.field, "label": self.heading, "align": self.align, "sortable": True}


def big_table(
    rows: Sequence[Row],
    columns: Sequence[Column],
    *,
    key: str = "id",
    title: str,
    on_row: Callable[[Row], Any] | None = None,
) -> ui.table:
    """A table that scrolls through thousands of rows: the browser has all of them and draws the visible ones.

    Where a row can be opened, the keyboard reaches it: Tab goes to the table, the arrow keys to its rows, Enter opens.
    Give each row no more than what the columns and `on_row` need, as text and numbers.
    """
    table = ui.table(
        rows=list(rows[:_AT_ONCE]),
        columns=[column.as_quasar() for column in columns],
        row_key=key,
        pagination={"rowsPerPage": 0},
    )
    table.classes("s-table").props(
        f'virtual-scroll virtual-scroll-item-size=48 flat hide-pagination role=region aria-label="{title}" '
        f'no-data-label="Nothing to show." no-results-label="No matches."'
    )
    if len(rows) > _AT_ONCE:
        ui.timer(0, lambda: table.update_rows(list(rows)), once=True)
    if on_row:
        table.classes("s-table-open")
        table.on("row-click", lambda event: on_row(_row(event)), args=[[], None, None])
        table.props[":table-row-class-fn"] = f"row => 's-key-' + encodeURIComponent(row[{json.dumps(key)}])"
        _Rows().props.update(table=table.id, field=key, title=title)
    else:
        table.on("vnodeMounted", js_handler=_REACHABLE)
    return table


def _row(event: GenericEventArguments) -> Row:
    row: Row = event.args[1]
    return row
