"""The curriculum of a vault: the order in which to learn its notes, its topics, and its gaps.

Notes that many others link to come first, and topics take turns. A note comes after the more central notes it links to.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from studium.anki.media import IMAGES, PLAYABLE, suffix_of
from studium.cards.notes import ParsedNote
from studium.cards.notes.masking import MASK, masked_lines
from studium.cards.sync.scan import load_note, scan_vault
from studium.core.documents.registry import DocumentCache
from studium.core.documents.vault import Vault
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.domain.value import Value

LINK_FIELDS = ("related", "moc")
"""The frontmatter fields that link to other notes."""

# Every part is bounded, so that a line full of broken links is not slow.
_LINK = re.compile(
    r"\[\[(?P<wiki>[^\[\]\n]{1,500})\]\]"
    r"|\[[^\[\]\n]{0,500}\]\((?:<(?P<angled>[^<>\n]{1,500})>|(?P<plain>[^()\s]{1,500}))(?:\s[^()\n]{0,200})?\)"
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
_BRACKETS = re.compile(r"\[\[([^\[\]]+)\]\]")


@dataclass(frozen=True)
class NoteLink:
    """A link in a note: its target, its line, and the frontmatter field it is in."""

    target: str
    line: int | None = None
    field: str = ""


def body_links(text: str) -> Iterator[NoteLink]:
    """The links of a text into the vault, without those in code and comments."""
    if "[[" not in text and "](" not in text:
        return
    lines = text.splitlines()
    for number, (line, shown) in enumerate(zip(lines, masked_lines(lines), strict=True), 1):
        for link in _LINK.finditer(line) if "](" in line or "[[" in line else ():
            if shown[link.start()] != MASK and (target := _target(link)):
                yield NoteLink(target, number)


def frontmatter_links(frontmatter: Mapping[str, Any]) -> Iterator[NoteLink]:
    """The links of the frontmatter, with or without brackets."""
    for key in LINK_FIELDS:
        for name in _names(frontmatter.get(key)):
            bracketed = _BRACKETS.search(name)
            if target := _path(bracketed[1] if bracketed else name):
                yield NoteLink(target, field=key)


def _target(link: re.Match[str]) -> str:
    if link["wiki"]:
        return _path(link["wiki"])
    address = link["angled"] or link["plain"]
    return "" if _SCHEME.match(address) else _path(unquote(address))


def _path(target: str) -> str:
    """The file that a link names; empty for a link inside the note."""
    return target.partition("|")[0].partition("#")[0].strip()


def _names(value: Any) -> Iterable[str]:
    """The names in a field, however people write the list; YAML reads `[[a]]` as a nested list."""
    if isinstance(value, str):
        return [value] if "[[" in value else [part.strip() for part in value.split(",")]
    if isinstance(value, list):
        return [name for each in value for name in _names(each)]
    return []


@dataclass(frozen=True)
class StudyNote:
    """A note, the notes it links to (each with its first link), its broken links, and its number of cards."""

    name: str
    frontmatter: Mapping[str, Any] = field(default_factory=dict)
    tags: Sequence[str] = ()
    links: Mapping[str, NoteLink] = field(default_factory=dict)
    missing: Sequence[NoteLink] = ()
    cards: int = 0

    @property
    def title(self) -> str:
        """The title of the note."""
        return str(self.frontmatter.get("title") or PurePosixPath(self.name).stem)


class Topic(Value):
    """A topic, subtopic or tag, with its numbers of notes and cards."""

    name: str
    notes: int
    cards: int


def topics_of(frontmatter: Mapping[str, Any], tags: Sequence[str]) -> list[str]:
    """The topics of a note, the widest first, each once."""
    named = [*_words(frontmatter.get("topic")), *_words(frontmatter.get("subtopics")), *tags]
    spelled: dict[str, str] = {}
    for name in named:
        spelled.setdefault(name.casefold(), name)
    return list(spelled.values())


def main_topic(name: str, frontmatter: Mapping[str, Any], tags: Sequence[str]) -> str:
    """The main topic of a note: its first topic, or its folder."""
    said = topics_of(frontmatter, tags)
    return said[0].partition("::")[0].casefold() if said else name.rpartition("/")[0]


def topics_with_cards(notes: Iterable[tuple[Sequence[str], int]]) -> tuple[Topic, ...]:
    """The topics of these notes with their numbers of cards, the most frequent first."""
    found: dict[str, tuple[str, int, int]] = {}
    for topics, cards in notes:
        for name in topics:
            spelled, noted, counted = found.get(name.casefold(), (name, 0, 0))
            found[name.casefold()] = (spelled, noted + 1, counted + cards)
    ordered = sorted(found.values(), key=lambda topic: (-topic[1], topic[0]))
    return tuple(Topic(name=name, notes=noted, cards=cards) for name, noted, cards in ordered)


def _words(value: Any) -> Iterator[str]:
    for each in value if isinstance(value, list) else str(value or "").split(","):
        if isinstance(each, str | int | float) and (word := str(each).strip()):
            yield word


FEW_CARDS = 0.5
"""A topic with fewer cards per note than this is a gap."""
HUB_LINKS = 3
"""At least this many notes link to a hub."""
_MIN_NOTES = 2  # the gap of a topic with one note is the gap of that note


def find_gaps(
    notes: Sequence[StudyNote], ranks: Mapping[str, float], linked_from: Mapping[str, int], topics: Sequence[Topic]
) -> list[Finding]:
    """The gaps, the worst first."""
    central = sorted(notes, key=lambda note: (-ranks[note.name], note.name))
    found = [*_thin_topics(topics), *_unwritten(notes), *_without_cards(central, linked_from, _maps(notes))]
    return sorted(found, key=lambda finding: finding.severity is Severity.INFO)


def _thin_topics(topics: Sequence[Topic]) -> Iterator[Finding]:
    for topic in topics:
        if topic.notes >= _MIN_NOTES and topic.cards < topic.notes * FEW_CARDS:
            has = "no cards" if not topic.cards else "1 card" if topic.cards == 1 else f"{topic.cards} cards"
            severity = Severity.INFO if topic.cards else Severity.WARNING
            message = f"The topic “{topic.name}” has {has} in {topic.notes} notes."
            yield Finding(code="curriculum.thin_topic", severity=severity, message=message)


def _unwritten(notes: Sequence[StudyNote]) -> Iterator[Finding]:
    """Notes that do not exist but are linked to, the most linked first."""
    links: dict[str, list[tuple[StudyNote, NoteLink]]] = defaultdict(list)
    for note in notes:
        for target, link in {_key(link.target): link for link in reversed(note.missing)}.items():
            links[target].append((note, link))
    for found in sorted(links.values(), key=lambda each: (-len(each), each[0][1].target)):
        note, link = found[0]
        often = f"{len(found)} notes link" if len(found) > 1 else "This note links"
        message = f"{often} to “{link.target}”, which does not exist."
        severity = Severity.WARNING if len(found) >= HUB_LINKS else Severity.INFO
        where = Locator(path=note.name, line=link.line)
        yield Finding(code="curriculum.missing_note", severity=severity, message=message, where=where)


def _without_cards(notes: Sequence[StudyNote], linked_from: Mapping[str, int], maps: set[str]) -> Iterator[Finding]:
    for note in notes:
        incoming = linked_from[note.name]
        if note.cards or note.name in maps or not (incoming or note.links):
            continue
        where = Locator(path=note.name)
        if incoming >= HUB_LINKS:
            message = f"{incoming} notes link to “{note.title}”, and it has no cards."
            yield Finding(code="curriculum.hub_without_cards", severity=Severity.WARNING, message=message, where=where)
        else:
            message = f"“{note.title}” is linked to other notes, and has no cards."
            yield Finding(code="curriculum.no_cards", severity=Severity.INFO, message=message, where=where)


def _maps(notes: Sequence[StudyNote]) -> set[str]:
    """Maps of content, which only link to other notes and need no cards."""
    named = {name for note in notes for name, link in note.links.items() if link.field == "moc"}
    return named | {note.name for note in notes if PurePosixPath(note.name).stem.casefold().startswith("moc")}


def _key(target: str) -> str:
    return target.casefold().removesuffix(".md")


DAMPING = 0.85
TOLERANCE = 1e-6
MAX_ROUNDS = 100


def page_rank(links: Mapping[str, Collection[str]]) -> dict[str, float]:
    """The PageRank of each note, 1 on average: a note is central if central notes with few links link to it.

    >>> {name: round(rank, 2) for name, rank in page_rank({"a": ["c"], "b": ["c"], "c": []}).items()}
    {'a': 0.64, 'b': 0.64, 'c': 1.72}
    """
    names = list(links)
    place = {name: at for at, name in enumerate(names)}
    leads = [[place[other] for other in links[name]] for name in names]
    ranks = [1.0] * len(names)
    for _ in range(MAX_ROUNDS):
        fresh = _round(leads, ranks)
        moved = sum(abs(new - old) for new, old in zip(fresh, ranks, strict=True))
        ranks = fresh
        if moved <= TOLERANCE * len(names):
            break
    return dict(zip(names, ranks, strict=True))


def _round(leads: list[list[int]], ranks: list[float]) -> list[float]:
    """One iteration: each note shares its rank among the notes it links to, or among all if it links to none."""
    idle = sum(rank for rank, others in zip(ranks, leads, strict=True) if not others)
    fresh = [1 - DAMPING + DAMPING * idle / max(len(ranks), 1)] * len(ranks)
    for rank, others in zip(ranks, leads, strict=True):
        if others:
            share = DAMPING * rank / len(others)
            for other in others:
                fresh[other] += share
    return fresh


class Lesson(Value):
    """A note and its place in the learning order; a `centrality` of 1 is the average."""

    place: int
    note: str
    title: str
    topic: str
    centrality: float
    linked_from: int
    cards: int


class Curriculum(Value):
    """The notes in learning order, their topics, and the gaps."""

    order: tuple[Lesson, ...]
    topics: tuple[Topic, ...]
    gaps: tuple[Finding, ...]


def build_curriculum(notes: Sequence[StudyNote]) -> Curriculum:
    """Order the notes of a vault and find its gaps."""
    known = {note.name: note for note in notes}
    links = {note.name: [name for name in note.links if name in known and name != note.name] for note in notes}
    ranks = page_rank(links)
    linked_from = Counter(name for others in links.values() for name in others)
    topic = {note.name: main_topic(note.name, note.frontmatter, note.tags) for note in notes}
    topics = topics_with_cards((topics_of(note.frontmatter, note.tags), note.cards) for note in notes)
    order = [
        Lesson(
            place=place,
            note=name,
            title=known[name].title,
            topic=topic[name],
            centrality=round(ranks[name], 2),
            linked_from=linked_from[name],
            cards=known[name].cards,
        )
        for place, name in enumerate(learning_order(links, ranks, topic), 1)
    ]
    return Curriculum(order=tuple(order), topics=topics, gaps=tuple(find_gaps(notes, ranks, linked_from, topics)))


def learning_order(
    links: Mapping[str, Collection[str]], ranks: Mapping[str, float], topic: Mapping[str, str]
) -> Iterator[str]:
    """Take topics in turn, the most central note first, and before each note the more central notes it links to."""
    ranking = {name: at for at, name in enumerate(sorted(links, key=lambda name: (-ranks[name], name)))}
    placed: set[str] = set()
    for next_name in _taking_turns(ranking, topic):
        waiting = [next_name]
        while waiting:
            name = waiting[-1]
            before = [other for other in links[name] if other not in placed and ranking[other] < ranking[name]]
            if before and name not in placed:
                waiting.append(min(before, key=ranking.__getitem__))
                continue
            waiting.pop()
            if name not in placed:
                placed.add(name)
                yield name


def _taking_turns(names: Iterable[str], topic: Mapping[str, str]) -> list[str]:
    """Order the notes so that each topic is spread evenly, whatever its size."""
    sizes, taken = Counter(topic.values()), Counter[str]()
    when = {}
    for name in names:
        taken[topic[name]] += 1
        when[name] = (taken[topic[name]] - 0.5) / sizes[topic[name]]
    return sorted(when, key=when.__getitem__)


ATTACHMENT_SUFFIXES = IMAGES | PLAYABLE | {"base", "canvas", "csv", "docx", "epub", "pdf", "pptx", "xlsx", "zip"}


def vault_curriculum(root: Path, ignore: Sequence[str]) -> Curriculum:
    """The curriculum of all notes under a folder."""
    documents, resolver = DocumentCache(), _LinkResolver(Vault.of(root, root.name))
    notes = [load_note(documents, file) for file in scan_vault(root, ignore, known={}, stamp="").changed]
    return build_curriculum([_study_note(note.parsed, documents, resolver) for note in notes if note.parsed])


class _LinkResolver:
    """Resolves links; equal links from one folder lead to the same file, so each is looked up once."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._known: dict[tuple[str, str], str | None] = {}

    def file(self, target: str, note: str) -> str | None:
        """The file that a link in a note leads to."""
        key = (note.rpartition("/")[0], target)
        if key not in self._known:
            self._known[key] = self._vault.resolve(target, note)
        return self._known[key]

    def is_unwritten(self, target: str, note: str) -> bool:
        """Whether a broken link is to a note of this vault, not to an attachment or something outside."""
        return suffix_of(target) not in ATTACHMENT_SUFFIXES and not self._vault.leads_outside(target, note)


def _study_note(note: ParsedNote, documents: DocumentCache, resolver: _LinkResolver) -> StudyNote:
    name = note.slug
    links: dict[str, NoteLink] = {}
    missing = []
    for link in chain(frontmatter_links(note.frontmatter), body_links(documents.document(name).text)):
        file = resolver.file(link.target, name)
        if file is None and resolver.is_unwritten(link.target, name):
            missing.append(link)
        elif file and file.endswith(".md"):
            links.setdefault(file, link)
    return StudyNote(name, note.frontmatter, note.tags, links, missing, len(note.cards))
