"""A throw-away PostgreSQL: Debian's server on a free loopback port, gone when the block ends."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FAST = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=60"


def available() -> str | None:
    """Why there can be no server here; `None` when there can."""
    return None if _programs() else "PostgreSQL is not installed"


@contextmanager
def postgres_server() -> Iterator[str]:
    """The address of an empty database on a server of its own."""
    programs = _programs()
    if programs is None:
        raise FileNotFoundError(available())
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        data, port = f"{folder}/data", _free_port()
        _run(programs / "initdb", "-D", data, "-U", "studium", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} {_FAST}"
        _run(programs / "pg_ctl", "-D", data, "-l", f"{folder}/log", "-w", "-o", options, "start")
        try:
            yield f"postgresql://studium@127.0.0.1:{port}/postgres"
        finally:
            _run(programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def _programs() -> Path | None:
    """The folder of initdb and pg_ctl, of the newest version that is installed."""
    if found := shutil.which("pg_ctl"):
        return Path(found).parent
    installed = Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")
    return max((path.parent for path in installed), key=lambda bin_: float(bin_.parent.name), default=None)


def _run(program: Path, *arguments: str) -> None:
    """Run one of PostgreSQL's programs, which refuse to run as root."""
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    # A file, not a pipe: the server inherits it and would keep a pipe open.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run([*as_user, program, *arguments], stdout=output, stderr=output, cwd="/", check=False)
        output.seek(0)
        assert done.returncode == 0, output.read().decode()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
