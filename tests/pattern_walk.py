"""Finds every regular expression of the package: compiled ones, those in calls, and those in data files."""

import ast
import importlib
import pkgutil
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import studium

_CALLS = frozenset({"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"})
_ANYWHERE = "search"


@dataclass(frozen=True)
class FoundPattern:
    """A pattern, how it is used (`search` for every use that looks anywhere), and where it is written."""

    pattern: str
    flags: int
    use: str
    where: str


def package_modules() -> list[ModuleType]:
    """Every module of the package."""
    names = [
        each.name
        for each in pkgutil.walk_packages(studium.__path__, "studium.")
        if not each.name.endswith("__main__") and ".migrations." not in each.name
    ]
    return [importlib.import_module(name) for name in names]


def walk_patterns(modules: Iterable[ModuleType]) -> tuple[list[FoundPattern], list[str]]:
    """The patterns of these modules, and the calls whose pattern is made at run time."""
    modules = list(modules)
    trees = {module: ast.parse(Path(module.__file__ or "").read_text("utf-8")) for module in modules}
    uses = {module: _uses_of_names(tree) for module, tree in trees.items()}
    found: dict[FoundPattern, None] = {}
    open_calls: list[str] = []
    for module, tree in trees.items():
        for where, use, pattern, flags in _in_attributes(module, uses[module]):
            found[FoundPattern(pattern, flags, use, where)] = None
        made = {each.pattern for each in found}
        for call, use in _calls(tree):
            where = f"{module.__name__}:{call.lineno}"
            try:
                pattern, flags = _arguments(call, vars(module))
            except NameError:
                open_calls.append(f"{module.__name__}: {ast.unparse(call.args[0])}")
                continue
            if isinstance(pattern, re.Pattern):
                pattern, flags = pattern.pattern, pattern.flags
            if isinstance(pattern, str) and not (use == "compile" and pattern in made):
                found[FoundPattern(pattern, flags, _kind(use), where)] = None
    return list(found), open_calls


_LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "ja", "zh", "ru")


def built_patterns(modules: Iterable[ModuleType]) -> list[FoundPattern]:
    """The patterns that cached functions of these modules build from word tables and other data."""
    found: dict[FoundPattern, None] = {}
    built = ""
    compile_really = re._compile  # type: ignore[attr-defined]

    def compile_and_note(pattern: Any, flags: Any) -> Any:
        if isinstance(pattern, str) and _is_ours(sys._getframe(2)):
            found[FoundPattern(pattern, int(flags), _ANYWHERE, built)] = None
        return compile_really(pattern, flags)

    re._compile = compile_and_note  # type: ignore[attr-defined]
    try:
        for module in modules:
            for name, value in list(vars(module).items()):
                if hasattr(value, "cache_clear") and value.__module__ == module.__name__:
                    built = f"{module.__name__}.{name}()"
                    _call(value.__wrapped__)
    finally:
        re._compile = compile_really  # type: ignore[attr-defined]
    return list(found)


def _is_ours(frame: Any) -> bool:
    """Whether a call of `re` was made by the package, and not by a library that it loads."""
    return str(frame.f_globals.get("__name__", "")).startswith("studium.")


def _call(function: Any) -> None:
    parameters = [each for each in signature(function).parameters.values() if each.default is each.empty]
    named = {each.name for each in parameters}
    if named <= {"language"}:
        for language in _LANGUAGES if named else ("",):
            with suppress(Exception):  # a language without such words, or a part that is not installed
                function(*[language] * len(named))


def _kind(use: str) -> str:
    return use if use in ("match", "fullmatch") else _ANYWHERE


def _calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in _CALLS
            and node.args
        ):
            yield node, node.func.attr


def _arguments(call: ast.Call, names: dict[str, Any]) -> tuple[Any, int]:
    def value(node: ast.expr) -> Any:
        return eval(compile(ast.Expression(node), "pattern", "eval"), {**names, "re": re})  # noqa: S307

    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(method, 2)
    flags = next((each.value for each in call.keywords if each.arg == "flags"), None)
    if flags is None and len(call.args) > at:
        flags = call.args[at]
    return value(call.args[0]), int(value(flags)) if flags is not None else 0


def _uses_of_names(tree: ast.AST) -> dict[str, set[str]]:
    """The methods that are called of each name, such as `_WORD.search`; a bare mention counts as `search`."""
    uses: dict[str, set[str]] = defaultdict(set)
    called: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            called.add(id(node.value))
            if node.attr in _CALLS:
                uses[node.value.id].add(_kind(node.attr))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called:
            uses[node.id].add(_ANYWHERE)
    return uses


def _in_attributes(module: ModuleType, uses: dict[str, set[str]]) -> Iterator[tuple[str, str, str, int]]:
    for name, value in list(vars(module).items()):
        kinds = uses.get(name, set()) if isinstance(value, re.Pattern) else set()
        for pattern in _patterns_in(value, module):
            for kind in kinds or {_ANYWHERE}:
                if isinstance(pattern.pattern, str):
                    yield f"{module.__name__}.{name}", kind, pattern.pattern, pattern.flags


def _patterns_in(value: Any, module: ModuleType, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, partial):
        yield from _patterns_in(value.args, module, depth + 1)
    elif isinstance(value, dict) and depth < 4 and len(value) < 1000:
        for each in [*value.keys(), *value.values()]:
            yield from _patterns_in(each, module, depth + 1)
    elif isinstance(value, (list, tuple, set, frozenset)) and depth < 4 and len(value) < 1000:
        for each in value:
            yield from _patterns_in(each, module, depth + 1)
    elif getattr(type(value), "__module__", "") == module.__name__ and hasattr(value, "__dict__") and depth < 4:
        yield from _patterns_in(dict(vars(value)), module, depth + 1)
    elif isinstance(value, type) and value.__module__ == module.__name__ and depth < 4:
        yield from _patterns_in([each for key, each in vars(value).items() if not key.startswith("__")], module, 3)
