"""A proposal while instructions are followed one after another: what is named, what carries what, what is gone."""

import re
from collections import defaultdict
from collections.abc import Sequence

from studium.domain.concept import RelationType
from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.judging.feedback.marking import MARK, Marked
from studium.workflows.concepts.judging.points.relations import said
from studium.workflows.concepts.judging.words import folded, in_quotes, in_words
from studium.workflows.concepts.skills import Idea, QuoteShown, RelationShown

_TOKEN = re.compile(rf"c\d+|{MARK}", re.IGNORECASE)
_CONCEPT_SLOTS = ("concept", "other", "concepts")


class Sheet:
    """What instructions may name, as it stands after those that were followed."""

    def __init__(self, ideas: Sequence[Idea], quotes: Sequence[QuoteShown], relations: Sequence[RelationShown]) -> None:
        self.ideas = {idea.key: idea for idea in ideas}
        self.texts = {quote.key: quote.text for quote in quotes}
        self.relations = tuple(relations)
        self.carried = {idea.key: [key for key in idea.quotes if key in self.texts] for idea in ideas}
        self.gone: set[str] = set()
        self._titles: defaultdict[str, list[str]] = defaultdict(list)
        for idea in ideas:
            self._titles[folded(idea.title)].append(idea.key)

    def why_not(self, match: re.Match[str], marked: Marked) -> str:
        """What is wrong with the names in an instruction; nothing where each names one thing."""
        slots = match.groupdict()
        tokens = [token for slot in _CONCEPT_SLOTS if slots.get(slot) for token in _TOKEN.findall(slots[slot])]
        faults = [self._fault(token, marked) for token in tokens]
        return "; ".join(dict.fromkeys(filter(None, faults)))

    def keys(self, slot: str | None, marked: Marked) -> tuple[str, ...]:
        """The concepts that a slot names, each once."""
        named = (self._named(token, marked) for token in _TOKEN.findall(slot or ""))
        return tuple(dict.fromkeys(keys[0] for keys in named))

    def carry(self, concept: str, quotes: Sequence[str]) -> Change:
        """Let a concept rest on these quotes from now on."""
        self.carried[concept] = list(dict.fromkeys(quotes))
        return Change(action="edit", concept=concept, quotes=tuple(self.carried[concept]))

    def holders(self, quote: str) -> tuple[str, ...]:
        """The concepts that a quote carries."""
        return tuple(key for key, quotes in self.carried.items() if quote in quotes and key not in self.gone)

    def between(self, one: str, other: str, kind: RelationType | None = None) -> tuple[RelationShown, ...]:
        """The relations of two concepts, in whichever direction they stand; of one kind, if one is named."""
        found = (each for each in self.relations if {each.source, each.target} == {one, other})
        if kind is None:
            return tuple(found)
        wanted = said(RelationShown(source=one, target=other, type=kind))
        return tuple(each for each in found if said(each) == wanted)

    def _named(self, token: str, marked: Marked) -> list[str]:
        if re.fullmatch(MARK, token):
            inside = marked.inside(token)
            return self._titles.get(folded(inside)) or [key for key in (inside.casefold(),) if key in self.ideas]
        return [token.casefold()] if token.casefold() in self.ideas else []

    def _fault(self, token: str, marked: Marked) -> str:
        keys = self._named(token, marked)
        name = in_quotes(marked.inside(token)) if re.fullmatch(MARK, token) else token.casefold()
        if not keys:
            return f"there is no concept {name}"
        if len(keys) > 1:
            return f"{name} may be {in_words(keys)}"
        return f"{keys[0]} is gone by then" if keys[0] in self.gone else ""
