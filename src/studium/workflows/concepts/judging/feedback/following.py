"""What each kind of instruction does: changes, or a word on why it cannot be followed."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from studium.domain.concept import RelationType
from studium.workflows.concepts.changes import Action, Change
from studium.workflows.concepts.judging.feedback.dividing import into_parts
from studium.workflows.concepts.judging.feedback.marking import MARK, Marked
from studium.workflows.concepts.judging.feedback.phrases import denied_relation, is_vague, relation_of
from studium.workflows.concepts.judging.feedback.sheet import Sheet
from studium.workflows.concepts.judging.words import in_words

Followed = tuple[Change, ...] | str


class Asked(NamedTuple):
    """An instruction whose wording is understood: its slots, and what they name."""

    slots: Mapping[str, str | None]
    marked: Marked
    sheet: Sheet

    def keys(self, slot: str) -> tuple[str, ...]:
        """The concepts that a slot names."""
        return self.sheet.keys(self.slots.get(slot), self.marked)

    @property
    def concept(self) -> str:
        """The one concept that the instruction is about."""
        return self.keys("concept")[0]

    @property
    def quotes(self) -> tuple[str, ...]:
        """The quotes that are named, known or not."""
        return tuple(dict.fromkeys(re.findall(r"q\d+", (self.slots.get("quotes") or "").casefold())))

    @property
    def reason(self) -> str:
        """Why, in the person's words."""
        return self.marked.whole(self.slots.get("reason") or "")

    def words(self, slot: str) -> str:
        """A title or text, without its quotation marks."""
        text = (self.slots.get(slot) or "").strip()
        return self.marked.inside(text) if re.fullmatch(MARK, text) else text


def _merge(asked: Asked) -> Followed:
    return _merged(asked, asked.keys("concepts"))


def _merge_into(asked: Asked) -> Followed:
    return _merged(asked, tuple(dict.fromkeys((*asked.keys("other"), *asked.keys("concepts")))))


def _merged(asked: Asked, keys: tuple[str, ...]) -> Followed:
    first, *others = keys
    if not others:
        return "a merge takes two concepts or more"
    sheet = asked.sheet
    sheet.gone.update(others)
    sheet.carried[first] = list(dict.fromkeys(quote for key in keys for quote in sheet.carried[key]))
    merge = Change(action="merge", concept=first, others=tuple(others), reasoning=asked.reason)
    title = asked.words("title")
    return (merge, Change(action="edit", concept=first, title=title)) if title else (merge,)


def _each(action: Action) -> Callable[[Asked], Followed]:
    def follow(asked: Asked) -> Followed:
        return _done(asked, action, asked.keys("concepts"))

    return follow


def _every(action: Action) -> Callable[[Asked], Followed]:
    def follow(asked: Asked) -> Followed:
        spared = {*asked.keys("concepts"), *asked.sheet.gone}
        return _done(asked, action, tuple(key for key in asked.sheet.ideas if key not in spared))

    return follow


def _done(asked: Asked, action: Action, keys: tuple[str, ...]) -> Followed:
    if action == "reject":
        asked.sheet.gone.update(keys)
    return tuple(Change(action=action, concept=key, reasoning=asked.reason) for key in keys)


def _rename(asked: Asked) -> Followed:
    title = asked.words("quoted") or asked.words("title")
    if is_vague(asked.slots.get("title") or ""):
        return "put the title in quotation marks"
    return (Change(action="edit", concept=asked.concept, title=title),)


def _say(asked: Asked) -> Followed:
    return (Change(action="edit", concept=asked.concept, text=asked.words("text")),)


def _split(asked: Asked) -> Followed:
    titles = asked.slots.get("titles")
    found = into_parts(asked.sheet, asked.concept, titles, asked.marked)
    if isinstance(found, str):
        return found
    asked.sheet.gone.add(asked.concept)
    return (Change(action="split", concept=asked.concept, parts=found, reasoning=asked.reason),)


