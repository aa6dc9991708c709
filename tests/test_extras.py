"""A core install does what it can, and where it cannot it names the extra that can."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from studium.core.domain.errors import MissingExtra
from studium.core.extras import needs_extra

pytestmark = pytest.mark.xdist_group("extras")  # what is installed is looked up once

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/studium"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
# These are loaded by `studium serve` and `studium mcp` alone, which ask for the extra first.
SHELLS = {
    "web": ("web/**/*.py", "http/**/*.py", "*/web/**/*.py", "*/api.py", "cli/server.py"),
    "mcp": ("mcp/**/*.py", "*/mcp.py"),
}
# These look whether the package is there, and do without it.
OPTIONAL = {("core/documents/pdf/reader.py", "rapidocr"), ("app/doctor.py", "psycopg")}


@cache
def packages_of(*requirements: str) -> frozenset[str]:
    """The packages that pip installs for these requirements, themselves among them."""
    found: set[tuple[str, str]] = set()
    todo = [(Requirement(each), "") for each in requirements]
    while todo:
        requirement, asked = todo.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": asked}):
            continue
        name = canonicalize_name(requirement.name)
        for extra in ("", *requirement.extras):
            if (name, extra) not in found:
                found.add((name, extra))
                todo += [(Requirement(each), extra) for each in _required(name)]
    return frozenset(name for name, _ in found)


@cache
def _required(package: str) -> tuple[str, ...]:
    try:
        return tuple(requires(package) or ())
    except PackageNotFoundError:  # another platform's
        return ()


@cache
def extra_packages(name: str) -> frozenset[str]:
    """The packages of an extra, with those of the extras that it names."""
    own = [Requirement(each) for each in EXTRAS[name]]
    named = [extra_packages(extra) for each in own if each.name == "studium" for extra in each.extras]
    return packages_of(*(str(each) for each in own if each.name != "studium")).union(*named)


@cache
def core_packages() -> frozenset[str]:
    """The packages that `pip install studium` installs."""
    return packages_of(*PROJECT["dependencies"])


@cache
def providers() -> dict[str, set[str]]:
    """The packages that provide each module."""
    return {module: set(map(canonicalize_name, of)) for module, of in packages_distributions().items()}


def foreign_imports(path: Path) -> Iterator[str]:
    """The modules that a file imports when it runs, without Python's own and ours."""

    def visit(node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            return
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module)
        for child in ast.iter_child_nodes(node):
            yield from visit(child)

    for name in visit(ast.parse(path.read_text("utf-8"))):
        if (module := name.partition(".")[0]) not in {"studium", "__future__", *sys.stdlib_module_names}:
            yield module


@cache
def shell_files() -> dict[str, frozenset[Path]]:
    """The files of each shell."""
    return {extra: frozenset(path for each in of for path in SOURCE.glob(each)) for extra, of in SHELLS.items()}


def extras_asked_for(path: Path) -> set[str]:
    """The extras that a file names where a package is missing; a provider's builder may name any."""
    shells = {extra for extra, files in shell_files().items() if path in files}
    text = path.read_text("utf-8")
    named = set(re.findall(r'(?:needs|missing)_extra\("(\w+)"', text))
    return shells | named | (set(EXTRAS) if "needs_extra(spec.provider" in text else set())


def test_every_import_is_of_the_core_or_names_its_extra():
    missing = []
    for path in sorted(SOURCE.rglob("*.py")):
        allowed = core_packages().union(*map(extra_packages, extras_asked_for(path)))
        name = path.relative_to(SOURCE).as_posix()
        missing += [
            f"{name} imports {module}"
            for module in sorted(set(foreign_imports(path)))
            if (name, module) not in OPTIONAL and not providers().get(module, set()) & allowed
        ]
    assert missing == []


def test_a_missing_package_is_named_with_the_extra_that_has_it():
    with pytest.raises(MissingExtra) as caught, needs_extra("songs", "Reading songs"):
        import no_such_package.inside  # noqa: F401
    assert str(caught.value) == "Reading songs needs the Python package no_such_package."
    assert caught.value.remedy == "pip install 'studium[songs]'"


