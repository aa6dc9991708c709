"""`studium --help` compared with a bare import of its libraries; and what `import studium` loads."""

import subprocess
import sys
from statistics import median
from time import perf_counter

ROUNDS = 7
HEAVY = ("langchain", "langchain_core", "langgraph", "numpy")


def measure() -> list[tuple[str, float, str, str]]:
    bare, asked = [], []
    for _ in range(ROUNDS):
        bare.append(_seconds("import typer, rich"))
        asked.append(_seconds("from studium.cli.app import main; main(['--help'])"))
    loaded = _said(f"import sys, studium; print(sum(name in sys.modules for name in {HEAVY}))")
    return [
        ("studium --help", median(asked) * 1000, "ms", ""),
        ("studium --help / python -c 'import typer, rich'", median(asked) / median(bare), "x", "<= 2.5"),
        ("model libraries that `import studium` loads", float(loaded), "", "<= 0"),
    ]


def _seconds(code: str) -> float:
    started = perf_counter()
    _said(code)
    return perf_counter() - started


def _said(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    for row in measure():
        print(*row)
