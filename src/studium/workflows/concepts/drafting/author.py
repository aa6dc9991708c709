"""Who wrote a book, as the first sentences of an encyclopedia say it."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from studium.core.domain.skill import Tool
from studium.workflows.concepts.drafting.excerpts import excerpt
from studium.workflows.concepts.drafting.lexicon import LANGUAGES, lexicon
from studium.workflows.concepts.drafting.phrases import stem
from studium.workflows.concepts.drafting.sentences import cleaned, sentences, words
from studium.workflows.concepts.skills import AuthorGiven, AuthorTold

SUMMARY_WORDS = 100
SHORT_WORDS = 30
MAX_OCCUPATION = 10
_ASIDE = re.compile(r"\s*[(\[][^()\[\]]*(?:\([^()]*\)[^()\[\]]*)*[)\]]")
_PARTICLES = {"de", "del", "la", "von", "van", "der", "di", "da", "y", "of", "the"}


def author(given: AuthorGiven, _tools: Sequence[Tool]) -> AuthorTold:
    """What the pages tell about the author; nothing where none is about a person of that name."""
    title = given.title.casefold()
    for page in sorted(given.pages, key=lambda each: not title or title not in each.casefold()):
        said = sentences(_ASIDE.sub("", cleaned(page)))
        occupation = _occupation(said[0], given) if said else ""
        if occupation:
            order = range(len(said))
            return AuthorTold(
                occupation=occupation,
                summary=excerpt(said, order, SUMMARY_WORDS),
                summary_short=excerpt(said, order[:1], SHORT_WORDS),
            )
    return AuthorTold()


def _occupation(sentence: str, given: AuthorGiven) -> str:
    """What the author was (“Spanish novelist”); empty where the sentence is about somebody or something else."""
    for language in dict.fromkeys((lexicon(given.language).language, *LANGUAGES)):
        found = re.search(lexicon(language).occupation, sentence)
        if found and _names(sentence[: found.start()], given.name):
            told = _listed(_ends().split(found[1].strip(" ."), maxsplit=1)[0])
            if any(word in _persons() for word in words(told)):
                return told[:1].upper() + told[1:]
    return ""


def _listed(told: str) -> str:
    """What is told of a person up to where it is no longer a list of what the person was."""
    kept: list[str] = []
    for each in told.split(", "):
        if kept and not any(word in _persons() for word in words(each)[:3]):
            break
        kept.append(each)
    return " ".join(", ".join(kept).split()[:MAX_OCCUPATION]).strip(" ,.;")


def _names(subject: str, name: str) -> bool:
    """Whether the subject of a sentence is the person: it has the last name, and the first unless it has only one."""
    wanted = [stem(word) for word in words(name) if word.lower() not in _PARTICLES]
    told = {stem(word) for word in words(subject)}
    return bool(wanted) and wanted[-1] in told and any(each.startswith(wanted[0]) for each in told)


@cache
def _people() -> dict[str, str]:
    import yaml

    loaded: dict[str, str] = yaml.safe_load(files(__package__).joinpath("people.yaml").read_text(encoding="utf-8"))
    return loaded


@cache
def _persons() -> frozenset[str]:
    return frozenset(_people()["persons"].split())


@cache
def _ends() -> re.Pattern[str]:
    ends = _people()["ends"].replace("| ", "|")
    return re.compile(rf"[;.]\s|,?\s(?:{ends})\b")
