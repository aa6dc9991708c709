"""Turns each kind of feedback instruction into changes, or explains why it cannot."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from studium.concepts.domain import RelationType
from studium.concepts.proposal import ChangeAction, ProposalChange, SplitPart
from studium.concepts.rules.checklist import canonical_relation
from studium.concepts.rules.compound_titles import assign_quotes, split_compound_title
from studium.concepts.rules.content_words import (
    content_words,
    fold_text,
    in_quote_marks,
    join_with_and,
    language_of,
)
from studium.concepts.rules.feedback_instructions import MARK, MarkedText, denied_relation, is_vague, relation_in_phrase
from studium.concepts.skills import ConceptView, QuoteView, RelationView

_TOKEN = re.compile(rf"c\d+|{MARK}", re.IGNORECASE)
_CONCEPT_SLOTS = ("concept", "other", "concepts")


class WorkingProposal:
    """The proposal that instructions refer to, after those already applied."""

    def __init__(
        self, ideas: Sequence[ConceptView], quotes: Sequence[QuoteView], relations: Sequence[RelationView]
    ) -> None:
        self.ideas = {idea.key: idea for idea in ideas}
        self.texts = {quote.key: quote.text for quote in quotes}
        self.relations = tuple(relations)
        self.carried = {idea.key: [key for key in idea.quotes if key in self.texts] for idea in ideas}
        self.gone: set[str] = set()
        self._titles: defaultdict[str, list[str]] = defaultdict(list)
        for idea in ideas:
            self._titles[fold_text(idea.title)].append(idea.key)

    def why_not(self, match: re.Match[str], marked: MarkedText) -> str:
        """What is wrong with the names in an instruction; nothing if each is unambiguous."""
        slots = match.groupdict()
        tokens = [token for slot in _CONCEPT_SLOTS if slots.get(slot) for token in _TOKEN.findall(slots[slot])]
        faults = [self._fault(token, marked) for token in tokens]
        return "; ".join(dict.fromkeys(filter(None, faults)))

    def keys(self, slot: str | None, marked: MarkedText) -> tuple[str, ...]:
        """The concepts that a slot names, each once."""
        named = (self._named(token, marked) for token in _TOKEN.findall(slot or ""))
        return tuple(dict.fromkeys(keys[0] for keys in named))

    def carry(self, concept: str, quotes: Sequence[str]) -> ProposalChange:
        """Set the quotes of a concept."""
        self.carried[concept] = list(dict.fromkeys(quotes))
        return ProposalChange(action="edit", concept=concept, quotes=tuple(self.carried[concept]))

    def holders(self, quote: str) -> tuple[str, ...]:
        """The concepts that a quote supports."""
        return tuple(key for key, quotes in self.carried.items() if quote in quotes and key not in self.gone)

    def between(self, one: str, other: str, kind: RelationType | None = None) -> tuple[RelationView, ...]:
        """The relations of two concepts in either direction; of one type if one is named."""
        found = (each for each in self.relations if {each.source, each.target} == {one, other})
        if kind is None:
            return tuple(found)
        wanted = canonical_relation(RelationView(source=one, target=other, type=kind))
        return tuple(each for each in found if canonical_relation(each) == wanted)

    def _named(self, token: str, marked: MarkedText) -> list[str]:
        if re.fullmatch(MARK, token):
            inside = marked.inside(token)
            return self._titles.get(fold_text(inside)) or [key for key in (inside.casefold(),) if key in self.ideas]
        return [token.casefold()] if token.casefold() in self.ideas else []

    def _fault(self, token: str, marked: MarkedText) -> str:
        keys = self._named(token, marked)
        name = in_quote_marks(marked.inside(token)) if re.fullmatch(MARK, token) else token.casefold()
        if not keys:
            return f"there is no concept {name}"
        if len(keys) > 1:
            return f"{name} may be {join_with_and(keys)}"
        return f"{keys[0]} is gone by then" if keys[0] in self.gone else ""


_FEWEST_PARTS = 2
_COMMA = re.compile(r"(?<!\s)\s*,\s*(?:(?:and|y|e)\s+)?")
_AND = re.compile(r"(?<!\s)\s+(?:and|y|e)\s+", re.IGNORECASE)


def parts_for_split(
    sheet: WorkingProposal, concept: str, titles: str | None, marked: MarkedText
) -> tuple[SplitPart, ...] | str:
    """The parts of a concept, or why there are none; without titles, those that its own title joins."""
    named = _titles(titles, marked) if titles else tuple(split_compound_title(sheet.ideas[concept].title) or ())
    named = tuple(dict.fromkeys(title[:1].upper() + title[1:] for title in named))
    if len(named) < _FEWEST_PARTS:
        return f"it is not clear into which parts {concept} is to be split; put each title in quotation marks"
    texts = {key: sheet.texts[key] for key in sheet.carried[concept]}
    taken = assign_quotes(texts, named)
    return tuple(
        SplitPart(
            title=title, concept=_text(title, [texts[key] for key in keys]) or sheet.ideas[concept].concept, quotes=keys
        )
        for title, keys in zip(named, taken, strict=True)
    )


def _titles(text: str, marked: MarkedText) -> tuple[str, ...]:
    if marks := re.findall(MARK, text):
        return tuple(marked.inside(mark) for mark in marks)
    *first, last = _COMMA.split(text)
    pieces = _AND.split(last)
    # Without commas, `love and work and rest` may be two or three.
    named = (*first, *pieces) if first or len(pieces) == _FEWEST_PARTS else ()
    return () if any(is_vague(title) for title in named) else named


def _text(title: str, quotes: list[str]) -> str:
    """The quote that shares most words with the title."""
    language = language_of(title, *quotes)
    wanted = content_words(title, language).keys()
    return max(quotes, key=lambda quote: len(wanted & content_words(quote, language).keys()), default="")


InstructionResult = tuple[ProposalChange, ...] | str


class Instruction(NamedTuple):
    """An instruction whose wording is understood: its slots, and what they name."""

    slots: Mapping[str, str | None]
    marked: MarkedText
    sheet: WorkingProposal

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


def _merge(asked: Instruction) -> InstructionResult:
    return _merged(asked, asked.keys("concepts"))


def _merge_into(asked: Instruction) -> InstructionResult:
    return _merged(asked, tuple(dict.fromkeys((*asked.keys("other"), *asked.keys("concepts")))))


def _merged(asked: Instruction, keys: tuple[str, ...]) -> InstructionResult:
    first, *others = keys
    if not others:
        return "a merge takes two concepts or more"
    sheet = asked.sheet
    sheet.gone.update(others)
    sheet.carried[first] = list(dict.fromkeys(quote for key in keys for quote in sheet.carried[key]))
    merge = ProposalChange(action="merge", concept=first, others=tuple(others), reasoning=asked.reason)
    title = asked.words("title")
    return (merge, ProposalChange(action="edit", concept=first, title=title)) if title else (merge,)


def _each(action: ChangeAction) -> Callable[[Instruction], InstructionResult]:
    def follow(asked: Instruction) -> InstructionResult:
        return _done(asked, action, asked.keys("concepts"))

    return follow


def _every(action: ChangeAction) -> Callable[[Instruction], InstructionResult]:
    def follow(asked: Instruction) -> InstructionResult:
        spared = {*asked.keys("concepts"), *asked.sheet.gone}
        return _done(asked, action, tuple(key for key in asked.sheet.ideas if key not in spared))

    return follow


def _done(asked: Instruction, action: ChangeAction, keys: tuple[str, ...]) -> InstructionResult:
    if action == "reject":
        asked.sheet.gone.update(keys)
    return tuple(ProposalChange(action=action, concept=key, reasoning=asked.reason) for key in keys)


def _rename(asked: Instruction) -> InstructionResult:
    title = asked.words("quoted") or asked.words("title")
    if is_vague(asked.slots.get("title") or ""):
        return "put the title in quotation marks"
    return (ProposalChange(action="edit", concept=asked.concept, title=title),)


def _say(asked: Instruction) -> InstructionResult:
    return (ProposalChange(action="edit", concept=asked.concept, text=asked.words("text")),)


def _split(asked: Instruction) -> InstructionResult:
    titles = asked.slots.get("titles")
    found = parts_for_split(asked.sheet, asked.concept, titles, asked.marked)
    if isinstance(found, str):
        return found
    asked.sheet.gone.add(asked.concept)
    return (ProposalChange(action="split", concept=asked.concept, parts=found, reasoning=asked.reason),)


def _unknown(asked: Instruction) -> str:
    missing = [key for key in asked.quotes if key not in asked.sheet.texts]
    return f"there is no quote {join_with_and(missing)}" if missing else ""


def _add(asked: Instruction) -> InstructionResult:
    carried = asked.sheet.carried[asked.concept]
    return _unknown(asked) or (asked.sheet.carry(asked.concept, [*carried, *asked.quotes]),)


def _move(asked: Instruction) -> InstructionResult:
    sources = dict.fromkeys(key for quote in asked.quotes for key in asked.sheet.holders(quote))
    return _moved(asked, tuple(sources))


def _move_from(asked: Instruction) -> InstructionResult:
    return _moved(asked, asked.keys("other"))


def _moved(asked: Instruction, sources: tuple[str, ...]) -> InstructionResult:
    if why := _unknown(asked):
        return why
    sheet, moved = asked.sheet, asked.quotes
    left = [
        sheet.carry(key, [quote for quote in sheet.carried[key] if quote not in moved])
        for key in sources
        if key != asked.concept
    ]
    return (*left, sheet.carry(asked.concept, [*sheet.carried[asked.concept], *moved]))


def _take(asked: Instruction) -> InstructionResult:
    """Remove quotes from a concept, also ones that do not exist."""
    named = asked.sheet.ideas[asked.concept].quotes
    carried = asked.sheet.carried[asked.concept]
    if missing := [key for key in asked.quotes if key not in carried and key not in named]:
        return f"{asked.concept} does not rest on {join_with_and(missing)}"
    return (asked.sheet.carry(asked.concept, [key for key in carried if key not in asked.quotes]),)


def _relate(asked: Instruction) -> InstructionResult:
    keys = asked.keys("concepts")
    if mutual := asked.slots.get("mutual"):
        one, *others = keys
        return _related(asked, one, tuple(others), relation_in_phrase(mutual, "mutual"))
    kind = asked.slots.get("type")
    named = RelationType(kind.upper()) if kind else relation_in_phrase(asked.slots.get("relation") or "")
    return _related(asked, asked.concept, keys, named)


def _relate_as(asked: Instruction) -> InstructionResult:
    kind = asked.slots.get("type")
    return _related(asked, asked.concept, asked.keys("other"), RelationType((kind or "RELATES_TO").upper()))


def _related(asked: Instruction, one: str, others: tuple[str, ...], kind: RelationType) -> InstructionResult:
    if not others or one in others:
        return "a relation takes two different concepts"
    reason = asked.reason
    return tuple(
        ProposalChange(action="relate", concept=one, target=key, type=kind, reasoning=reason) for key in others
    )


def _unrelate(asked: Instruction) -> InstructionResult:
    one, (other,) = asked.concept, asked.keys("other")
    denied = asked.slots.get("not_relation")
    found = asked.sheet.between(one, other, denied_relation(denied) if denied else None)
    changes = (
        ProposalChange(action="unrelate", concept=each.source, target=each.target, type=each.type) for each in found
    )
    return tuple(dict.fromkeys(changes)) or f"there is no such relation of {one} and {other}"


def _unrelate_named(asked: Instruction) -> InstructionResult:
    source, kind, end = (asked.slots.get(slot) or "" for slot in ("source", "type", "end"))
    wanted = (source, RelationType(kind.upper()), end)
    if wanted not in {(each.source, each.type, each.target) for each in asked.sheet.relations}:
        return "there is no such relation"
    return (ProposalChange(action="unrelate", concept=source, target=end, type=wanted[1]),)


ACTIONS: Mapping[str, Callable[[Instruction], InstructionResult]] = {
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
