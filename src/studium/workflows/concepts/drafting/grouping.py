"""Which quotes carry one idea: they share a phrase or a defined term, or say nearly the same."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from studium.workflows.concepts.drafting.lexicon import Lexicon
from studium.workflows.concepts.drafting.nearness import Nearness
from studium.workflows.concepts.drafting.phrases import Phrase, stem, tokenized
from studium.workflows.concepts.drafting.reading import Reading
from studium.workflows.concepts.drafting.titles import Shunned, titled, with_article, worth

MAX_CONCEPTS_OF_A_QUOTE = 2
THEME_SHARE = 0.08
THEME_LEAST = 4
PHRASE_WORTH = 1.4
SEVERAL = 2


@dataclass(frozen=True)
class Group:
    """Quotes (by position) that carry one idea, the one that says it best first, and why each does."""

    title: str
    members: tuple[int, ...]
    reasons: Mapping[int, tuple[str, float]]
    key: tuple[str, ...] = ()


@dataclass(frozen=True)
class Term:
    """A phrase that several quotes share: how it is written, and the quotes that define it."""

    key: tuple[str, ...]
    text: str
    definers: tuple[int, ...] = ()


class Shelf:
    """The readings of a book, and which of them hold a word or a phrase."""

    def __init__(self, readings: Sequence[Reading], shunned: Shunned, nearness: Nearness) -> None:
        self.readings = readings
        self.shunned = shunned
        self.nearness = nearness

    @cached_property
    def holders(self) -> dict[str, list[int]]:
        """The quotes that hold each word."""
        found: dict[str, list[int]] = defaultdict(list)
        for at, reading in enumerate(self.readings):
            for word in sorted(reading.stems):
                found[word].append(at)
        return found

    @cached_property
    def topics(self) -> list[frozenset[str]]:
        """What the sentences of each quote are about: what they define, and what they open with."""
        return [frozenset(_topics(reading)) for reading in self.readings]

    def rarity(self, word: str) -> float:
        """How telling a word is here."""
        return log((1 + len(self.readings)) / (1 + len(self.holders.get(word, ())))) + 1

    def holding(self, key: tuple[str, ...]) -> list[int]:
        """The quotes with a sentence that holds all the words of a phrase."""
        rarest = min(key, key=lambda word: len(self.holders.get(word, ())))
        wanted = set(key)
        return [
            at for at in self.holders.get(rarest, ()) if any(wanted <= line.stems for line in self.readings[at].lines)
        ]


def _topics(reading: Reading) -> Iterable[str]:
    for line in reading.lines:
        if line.defines:
            yield from line.defines.key
        for phrase in line.phrases:
            if phrase.subject:
                yield from phrase.key


def groups(shelf: Shelf) -> list[Group]:
    """The groups of two or more quotes that share a term, the most telling first."""
    found: list[Group] = []
    held: dict[int, list[frozenset[int]]] = defaultdict(list)
    for term in sorted(_terms(shelf), key=lambda each: _order(each, shelf)):
        members = [at for at in _members(term, shelf) if len(held[at]) < MAX_CONCEPTS_OF_A_QUOTE]
        if len(members) < SEVERAL or any(each.issuperset(members) for each in held[members[0]]):
            continue
        for at in members:
            held[at].append(frozenset(members))
        found.append(_group(term, members))
    return found


def _order(term: Term, shelf: Shelf) -> tuple[float, tuple[str, ...]]:
    holding = len(shelf.holding(term.key))
    told = sum(shelf.rarity(word) for word in term.key) * log(1 + holding) + 4 * bool(term.definers)
    return (-told, term.key)


def _group(term: Term, members: list[int]) -> Group:
    lead = next((at for at in term.definers if at in members), members[0])
    shown = " ".join(each.word for each in tokenized(term.text))
    reasons = {at: (f"says more about it: shares “{shown}”", 0.65 if len(term.key) > 1 else 0.5) for at in members}
    reasons |= {at: ("defines it", 0.8) for at in term.definers if at in reasons}
    return Group(titled(term.text), (lead, *(at for at in members if at != lead)), reasons, term.key)


def _terms(shelf: Shelf) -> list[Term]:
    """What is defined, what readers named, and the phrases and topics that come back."""
    texts: dict[tuple[str, ...], str] = {}
    definers: dict[tuple[str, ...], list[int]] = defaultdict(list)
    seen: dict[tuple[str, ...], int] = {}
    repeated: set[tuple[str, ...]] = set()
    for at, reading in enumerate(shelf.readings):
        for key, text, strict in _candidates(reading, shelf.shunned):
            texts.setdefault(key, text)
            if strict and at not in definers[key]:
                texts[key] = texts[key] if len(definers[key]) else text
                definers[key].append(at)
            if seen.setdefault(key, at) != at:
                repeated.add(key)
    wanted = repeated | {key for key, those in definers.items() if those}
    return [Term(key, texts[key], tuple(definers[key])) for key in sorted(wanted)]


def _candidates(reading: Reading, shunned: Shunned) -> Iterable[tuple[tuple[str, ...], str, bool]]:
    if reading.name:
        named = tuple(stem(each.word) for each in tokenized(reading.name) if reading.lexicon.is_content(each.word))
        yield named, reading.name, True
    for line in reading.lines:
        if line.defines and not set(line.defines.key) <= shunned.stems:
            yield line.defines.key, line.defines.term, line.defines.strict
        for phrase in line.phrases:
            if _can_be_shared(phrase, reading.lexicon) and not shunned.has(phrase):
                yield phrase.key, with_article(phrase, reading.lexicon), False


def _can_be_shared(phrase: Phrase, lexicon: Lexicon) -> bool:
    if len(phrase.key) > 1:
        return worth(phrase, lexicon) >= PHRASE_WORTH
    return worth(phrase, lexicon) >= 1 and not phrase.words[0].endswith(lexicon.infinitives or ("ing",))


def _members(term: Term, shelf: Shelf) -> list[int]:
    holding = shelf.holding(term.key)
    if len(term.key) > 1:
        return sorted({*holding, *term.definers})
    word = term.key[0]
    if len(holding) > max(THEME_LEAST, THEME_SHARE * len(shelf.readings)):
        return list(term.definers)
    about = [at for at in holding if word in shelf.topics[at]]
    lead = term.definers[0] if term.definers else (about or [-1])[0]
    if lead < 0:
        return []
    close = [at for at in holding if at != lead and at not in term.definers]
    kept = [at for at in close if shelf.nearness.agree(lead, at, apart=word, topic=bool(term.definers) and at in about)]
    return sorted({lead, *term.definers, *kept})
