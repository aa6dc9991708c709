"""A throw-away Neo4j: the community server that `make parts` fetched, on free loopback ports."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.real.process import PARTS, answers, free_port, running

_LIBRARY = PARTS / "neo4j" / "lib"
# For a server that lives for a minute, compiling well costs more than it gains: this halves its processor time.
_QUICK_START = ["-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
_SETTINGS = """\
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{bolt}
server.bolt.advertised_address=127.0.0.1:{bolt}
server.http.listen_address=127.0.0.1:{http}
server.memory.pagecache.size=64m
dbms.security.auth_enabled={auth}
dbms.usage_report.enabled=false
"""


@dataclass(frozen=True)
class Neo4j:
    """Where the server listens."""

    bolt: str
    http: str


def available() -> str | None:
    """Why Neo4j cannot be started here, or nothing."""
    if shutil.which("java") is None:
        return "Neo4j needs Java 17, which is not installed"
    return None if any(_LIBRARY.glob("neo4j-server-*.jar")) else "Neo4j is not installed in .parts/neo4j"


@contextmanager
def neo4j_server() -> Iterator[Neo4j]:
    """An empty Neo4j of one's own (it takes about 8 seconds to start)."""
    with (
        tempfile.TemporaryDirectory(prefix="neo4j-", ignore_cleanup_errors=True) as folder,
        neo4j_in(Path(folder)) as it,
    ):
        yield it


@contextmanager
def neo4j_in(folder: Path, *, auth: bool = False) -> Iterator[Neo4j]:
    """The Neo4j whose data lie in a folder, with passwords or without; it is killed at the end, as if by kill -9."""
    bolt, http = free_port(), free_port()
    file = folder / "conf" / "neo4j.conf"
    file.parent.mkdir(exist_ok=True)
    file.write_text(_SETTINGS.format(bolt=bolt, http=http, auth=str(auth).lower()))
    places = [f"--home-dir={folder}", f"--config-dir={file.parent}"]
    java = ["java", *_QUICK_START, "-cp", f"{_LIBRARY}/*", "org.neo4j.server.CommunityEntryPoint", *places]
    server = Neo4j(f"bolt://127.0.0.1:{bolt}", f"http://127.0.0.1:{http}")
    with running(java, lambda: answers(server.http), log=folder / "log", env=os.environ):
        yield server
