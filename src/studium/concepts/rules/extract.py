"""Drafts concepts from quotes by rules; every text is taken from a quote."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from studium.concepts.dependencies import Embed
from studium.concepts.rules.lexicon import Lexicon, excerpt, words
from studium.concepts.rules.phrases import Phrase, stem_word, tokenize
from studium.concepts.rules.quote_analysis import QuoteAnalysis, QuoteSentence, analyse_quotes, find_avoided_words
from studium.concepts.rules.titles import AvoidedWords, as_title, with_article
from studium.concepts.skills import DraftConcept, DraftSupport, ExtractInput, ExtractOutput
from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule

# A small embedder finds all quotes similar in a language it hardly knows, so a shared word is required too.
SURELY_SAME = 0.85
SAME_IDEA = 0.7
SAME_TOPIC = 0.5
MIN_SIMILARITY = 0.25
SHARED_WORDS = 0.4
MAX_WORD_HOLDERS = 20
_BLOCK = 512


class QuoteSimilarity:
    """How similar the quotes of a book are to each other."""

    def __init__(self, readings: Sequence[QuoteAnalysis], embed: Embed) -> None:
        self._stems = [reading.stems for reading in readings]
        self._vectors = embed([reading.text for reading in readings]) if readings else None

    def agree(self, one: int, other: int, *, apart: str, topic: bool) -> bool:
        """Whether two quotes that share the word `apart` agree about it; with a common `topic`, less is required."""
        shared = (self._stems[one] & self._stems[other]) - {apart}
        if self._vectors is None:
            return topic or bool(shared)
        cosine = float(self._vectors[one] @ self._vectors[other])
        return cosine >= (MIN_SIMILARITY if topic else SAME_TOPIC if shared else SAME_IDEA)

    def pairs(self, among: Sequence[int]) -> list[tuple[float, int, int]]:
        """The pairs of these quotes that say nearly the same, the most similar first."""
        found = self._by_words(among) if self._vectors is None else self._by_vectors(among)
        return sorted(found, key=lambda each: (-each[0], each[1], each[2]))

    def _by_words(self, among: Sequence[int]) -> list[tuple[float, int, int]]:
        holders: dict[str, list[int]] = defaultdict(list)
        for at in among:
            for word in self._stems[at]:
                holders[word].append(at)
        near = {
            (a, b)
            for those in holders.values()
            if len(those) <= MAX_WORD_HOLDERS
            for a in those
            for b in those
            if a < b
        }
        return [(score, a, b) for a, b in near if (score := self._shared(a, b)) >= SHARED_WORDS]

    def _shared(self, one: int, other: int) -> float:
        both, either = self._stems[one] & self._stems[other], self._stems[one] | self._stems[other]
        return len(both) / len(either) if len(both) > 1 else 0.0

    def _by_vectors(self, among: Sequence[int]) -> list[tuple[float, int, int]]:
        import numpy as np

        if self._vectors is None or not among:
            return []
        rows = self._vectors[np.asarray(among)]
        found: list[tuple[float, int, int]] = []
        for start in range(0, len(among), _BLOCK):
            cosines = rows[start : start + _BLOCK] @ rows.T
            for row, column in np.argwhere(cosines >= SAME_IDEA).tolist():
                one, other = among[start + row], among[column]
                if one < other and (cosines[row, column] >= SURELY_SAME or self._stems[one] & self._stems[other]):
                    found.append((float(cosines[row, column]), one, other))
        return found


MAX_CONCEPTS_OF_A_QUOTE = 2
THEME_SHARE = 0.08
MIN_THEME_QUOTES = 4
PHRASE_WORTH = 1.4
MIN_GROUP = 2


@dataclass(frozen=True)
class QuoteGroup:
    """Quotes (by position) that share one idea, the best first, and why."""

    title: str
    members: tuple[int, ...]
    reasons: Mapping[int, tuple[str, float]]
    key: tuple[str, ...] = ()


@dataclass(frozen=True)
class SharedTerm:
    """A phrase that several quotes share: how it is written, and the quotes that define it."""

    key: tuple[str, ...]
    text: str
    definers: tuple[int, ...] = ()


class BookQuotes:
    """The analysed quotes of a book, and which of them contain a word or a phrase."""

    def __init__(self, readings: Sequence[QuoteAnalysis], avoided: AvoidedWords, nearness: QuoteSimilarity) -> None:
        self.readings = readings
        self.avoided = avoided
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
        """How rare a word is in this book."""
        return log((1 + len(self.readings)) / (1 + len(self.holders.get(word, ())))) + 1

    def recurrence(self, phrase: Phrase) -> float:
        """How much it says for a phrase that the book comes back to it; a word that is everywhere says too little."""
        holding = max((len(self.holders.get(word, ())) for word in phrase.key), default=0)
        if len(phrase.key) == 1 and holding > self.theme:
            return -0.5
        return 0.2 * min(max(holding - 1, 0), 3)

    @property
    def theme(self) -> float:
        """In how many quotes a word is that the whole book is about."""
        return max(MIN_THEME_QUOTES, THEME_SHARE * len(self.readings))

    def holding(self, key: tuple[str, ...]) -> list[int]:
        """The quotes with a sentence that holds all the words of a phrase."""
        rarest = min(key, key=lambda word: len(self.holders.get(word, ())))
        wanted = set(key)
        return [
            at for at in self.holders.get(rarest, ()) if any(wanted <= line.stems for line in self.readings[at].lines)
        ]


def _topics(reading: QuoteAnalysis) -> Iterable[str]:
    for line in reading.lines:
        if line.defines:
            yield from line.defines.key
        for phrase in line.phrases:
            if phrase.subject:
                yield from phrase.key


def group_quotes(book: BookQuotes) -> list[QuoteGroup]:
    """The groups of two or more quotes that share a term, the most specific first."""
    found: list[QuoteGroup] = []
    held: dict[int, list[frozenset[int]]] = defaultdict(list)
    for term in sorted(_terms(book), key=lambda each: _order(each, book)):
        members = [at for at in _members(term, book) if len(held[at]) < MAX_CONCEPTS_OF_A_QUOTE]
        if len(members) < MIN_GROUP or any(each.issuperset(members) for each in held[members[0]]):
            continue
        for at in members:
            held[at].append(frozenset(members))
        found.append(_group(term, members))
    return found


def _order(term: SharedTerm, book: BookQuotes) -> tuple[float, tuple[str, ...]]:
    holding = len(book.holding(term.key))
    told = sum(book.rarity(word) for word in term.key) * log(1 + holding) + 4 * bool(term.definers)
    return (-told, term.key)


def _group(term: SharedTerm, members: list[int]) -> QuoteGroup:
    lead = next((at for at in term.definers if at in members), members[0])
    shown = " ".join(each.word for each in tokenize(term.text))
    reasons = {at: (f"says more about it: shares “{shown}”", 0.65 if len(term.key) > 1 else 0.5) for at in members}
    reasons |= {at: ("defines it", 0.8) for at in term.definers if at in reasons}
    return QuoteGroup(as_title(term.text), (lead, *(at for at in members if at != lead)), reasons, term.key)


def _terms(book: BookQuotes) -> list[SharedTerm]:
    """What is defined, what readers named, and the phrases and topics that come back."""
    texts: dict[tuple[str, ...], str] = {}
    definers: dict[tuple[str, ...], list[int]] = defaultdict(list)
    seen: dict[tuple[str, ...], int] = {}
    repeated: set[tuple[str, ...]] = set()
    for at, reading in enumerate(book.readings):
        for key, text, strict in _candidates(reading, book.avoided):
            texts.setdefault(key, text)
            if strict and at not in definers[key]:
                texts[key] = texts[key] if len(definers[key]) else text
                definers[key].append(at)
            if seen.setdefault(key, at) != at:
                repeated.add(key)
    wanted = repeated | {key for key, those in definers.items() if those}
    return [SharedTerm(key, texts[key], tuple(definers[key])) for key in sorted(wanted)]


def _candidates(reading: QuoteAnalysis, avoided: AvoidedWords) -> Iterable[tuple[tuple[str, ...], str, bool]]:
    if reading.name:
        told = (each.word for each in tokenize(reading.name) if reading.lexicon.is_content(each.word))
        named = tuple(stem_word(word, reading.lexicon) for word in told)
        yield named, reading.name, True
    for line in reading.lines:
        if line.defines and not set(line.defines.key) <= avoided.stems:
            yield line.defines.key, line.defines.term, line.defines.strict
        for phrase in line.phrases:
            if _can_be_shared(phrase, reading.lexicon) and not avoided.has(phrase):
                yield phrase.key, with_article(phrase, reading.lexicon), False


def _can_be_shared(phrase: Phrase, lexicon: Lexicon) -> bool:
    if len(phrase.key) > 1:
        return phrase.score >= PHRASE_WORTH
    return phrase.score >= 1 and not phrase.words[0].endswith(lexicon.infinitives or ("ing",))


def _members(term: SharedTerm, book: BookQuotes) -> list[int]:
    holding = book.holding(term.key)
    if len(term.key) > 1:
        return sorted({*holding, *term.definers})
    word = term.key[0]
    if len(holding) > book.theme:
        return list(term.definers)
    about = [at for at in holding if word in book.topics[at]]
    lead = term.definers[0] if term.definers else (about or [-1])[0]
    if lead < 0:
        return []
    close = [at for at in holding if at != lead and at not in term.definers]
    kept = [at for at in close if book.nearness.agree(lead, at, apart=word, topic=bool(term.definers) and at in about)]
    return sorted({lead, *term.definers, *kept})


CONCEPT_SUMMARY_WORDS = 100
CONCEPT_SHORT_WORDS = 30


def extract_rule(embed: Embed) -> Rule:
    """The rule that drafts concepts; `embed` gives the unit vectors of texts, or `None` where there is no embedder."""

    def extract(given: ExtractInput, _tools: Sequence[Tool]) -> ExtractOutput:
        return draft_concepts(given, embed)

    return extract


def draft_concepts(given: ExtractInput, embed: Embed) -> ExtractOutput:
    """Draft concepts from quotes, in the order of their best quotes."""
    readings = analyse_quotes(given.quotes, given.language)
    book = BookQuotes(readings, find_avoided_words(given.author, readings), QuoteSimilarity(readings, embed))
    shared = group_quotes(book)
    found = _merged([*shared, *_further(book, shared), *_alike(book, shared)], readings)
    carrying = {readings[at].key for group in found for at in group.members}
    return ExtractOutput(
        concepts=tuple(_concept(group, readings) for group in sorted(found, key=lambda each: each.members[0])),
        unattributed_quotes=tuple(quote.key for quote in given.quotes if quote.key not in carrying),
    )


def _further(book: BookQuotes, shared: Iterable[QuoteGroup]) -> Iterable[QuoteGroup]:
    """What a quote defines besides the idea that it shares with others."""
    covered: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for group in shared:
        for at in group.members:
            covered[at].add(group.key)
    for at, keys in covered.items():
        for line in book.readings[at].lines:
            if line.defines and line.defines.strict and not _is_among(line.defines.key, keys):
                yield QuoteGroup(as_title(line.defines.term), (at,), {at: ("defines it", 0.7)}, line.defines.key)


def _is_among(key: tuple[str, ...], others: Iterable[tuple[str, ...]]) -> bool:
    return any(set(key) <= set(other) or set(other) <= set(key) for other in others)


def _alike(book: BookQuotes, shared: Iterable[QuoteGroup]) -> Iterable[QuoteGroup]:
    """The quotes that share no term: those that say nearly the same together, the others each on its own."""
    carrying = {at for group in shared for at in group.members}
    alone = [at for at in range(len(book.readings)) if at not in carrying]
    taken = {_title_key(group.title, book.readings[group.members[0]].lexicon): group.members[0] for group in shared}
    leads: dict[int, int] = {}
    nearest: dict[int, float] = {}
    for score, one, other in book.nearness.pairs(alone):
        lead = leads.get(one, one)
        if other not in leads and other not in leads.values() and lead == one:
            leads[one], leads[other], nearest[other] = one, one, score
    together: dict[int, list[int]] = defaultdict(list)
    for at in alone:
        together[leads.get(at, at)].append(at)
    for lead, members in together.items():
        reasons = {at: ("says nearly the same", round(min(nearest.get(at, 0.6), 0.95), 2)) for at in members}
        defines = book.readings[lead].best().defines
        strict = defines is not None and defines.strict
        reasons[lead] = ("defines it", 0.8) if strict else ("says it in its own words", 0.6)
        title = _free_title(book, lead, taken)
        taken.setdefault(_title_key(title, book.readings[lead].lexicon), lead)
        yield QuoteGroup(title, (lead, *(at for at in members if at != lead)), reasons)


def _free_title(book: BookQuotes, lead: int, taken: Mapping[tuple[str, ...], int]) -> str:
    """The best title of a quote that no other idea has: two quotes of one title are one concept."""
    reading = book.readings[lead]
    *better, last = reading.titles(book.avoided, book.recurrence)
    for title in better:
        key = _title_key(title, reading.lexicon)
        other = taken.get(key)
        if other is None or book.nearness.agree(other, lead, apart=key[0], topic=True):
            return title
    return last


def _title_key(title: str, lexicon: Lexicon) -> tuple[str, ...]:
    return tuple(stem_word(word, lexicon) for word in words(title)) or (title,)


def _merged(found: Iterable[QuoteGroup], readings: Sequence[QuoteAnalysis]) -> list[QuoteGroup]:
    """The groups, with those of the same title joined."""
    by_title: dict[tuple[str, ...], QuoteGroup] = {}
    for group in found:
        lexicon = readings[group.members[0]].lexicon
        key = _title_key(group.title, lexicon)
        known = by_title.get(key)
        if known is None:
            by_title[key] = group
            continue
        members = (*known.members, *(at for at in group.members if at not in known.members))
        by_title[key] = QuoteGroup(known.title, members, {**group.reasons, **known.reasons}, known.key)
    return list(by_title.values())


def _concept(group: QuoteGroup, readings: Sequence[QuoteAnalysis]) -> DraftConcept:
    lead = readings[group.members[0]]
    said = _saying(group, lead)
    lines = [line.text for at in group.members for line in readings[at].lines]
    first = lines.index(said.text)
    ranked = [first, *(at for at in range(len(lines)) if at != first)]
    return DraftConcept(
        title=group.title,
        concept=_whole(said, lead),
        summary=excerpt(lines, ranked, CONCEPT_SUMMARY_WORDS),
        summary_short=excerpt(lines, ranked, CONCEPT_SHORT_WORDS),
        quotes=tuple(
            DraftSupport(quote=readings[at].key, reasoning=group.reasons[at][0], confidence=group.reasons[at][1])
            for at in group.members
        ),
    )


def _saying(group: QuoteGroup, lead: QuoteAnalysis) -> QuoteSentence:
    """The sentence that says the idea best: the one that defines it, or that holds what the quotes share."""
    wanted = set(group.key)
    if not wanted:
        return lead.best()
    defining = [line for line in lead.lines if line.defines and wanted <= set(line.defines.key)]
    holding = [line for line in lead.lines if wanted <= line.stems]
    return (defining or holding or [lead.best()])[0]


def _whole(line: QuoteSentence, reading: QuoteAnalysis) -> str:
    """A sentence; with the one before it if it starts with a reference (“This …”, “Eso …”)."""
    at = reading.lines.index(line)
    first = next(iter(words(line.text)), "").lower()
    points = first in reading.lexicon.pronouns or first in reading.lexicon.conjunctions
    return f"{reading.lines[at - 1].text} {line.text}" if at and points else line.text
