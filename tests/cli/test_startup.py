import subprocess
import sys

import pytest

MODELS = {"langchain", "langchain_core", "langgraph", "numpy"}
HEAVY = MODELS | {"pydantic", "sqlalchemy", "yaml", "httpx", "fastapi", "nicegui", "mcp"}


def loaded_by(code: str) -> set[str]:
    listing = f"try:\n  {code}\nfinally:\n  import sys; print('LOADED', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stdout.rpartition("LOADED")[2].split()}


def test_importing_studium_loads_next_to_nothing():
    assert not loaded_by("import studium") & (HEAVY | {"typer", "rich"})


def test_help_loads_nothing_heavy():
    assert not loaded_by("from studium.cli.app import main; main(['--help'])") & HEAVY


@pytest.mark.parametrize("command", [["cards", "sync", "--help"], ["review"], ["runs", "list"]])
def test_looking_loads_no_model_library(command):
    assert not loaded_by(f"from studium.cli.app import main; main({command})") & MODELS