def _unknown(asked: Asked) -> str:
    missing = [key for key in asked.quotes if key not in asked.sheet.texts]
    return f"there is no quote {in_words(missing)}" if missing else ""


def _add(asked: Asked) -> Followed:
    carried = asked.sheet.carried[asked.concept]
    return _unknown(asked) or (asked.sheet.carry(asked.concept, [*carried, *asked.quotes]),)


def _move(asked: Asked) -> Followed:
    sources = dict.fromkeys(key for quote in asked.quotes for key in asked.sheet.holders(quote))
    return _moved(asked, tuple(sources))


def _move_from(asked: Asked) -> Followed:
    return _moved(asked, asked.keys("other"))


def _moved(asked: Asked, sources: tuple[str, ...]) -> Followed:
    if why := _unknown(asked):
        return why
    sheet, moved = asked.sheet, asked.quotes
    left = [
        sheet.carry(key, [quote for quote in sheet.carried[key] if quote not in moved])
        for key in sources
        if key != asked.concept
    ]
    return (*left, sheet.carry(asked.concept, [*sheet.carried[asked.concept], *moved]))


def _take(asked: Asked) -> Followed:
    """Quotes that a concept names, whether or not there are such quotes, are taken from it."""
    named = asked.sheet.ideas[asked.concept].quotes
    carried = asked.sheet.carried[asked.concept]
    if missing := [key for key in asked.quotes if key not in carried and key not in named]:
        return f"{asked.concept} does not rest on {in_words(missing)}"
    return (asked.sheet.carry(asked.concept, [key for key in carried if key not in asked.quotes]),)


def _relate(asked: Asked) -> Followed:
    keys = asked.keys("concepts")
    if mutual := asked.slots.get("mutual"):
        one, *others = keys
        return _related(asked, one, tuple(others), relation_of(mutual, "mutual"))
    kind = asked.slots.get("type")
    named = RelationType(kind.upper()) if kind else relation_of(asked.slots.get("relation") or "")
    return _related(asked, asked.concept, keys, named)


def _relate_as(asked: Asked) -> Followed:
    kind = asked.slots.get("type")
    return _related(asked, asked.concept, asked.keys("other"), RelationType((kind or "RELATES_TO").upper()))


def _related(asked: Asked, one: str, others: tuple[str, ...], kind: RelationType) -> Followed:
    if not others or one in others:
        return "a relation takes two different concepts"
    reason = asked.reason
    return tuple(Change(action="relate", concept=one, target=key, type=kind, reasoning=reason) for key in others)


def _unrelate(asked: Asked) -> Followed:
    one, (other,) = asked.concept, asked.keys("other")
    denied = asked.slots.get("not_relation")
    found = asked.sheet.between(one, other, denied_relation(denied) if denied else None)
    changes = (Change(action="unrelate", concept=each.source, target=each.target, type=each.type) for each in found)
    return tuple(dict.fromkeys(changes)) or f"there is no such relation of {one} and {other}"


def _unrelate_named(asked: Asked) -> Followed:
    source, kind, end = (asked.slots.get(slot) or "" for slot in ("source", "type", "end"))
    wanted = (source, RelationType(kind.upper()), end)
    if wanted not in {(each.source, each.type, each.target) for each in asked.sheet.relations}:
        return "there is no such relation"
    return (Change(action="unrelate", concept=source, target=end, type=wanted[1]),)


FOLLOW: Mapping[str, Callable[[Asked], Followed]] = {
    "merge": _merge,
    "merge_into": _merge_into,
    "unmerge": _each("unmerge"),
    "reject": _each("reject"),
    "approve": _each("approve"),
    "approve_all": _every("approve"),
    "reject_all": _every("reject"),
    "restore": _each("restore"),
    "rename": _rename,
    "say": _say,
    "split": _split,
    "move": _move,
    "move_from": _move_from,
    "add": _add,
    "take": _take,
    "relate": _relate,
    "relate_as": _relate_as,
    "unrelate": _unrelate,
    "unrelate_named": _unrelate_named,
}
