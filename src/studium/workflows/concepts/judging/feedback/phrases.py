"""The patterns of `phrases.yaml`, with their slots filled."""

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from studium.domain.concept import RelationType

_MARK = "[\ue000-\uf8ff]"
_CONCEPT = rf"(?:c\d+|{_MARK})"
_AND = r"(?:\s*,\s*(?:(?:and|y|e)\s+)?|\s+(?:and|with|y|e|con)\s+|\s*[&+]\s*)"
_TYPES = "|".join(kind.value for kind in RelationType)
_FREE = {"title", "titles"}
_IN_MARKS = {"title": _MARK, "titles": rf"{_MARK}(?:{_AND}{_MARK})*"}
_IN_WORDS = rf"[^\s{_MARK[1:-1]}][^{_MARK[1:-1]}]*"
_SLOTS = {
    "concept": _CONCEPT,
    "other": _CONCEPT,
    "concepts": rf"{_CONCEPT}(?:{_AND}{_CONCEPT})*",
    "quotes": rf"q\d+(?:{_AND}q\d+)*",
    "text": _MARK,
    "quoted": _MARK,
    "type": rf"(?:{_TYPES})",
    "source": r"\S+",
    "end": r"\S+",
}


class Order(NamedTuple):
    """One way to ask for something: what is asked, and how."""

    name: str
    pattern: re.Pattern[str]


@cache
def _listed() -> dict[str, Any]:
    import yaml

    listed: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "phrases.yaml").read_text(encoding="utf-8"))
    return listed


@cache
def phrase(kind: str) -> str:
    """The pattern of one kind of phrase."""
    return re.sub(r"\s*\|\s*", "|", str(_listed()[kind]).strip())


@cache
def verbs() -> str:
    """A pattern of the verbs that instructions begin with."""
    kinds = ("merge", "reject", "approve", "restore", "unmerge", "rename", "change", "split", "move", "add", "relate")
    return "|".join(_listed()["words"][kind] for kind in (*kinds, "unrelate"))


@cache
def orders() -> tuple[Order, ...]:
    """All ways to ask for something; texts in quotation marks come first, then those without."""
    found: list[Order] = []
    for name, templates in _listed()["orders"].items():
        for template in templates:
            slots = set(re.findall(r"\{(\w+)\}", template))
            found.append(Order(name, _pattern(template, _IN_MARKS) if slots & _FREE else _pattern(template, {})))
            if slots & _FREE:
                found.append(Order(name, _pattern(template, dict.fromkeys(_FREE, _IN_WORDS), reasoned=False)))
    return tuple(found)


def is_vague(title: str) -> bool:
    """Whether words speak of a title that is still to be thought of: `something shorter`."""
    return bool(re.match(rf"(?:{phrase('vague')})\b", title, re.IGNORECASE))


def relation_of(text: str, kind: str = "relations") -> RelationType:
    """The relation that a phrase names."""
    listed: dict[str, str] = _listed()[kind]
    return next(RelationType(name) for name, pattern in listed.items() if re.fullmatch(pattern, text, re.IGNORECASE))


def denied_relation(text: str) -> RelationType | None:
    """The relation that a phrase denies."""
    listed: dict[str, str] = _listed()["relations"]
    kinds = (name for name, pattern in listed.items() if re.fullmatch(_denied(pattern), text, re.IGNORECASE))
    return next((RelationType(name) for name in kinds), None)


def _denied(pattern: str) -> str:
    phrases = re.split(r"\|(?![^(]*\))", pattern)
    being = "|".join(each.removeprefix("is ") for each in phrases if each.startswith("is "))
    plain = "|".join(each for each in phrases if not each.startswith("is "))
    denials = [rf"(?:does not|doesn['’]t|do not|don['’]t|no)\s+(?:{plain})"]
    return "|".join(denials + ([rf"is(?: not|n['’]t)\s+(?:{being})"] if being else []))


def _pattern(template: str, free: dict[str, str], *, reasoned: bool = True) -> re.Pattern[str]:
    listed = _listed()
    slots = _SLOTS | free
    slots["relation"] = "|".join(listed["relations"].values())
    slots["not_relation"] = "|".join(_denied(pattern) for pattern in listed["relations"].values())
    slots["mutual"] = "|".join(listed["mutual"].values())

    def fill(match: re.Match[str]) -> str:
        name = match.group(1)
        return f"(?P<{name}>{slots[name]})" if name in slots else f"(?:{listed['words'][name]})"

    filled = re.sub(r"\{(\w+)\}", fill, template).replace(" ", r"\s+").replace(r"\s+{", "{")
    reason = rf"(?:[\s,:(–—-]+(?P<reason>(?:{listed['reason']})\s.+?)\)?)?" if reasoned else ""
    return re.compile(filled + reason, re.IGNORECASE)
