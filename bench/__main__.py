"""`python -m bench [NAME …]`: print every figure with its target, as in docs/benchmarks.md."""

import platform
import sys
from importlib import import_module

BENCHES = (
    "startup",
    "chat",
    "database",
    "retrieval",
    "cards",
    "questions",
    "documents",
    "search",
    "cluster",
    "vocabulary",
    "concepts",
    "tutor",
    "web",
    "pages",
    "readers",
)


def main(names: list[str]) -> None:
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}\n")
    print("| what | figure | target |\n|---|---:|---:|")
    for name in names or BENCHES:
        for what, figure, unit, target in import_module(f"bench.{name}").measure():
            print(f"| {what} | {figure:.3g} {unit} | {target} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
