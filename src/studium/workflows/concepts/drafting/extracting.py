"""Drafting the concepts of a book from its quotes, by rules: nothing is invented, everything stands in a quote."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule
from studium.workflows.concepts.desk import Embed
from studium.workflows.concepts.drafting.excerpts import excerpt
from studium.workflows.concepts.drafting.grouping import Group, Shelf, groups
from studium.workflows.concepts.drafting.nearness import Nearness
from studium.workflows.concepts.drafting.phrases import stem
from studium.workflows.concepts.drafting.reading import Line, Reading, read, speakers
from studium.workflows.concepts.drafting.sentences import words
from studium.workflows.concepts.drafting.titles import titled
from studium.workflows.concepts.skills import BackingDrafted, ConceptDrafted, Extracted, ExtractGiven

SUMMARY_WORDS = 100
SHORT_WORDS = 30


def extract_rule(embed: Embed) -> Rule:
    """The rule that drafts concepts; `embed` gives the unit vectors of texts, or `None` where there is no embedder."""

    def extract(given: ExtractGiven, _tools: Sequence[Tool]) -> Extracted:
        return drafted(given, embed)

    return extract


def drafted(given: ExtractGiven, embed: Embed) -> Extracted:
    """The concepts that the quotes carry, in the order of the quotes that say them best."""
    readings = [said for quote in given.quotes if (said := read(quote, given.language))]
    shelf = Shelf(readings, speakers(given.author, readings), Nearness(readings, embed))
    shared = groups(shelf)
    found = _merged([*shared, *_further(shelf, shared), *_alike(shelf, shared)])
    carrying = {readings[at].key for group in found for at in group.members}
    return Extracted(
        concepts=tuple(_concept(group, readings) for group in sorted(found, key=lambda each: each.members[0])),
        unattributed_quotes=tuple(quote.key for quote in given.quotes if quote.key not in carrying),
    )


def _further(shelf: Shelf, shared: Iterable[Group]) -> Iterable[Group]:
    """What a quote defines besides the idea that it shares with others."""
    covered: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for group in shared:
        for at in group.members:
            covered[at].add(group.key)
    for at, keys in covered.items():
        for line in shelf.readings[at].lines:
            if line.defines and line.defines.strict and not _is_among(line.defines.key, keys):
                yield Group(titled(line.defines.term), (at,), {at: ("defines it", 0.7)}, line.defines.key)


def _is_among(key: tuple[str, ...], others: Iterable[tuple[str, ...]]) -> bool:
    return any(set(key) <= set(other) or set(other) <= set(key) for other in others)


def _alike(shelf: Shelf, shared: Iterable[Group]) -> Iterable[Group]:
    """The quotes that share no term: those that say nearly the same together, the others each on its own."""
    carrying = {at for group in shared for at in group.members}
    alone = [at for at in range(len(shelf.readings)) if at not in carrying]
    leads: dict[int, int] = {}
    nearest: dict[int, float] = {}
    for score, one, other in shelf.nearness.pairs(alone):
        lead = leads.get(one, one)
        if other not in leads and other not in leads.values() and lead == one:
            leads[one], leads[other], nearest[other] = one, one, score
    together: dict[int, list[int]] = defaultdict(list)
    for at in alone:
        together[leads.get(at, at)].append(at)
    for lead, members in together.items():
        reasons = {at: ("says nearly the same", round(min(nearest.get(at, 0.6), 0.95), 2)) for at in members}
        defines = shelf.readings[lead].best().defines
        strict = defines is not None and defines.strict
        reasons[lead] = ("defines it", 0.8) if strict else ("says it in its own words", 0.6)
        title = shelf.readings[lead].title(shelf.shunned)
        yield Group(title, (lead, *(at for at in members if at != lead)), reasons)


def _merged(found: Iterable[Group]) -> list[Group]:
    """The groups, with those of one title made one."""
    by_title: dict[tuple[str, ...], Group] = {}
    for group in found:
        key = tuple(stem(word) for word in words(group.title)) or (group.title,)
        known = by_title.get(key)
        if known is None:
            by_title[key] = group
            continue
        members = (*known.members, *(at for at in group.members if at not in known.members))
        by_title[key] = Group(known.title, members, {**group.reasons, **known.reasons}, known.key)
    return list(by_title.values())


def _concept(group: Group, readings: Sequence[Reading]) -> ConceptDrafted:
    lead = readings[group.members[0]]
    said = _saying(group, lead)
    lines = [line.text for at in group.members for line in readings[at].lines]
    first = lines.index(said.text)
    ranked = [first, *(at for at in range(len(lines)) if at != first)]
    return ConceptDrafted(
        title=group.title,
        concept=_whole(said, lead),
        summary=excerpt(lines, ranked, SUMMARY_WORDS),
        summary_short=excerpt(lines, ranked, SHORT_WORDS),
        quotes=tuple(
            BackingDrafted(quote=readings[at].key, reasoning=group.reasons[at][0], confidence=group.reasons[at][1])
            for at in group.members
        ),
    )


def _saying(group: Group, lead: Reading) -> Line:
    """The sentence that says the idea best: the one that defines it, or that holds what the quotes share."""
    wanted = set(group.key)
    if not wanted:
        return lead.best()
    defining = [line for line in lead.lines if line.defines and wanted <= set(line.defines.key)]
    holding = [line for line in lead.lines if wanted <= line.stems]
    return (defining or holding or [lead.best()])[0]


def _whole(line: Line, reading: Reading) -> str:
    """A sentence; with the one before it where it begins by pointing back (“This …”, “Eso …”)."""
    at = reading.lines.index(line)
    first = next(iter(words(line.text)), "").lower()
    points = first in reading.lexicon.pronouns or first in reading.lexicon.conjunctions
    return f"{reading.lines[at - 1].text} {line.text}" if at and points else line.text