def test_a_module_of_ours_that_is_missing_is_a_fault_and_no_extra():
    with pytest.raises(ModuleNotFoundError), needs_extra("songs", "Reading songs"):
        import studium.no_such_module  # noqa: F401


# Runs commands where only the packages of the core can be imported, and prints what each said.
_CORE_ONLY = """
import contextlib, io, json, sys
core, commands = json.load(sys.stdin)

class OnlyTheCore:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        known = name.partition(".")[0] in core or name.startswith("_")
        return self.finder.find_spec(name, path, target) if known else None

sys.meta_path[:] = map(OnlyTheCore, sys.meta_path)
from studium.cli.app import main
said = []
for command in commands:
    code, out, err = 0, io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(command)
        except SystemExit as done:
            code = done.code or 0
    said.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(said))
"""


@pytest.fixture
def core_only(tmp_path):
    """Runs commands as a core install would."""

    def run(*commands: list[str]) -> list[tuple[int, str, str]]:
        core = [module for module, of in providers().items() if of & core_packages()]
        core += [*sys.stdlib_module_names, "studium"]
        env = {**os.environ, "STUDIUM_HOME": str(tmp_path / "home"), "STUDIUM_EMBEDDER": "none", "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, "-c", _CORE_ONLY],
            input=json.dumps([core, commands]),
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run


def test_a_core_install_makes_cards_questions_concepts_and_diagnoses(core_only):
    done = core_only(
        ["cards", "sync", str(SOURCE / "cards/sample_files/vault"), "--to", "cards.apkg"],
        [
            "questions",
            "generate",
            str(SOURCE / "questions/sample_files/questions/harbour.md"),
            "--count",
            "1",
            "--scenario",
            "study",
        ],
        ["concepts", "parse", str(SOURCE / "concepts/sample_files/quotes/Henry David Thoreau - Walden.md")],
        ["tutor", "ask", "02-static-routing", "Why is the next hop refused?"],
    )
    assert [code for code, _, _ in done] == [0, 0, 0, 0], done


def test_what_needs_an_extra_says_how_to_install_it(core_only, tmp_path):
    (tmp_path / "song.txt").write_text("空を見上げる\n夢を見る\n", "utf-8")
    commands = {
        "serve": "web",
        "mcp": "mcp",
        "vocab song Sora --lyrics song.txt": "japanese",
        "concepts graph map": "concepts",
        "concepts audit": "concepts",
    }
    for extra, (code, _, err) in zip(commands.values(), core_only(*map(str.split, commands)), strict=True):
        assert code == 3, err
        assert "needs the Python package" in err
        assert f"pip install 'studium[{extra}]'" in err


@pytest.mark.endurance
def test_a_core_install_is_small_and_shows_the_demo(tmp_path):
    uv, python = ROOT / ".tools/bin/uv", tmp_path / "venv/bin/python"
    lock = ["--constraints", "requirements.lock", "--build-constraints", "requirements.lock"]
    for command in (["venv", tmp_path / "venv", "--python", sys.executable], ["pip", "install", *lock, "."]):
        env = {**os.environ, "VIRTUAL_ENV": str(tmp_path / "venv"), "UV_LINK_MODE": "copy"}
        subprocess.run([uv, "--quiet", *command], cwd=ROOT, env=env, check=True)
    libraries = next((tmp_path / "venv/lib").iterdir()) / "site-packages"
    assert sum(path.stat().st_size for path in libraries.rglob("*") if path.is_file()) < 365e6
    assert len(list(libraries.glob("*.dist-info"))) < 95

    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"COLUMNS": "200"}
    demo = [python.with_name("studium"), "demo"]
    shown = subprocess.run(demo, cwd=tmp_path, env=alone, capture_output=True, text=True, check=True).stdout
    rows = {line.split()[0]: line for line in shown.splitlines() if line.strip()}
    assert "pip install 'studium[japanese]'" in rows["vocabulary"]
    for name, made in {"cards": "card", "questions": "question", "concepts": "concept", "tutor": "diagnos"}.items():
        assert re.search(rf"{name} +\d+ {made}", rows[name]), shown
