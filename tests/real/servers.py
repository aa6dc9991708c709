"""The servers that tests share: each starts once a worker, when the first test asks for it."""

from collections.abc import Callable, Iterator
from itertools import count

import pytest
from tests.real.neo4j import Neo4j, neo4j_server
from tests.real.postgres import postgres_server


@pytest.fixture(scope="session")
def neo4j() -> Iterator[Neo4j]:
    """A running Neo4j; a test that uses it empties it first."""
    with neo4j_server() as server:
        yield server


@pytest.fixture(scope="session")
def new_postgres_database() -> Iterator[Callable[[], str]]:
    """Makes empty databases on one PostgreSQL server, and gives their addresses."""
    import psycopg

    numbers = count()
    with postgres_server() as server:

        def new_database() -> str:
            name = f"studium_{next(numbers)}"
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            return server.replace("/postgres", f"/{name}")

        yield new_database
