"""The lists of English words that lie beside this module."""

from functools import cache
from importlib.resources import files


@cache
def listed(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(_read(name).split())


@cache
def irregular() -> dict[tuple[str, str], str]:
    """Dictionary forms by irregular form and part of speech."""
    rows = (line.split("\t") for line in _read("irregular.tsv").splitlines())
    return {(form, kind): lemma for form, lemma, kind in rows}


def _read(name: str) -> str:
    return files("studium.languages.english").joinpath(name).read_text(encoding="utf-8")
