"""A sync of a generated vault, including start-up, compared with a bare genanki write of the same cards."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

Row = tuple[str, float, str, str]
SIZES = (1000, 5000)
_NOTE = """\
---
topic: Topic {topic}
tags: [bench, t{topic}]
---
# Subject {number}

Q: What is the purpose of component {number} in a layered system?
A: Component {number} translates requests of layer {topic} into calls of the layer below, and keeps their order.

Q: Which port does service {number} listen on by default?
A: It listens on port {port}, unless the configuration of service {number} names another one.

Q: How does the scheduler treat task {number} when its deadline has passed?
A: It drops task {number} and records the miss:

```python
scheduler.drop({number}, reason="deadline")
```
"""


def measure() -> list[Row]:
    rows: list[Row] = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            rows += _measure(Path(folder), size)
    return rows


def write_vault(vault: Path, size: int) -> Path:
    """A vault of so many notes."""
    for number in range(size):
        path = vault / f"topic{number % 20}" / f"note{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_NOTE.format(number=number, topic=number % 20, port=1024 + number))
    return vault


def _measure(folder: Path, size: int) -> list[Row]:
    vault = write_vault(folder / "vault", size)
    bare, _ = _cpu(sys.executable, "-c", _BARE, str(vault), str(folder / "bare.apkg"))
    one_note = folder / "one" / "note0.md"
    one_note.parent.mkdir()
    one_note.write_text(_NOTE.format(number=0, topic=0, port=1024))
    # Start-up is the time of the same command for a vault with one note.
    idle, _ = _studium(
        folder, "cards", "plan", str(one_note.parent), "--to", str(folder / "one.apkg"), "--json", home="one"
    )
    first, memory = _studium(folder, "cards", "plan", str(vault), "--to", str(folder / "a.apkg"), "--json", home="plan")
    package, _ = _studium(folder, "cards", "sync", str(vault), "--to", str(folder / "a.apkg"))
    unchanged, _ = _studium(folder, "cards", "sync", str(vault), "--to", str(folder / "a.apkg"))
    changed = vault / "topic0" / "note0.md"
    changed.write_text(changed.read_text().replace("below", "beneath"))
    one, _ = _studium(folder, "cards", "sync", str(vault), "--to", str(folder / "a.apkg"))
    target = ("<= 1.5", "<= 2.5") if size == SIZES[-1] else ("", "")
    return [
        (f"{size} notes: bare genanki write of the same cards", bare, "CPU s", ""),
        (f"{size} notes: first plan, per note, start-up aside", (first - idle) / size * 1000, "CPU ms", "<= 4"),
        (f"{size} notes: first plan / bare write", first / bare, "x", ""),
        (f"{size} notes: first package, per note on top", (package - first) / size * 1000, "CPU ms", "<= 2"),
        (f"{size} notes: nothing changed", unchanged, "CPU s", target[0]),
        (f"{size} notes: one note changed", one, "CPU s", target[1]),
        (f"{size} notes: memory of the first plan", memory, "MB", "<= 300"),
    ]


def _studium(folder: Path, *arguments: str, home: str = "home") -> tuple[float, float]:
    return _cpu(sys.executable, "-m", "studium", "--home", str(folder / home), *arguments)


def _cpu(*command: str) -> tuple[float, float]:
    """CPU seconds and peak memory of a command, measured in a child process so that nothing else counts."""
    code = (
        "import json,resource,subprocess,sys;"
        "subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL);"
        "u=resource.getrusage(resource.RUSAGE_CHILDREN);"
        "print(json.dumps([u.ru_utime+u.ru_stime,u.ru_maxrss/1024]))"
    )
    # As on a user's machine, where Python caches compiled modules.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True, text=True, env=env)
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


_BARE = """
import pathlib, re, sys, genanki
vault, target = map(pathlib.Path, sys.argv[1:])
model = genanki.Model(1, "Bare", fields=[{"name": "Front"}, {"name": "Back"}],
                      templates=[{"name": "Card", "qfmt": "{{Front}}", "afmt": "{{Back}}"}])
deck = genanki.Deck(2, "Bare")
for path in sorted(vault.rglob("*.md")):
    for question, answer in re.findall(r"^Q: (.*)\\nA: ((?:.+\\n?|\\n(?!Q:))*)", path.read_text(), re.M):
        deck.add_note(genanki.Note(model, [question, answer.replace("<", "&lt;")]))
genanki.Package(deck).write_to_file(str(target))
"""


if __name__ == "__main__":
    for row in measure():
        print(*row)
