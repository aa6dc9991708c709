"""The words of a note that are not the concept's own, by language; they stand in a YAML file beside the code."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from studium.domain.concept import RelationType

_FALLBACK = "en"


@dataclass(frozen=True)
class Wording:
    """What a note says in one language besides the concept itself."""

    name: str
    tag: str
    concept: str
    analysis: str
    connections: str
    source: str
    card: str
    question: str
    page: str
    note: str
    relations: dict[RelationType, str]


@cache
def wordings() -> dict[str, Wording]:
    """The words of every language that notes are written in."""
    import yaml

    listed = yaml.safe_load(files(__package__).joinpath("wording.yaml").read_text(encoding="utf-8"))
    return {language: Wording(**said) for language, said in listed.items()}


def wording(language: str) -> Wording:
    """The words of a language (`es`, `es-MX`); English where we know none."""
    known = wordings()
    return known.get(language.lower().replace("_", "-").partition("-")[0], known[_FALLBACK])
