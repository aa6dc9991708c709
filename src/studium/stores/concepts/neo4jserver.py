"""A Neo4j server: reached through a pool, asked, and written to in whole transactions."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from studium.core.domain.errors import BadSettings, MissingExtra, ServiceDown, StorageFailed

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction

_START = "Start Neo4j, and check the address, user and password; or keep concepts in SQLite."
_CORRECT = "Correct the user and the password of Neo4j."
_LET_IN = {
    "CredentialsExpired": "Neo4j wants a password of your own first: open its browser page, log in, and set one.",
    "AuthenticationRateLimit": "Wait a few seconds, then give the right password.",
}


@dataclass(frozen=True, kw_only=True)
class Neo4jAddress:
    """Where a Neo4j server listens, and who we are to it; without a user it is asked without a password."""

    uri: str = "bolt://localhost:7687"
    user: str = ""
    password: str = ""
    database: str = "neo4j"
    timeout: float = 10


class Neo4jServer:
    """A pool of connections to one database; what passes by itself is tried again."""

    def __init__(self, address: Neo4jAddress) -> None:
        self._address = address
        self._driver = _driver(address)
        try:
            with self._told_plainly():
                self._driver.verify_connectivity()
        except BaseException:
            self._driver.close()
            raise

    def ask(self, query: str, **given: Any) -> list[dict[str, Any]]:
        """The rows that a query gives."""
        with self._told_plainly():
            answer = self._driver.execute_query(query, given, database_=self._address.database)
            return [row.data() for row in answer.records]

    def write(self, work: "Callable[[ManagedTransaction], None]") -> None:
        """Do all of the work in one transaction, or nothing of it."""
        with (
            self._told_plainly(),
            self._driver.session(
                database=self._address.database, bookmark_manager=self._driver.execute_query_bookmark_manager
            ) as session,
        ):
            session.execute_write(work)

    def close(self) -> None:
        """Let go of all connections."""
        self._driver.close()

    @contextmanager
    def _told_plainly(self) -> Iterator[None]:
        """What the server refuses becomes one of our own errors, which names the server."""
        from neo4j.exceptions import DriverError, Neo4jError

        place = f"Neo4j at {self._address.uri}"
        try:
            yield
        except DriverError as error:
            raise ServiceDown(f"{place} does not answer: {error}", remedy=_START) from error
        except Neo4jError as error:
            group, _, reason = (error.code or "").rpartition(".")
            if group == "Neo.ClientError.Security":
                told = f"{place} refuses the user {self._address.user!r} or the password ({reason})."
                raise ServiceDown(told, remedy=_LET_IN.get(reason, _CORRECT)) from error
            if error.is_retryable():
                raise ServiceDown(f"{place} could not finish: {error.message}", remedy=_START) from error
            raise StorageFailed(f"{place} refused: {error.message}") from error


def _driver(address: Neo4jAddress) -> "Driver":
    try:
        import neo4j
        from neo4j.exceptions import ConfigurationError
    except ImportError as error:
        told = "Keeping concepts in Neo4j needs the package neo4j."
        raise MissingExtra(told, remedy="pip install 'studium[neo4j]'") from error
    try:
        return neo4j.GraphDatabase.driver(
            address.uri,
            auth=(address.user, address.password) if address.user else None,
            connection_timeout=address.timeout,
            connection_acquisition_timeout=address.timeout,
            max_transaction_retry_time=address.timeout,
            # The server remarks on labels that nothing has yet.
            notifications_min_severity="OFF",
        )
    except (ConfigurationError, ValueError) as error:
        raise BadSettings(f"{address.uri!r} is not the address of a Neo4j server: {error}") from error
