"""The public names of every module are those listed in public_names.txt, so that none appears or goes unnoticed.

`python tests/test_public_names.py --write` lists them anew.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
LIST = Path(__file__).with_name("public_names.txt")


def public_names() -> list[str]:
    modules = [path for path in SOURCE.rglob("*.py") if "migrations" not in path.parts]
    return sorted(f"{module_name(path)}.{name}" for path in modules for name in defined_in(path))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def defined_in(path: Path) -> Iterator[str]:
    """What a module defines, and what a package offers in `__all__`."""
    for node in ast.parse(path.read_text()).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names = [name]
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=listed)):
                names = [each.value for each in listed if isinstance(each, ast.Constant)]
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case _:
                names = []
        yield from (name for name in names if not name.startswith("_"))


def test_the_public_names_are_those_listed():
    assert public_names() == LIST.read_text().splitlines()


if __name__ == "__main__" and "--write" in sys.argv:
    LIST.write_text("\n".join(public_names()) + "\n")
