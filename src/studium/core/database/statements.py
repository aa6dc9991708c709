"""The few statements that SQLAlchemy spells differently for each database, or that every table needs."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Column, Connection, Insert, Table, func, select

from studium.core.domain.decision import Decision
from studium.core.domain.errors import NotFound
from studium.core.telemetry.redaction import redact

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite


Each = TypeVar("Each")
_MOST_AT_ONCE = 500  # SQLite and PostgreSQL both limit the parameters of one statement
_SHOWN = 5


@cache
def insert_new(dialect: str, table: Table) -> Insert:
    """Insert what is not there yet and leave the rest as it is."""
    return insert_into(dialect, table).on_conflict_do_nothing()


@cache
def insert_or_replace(dialect: str, table: Table) -> Insert:
    """Insert, in place of what is there under the same key."""
    statement = insert_into(dialect, table)
    changes = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
    return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=changes)


def insert_into(dialect: str, table: Table) -> "postgresql.Insert | sqlite.Insert":
    """An insert that can say what to do where there is such a row."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert

        return insert(table)
    from sqlalchemy.dialects.postgresql import insert as insert_postgres

    return insert_postgres(table)


def in_chunks(values: Sequence[Each]) -> Iterator[Sequence[Each]]:
    """The values, no more at once than an IN list may hold."""
    for start in range(0, len(values), _MOST_AT_ONCE):
        yield values[start : start + _MOST_AT_ONCE]


def find_id(connection: Connection, column: Column[Any], given: str, what: str) -> str:
    """The one id that is, or begins with, what was given."""
    fitting = select(column).where(column.startswith(given, autoescape=True))
    shortest_first = fitting.order_by(func.length(column), column.desc()).limit(_SHOWN)
    found: Sequence[str] = connection.scalars(shortest_first).all()
    if len(found) == 1 or given in found:
        return found[0]
    if found:
        raise NotFound(f"Several {what}s begin with '{given}': {', '.join(found)} …", remedy="Give more of the id.")
    known: Sequence[str] = connection.scalars(select(column).order_by(column.desc()).limit(_MOST_AT_ONCE)).all()
    near = get_close_matches(given, known, _SHOWN, cutoff=0.4) or known[:_SHOWN]
    hint = f"; there are {', '.join(near)}" if near else f"; there is no {what} yet"
    raise NotFound(f"There is no {what} '{given}'{hint}.")


def clean_text(text: str) -> str:
    """Our own text, with secrets masked and without what PostgreSQL or UTF-8 cannot hold."""
    return redact(text).replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def decision_record(decision: Decision) -> dict[str, Any]:
    """The decision in JSON; the material is kept as it is, our words about it are cleaned."""
    record = decision.model_dump(mode="json")
    record["reasons"] = [clean_text(reason) for reason in record["reasons"]]
    for finding in record["findings"]:
        finding["message"] = clean_text(finding["message"])
    return record
