"""The words and wordings that the rules know, by concept and language; they stand in YAML files beside the code."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

RULES = "studium.questions.rules"


@dataclass(frozen=True)
class Lexicon:
    """One file of words: under each concept, the languages with their words or wordings."""

    concepts: dict[str, Any]

    def by_language(self, concept: str) -> dict[str, frozenset[str]]:
        """The single words of a concept, language by language."""
        return {language: frozenset(said.split()) for language, said in self.concepts[concept].items()}

    def words(self, concept: str) -> frozenset[str]:
        """The single words of a concept in all languages."""
        return frozenset(word for said in self.concepts[concept].values() for word in said.split())

    def any_of(self, concept: str) -> str:
        """A pattern for any of the wordings of a concept."""
        return "|".join(self.wordings(concept))

    def wordings(self, concept: str) -> Iterable[str]:
        """The wordings of a concept in all languages; each is a pattern."""
        return [wording for said in self.concepts[concept].values() for wording in said.split(" / ")]


@cache
def load_lexicon(folder: str) -> Lexicon:
    """The words that a folder of the rules keeps beside its code."""
    text = files(f"{RULES}.{folder}").joinpath("words.yaml").read_text(encoding="utf-8")
    return Lexicon(yaml.safe_load(text))
