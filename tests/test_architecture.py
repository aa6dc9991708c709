"""Imports flow one way, also those inside functions."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "studium"
FLOORS = (
    {"domain"},
    {"observe"},
    {"core"},
    {"readers", "minds", "retrieval", "stores", "devices", "languages", "settings", "testing"},
    {"workflows"},
    {"running"},
    {"bootstrap", "doctor"},
    {"served"},
    {"features"},
    {"service"},
    {"api", "web", "assistant"},
    {"cli"},
    {"__main__"},
)
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
MAY_READ_SETTINGS = {"bootstrap", "served", "features", "service", "assistant", "cli", "api", "web", "settings"}

MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> set[tuple[str, ...]]:
    """What a module imports of ours: `("stores", "database")` for `from studium.core.database import Database`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            found |= {f"{node.module}.{name.name}" for name in node.names}
    ours = {tuple(name.split(".")[1:]) for name in found if name.startswith("studium.")}
    return {name for name in ours if not name[0].startswith("__")}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_module_imports_only_from_the_floors_below(path):
    room = room_of(path)
    assert room in FLOOR_OF, f"{room} is on no floor: say in tests/test_architecture.py where it belongs"
    for imported in imports_of(path):
        if imported[0] != room:
            assert FLOOR_OF[imported[0]] < FLOOR_OF[room], f"{room} imports {'.'.join(imported)}"
        if imported[0] == "settings":
            assert room in MAY_READ_SETTINGS, f"{room} imports the settings; give it plain values"


@pytest.mark.parametrize(
    "path", sorted(SOURCE.glob("workflows/*/*.py")), ids=lambda path: path.parent.name + "/" + path.name
)
def test_a_feature_imports_no_other(path):
    feature = path.parent.name
    others = {name[1] for name in imports_of(path) if name[0] == "workflows"} - {feature}
    assert not others


def test_the_floors_are_seen():
    assert ("stores", "database", "Database") in imports_of(SOURCE / "bootstrap" / "house.py")
    assert ("settings", "load_settings") in imports_of(SOURCE / "cli" / "flags.py"), "imports inside functions count"
