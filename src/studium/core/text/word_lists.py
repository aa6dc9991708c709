"""Load the word lists that are shipped with the code; each is read once."""

from functools import cache
from importlib.resources import files
from typing import Any


def load_text(package: str, name: str) -> str:
    """The text of a file that is shipped with a package; the name may contain folders (`data/words.txt`)."""
    return files(package).joinpath(*name.split("/")).read_text(encoding="utf-8")


@cache
def load_word_list(package: str, name: str) -> frozenset[str]:
    """The words of a text file, separated by spaces or line ends; a line that starts with `#` is a comment."""
    lines = load_text(package, name).splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def load_word_sections(package: str, name: str) -> dict[str, frozenset[str]]:
    """The words of a text file by `[section]`."""
    sections: dict[str, set[str]] = {}
    section = ""
    for line in load_text(package, name).splitlines():
        if line.startswith("[") and line.rstrip().endswith("]"):
            section = line.strip()[1:-1]
        elif not line.startswith("#"):
            sections.setdefault(section, set()).update(line.split())
    return {section: frozenset(words) for section, words in sections.items() if section or words}


@cache
def load_word_pairs(package: str, name: str) -> dict[str, str]:
    """A mapping from each word of a table to the first word of its line."""
    lines = load_text(package, name).splitlines()
    rows = (line.split() for line in lines if line.strip() and not line.startswith("#"))
    return {form: first for first, *forms in rows for form in forms}


@cache
def load_word_table(package: str, name: str) -> dict[str, Any]:
    """The entries of a YAML file; the result is shared, so do not change it."""
    import yaml

    table: dict[str, Any] = yaml.load(load_text(package, name), Loader=yaml.CSafeLoader)
    return table
