"""The curriculum of a vault: in which order to learn its notes, what its topics hold, and where it has gaps.

What many notes rest on comes first, and topics take turns: a note comes after every note it links to that is more
central than it.
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
"""The fields of the frontmatter that name other notes."""

# Every part is bounded, so that a line full of half-written links costs no more than any other.
_LINK = re.compile(
    r"\[\[(?P<wiki>[^\[\]\n]{1,500})\]\]"
    r"|\[[^\[\]\n]{0,500}\]\((?:<(?P<angled>[^<>\n]{1,500})>|(?P<plain>[^()\s]{1,500}))(?:\s[^()\n]{0,200})?\)"
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
_BRACKETS = re.compile(r"\[\[([^\[\]]+)\]\]")


@dataclass(frozen=True)
class NoteLink:
    """A link as it stands in a note: where it leads, the line it is on, and the frontmatter's field that names it."""

    target: str
    line: int | None = None
    field: str = ""


def body_links(text: str) -> Iterator[NoteLink]:
    """The links into the vault that a text holds, not those in code and comments."""
    if "[[" not in text and "](" not in text:
        return
    lines = text.splitlines()
    for number, (line, shown) in enumerate(zip(lines, masked_lines(lines), strict=True), 1):
        for link in _LINK.finditer(line) if "](" in line or "[[" in line else ():
            if shown[link.start()] != MASK and (target := _target(link)):
                yield NoteLink(target, number)


def frontmatter_links(frontmatter: Mapping[str, Any]) -> Iterator[NoteLink]:
    """The notes that the frontmatter names, with or without brackets."""
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
    """The part of a link that names a file; of one within the note, nothing."""
    return target.partition("|")[0].partition("#")[0].strip()


def _names(value: Any) -> Iterable[str]:
    """Whatever people write where a list of notes belongs; `[[a]]` without quotes is a list in a list for YAML."""
    if isinstance(value, str):
        return [value] if "[[" in value else [part.strip() for part in value.split(",")]
    if isinstance(value, list):
        return [name for each in value for name in _names(each)]
    return []


@dataclass(frozen=True)
class StudyNote:
    """A note, the notes it links to (each with its first link), the links that lead nowhere, and how many cards."""

    name: str
    frontmatter: Mapping[str, Any] = field(default_factory=dict)
    tags: Sequence[str] = ()
    links: Mapping[str, NoteLink] = field(default_factory=dict)
    missing: Sequence[NoteLink] = ()
    cards: int = 0

    @property
    def title(self) -> str:
        """What the note is called."""
        return str(self.frontmatter.get("title") or PurePosixPath(self.name).stem)


class Topic(Value):
    """A topic, a subtopic or a tag: how many notes are about it, and how many cards they hold."""

    name: str
    notes: int
    cards: int


def topics_of(frontmatter: Mapping[str, Any], tags: Sequence[str]) -> list[str]:
    """All that a note says it is about, the widest first, each once."""
    named = [*_words(frontmatter.get("topic")), *_words(frontmatter.get("subtopics")), *tags]
    spelled: dict[str, str] = {}
    for name in named:
        spelled.setdefault(name.casefold(), name)
    return list(spelled.values())


def main_topic(name: str, frontmatter: Mapping[str, Any], tags: Sequence[str]) -> str:
    """The one topic that a note is counted under: what it says first, or else its folder."""
    said = topics_of(frontmatter, tags)
    return said[0].partition("::")[0].casefold() if said else name.rpartition("/")[0]


def topics_with_cards(notes: Iterable[tuple[Sequence[str], int]]) -> tuple[Topic, ...]:
    """The topics of these notes, given with the number of their cards; those of most notes first."""
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
"""A topic with fewer cards a note has few."""
HUB_LINKS = 3
"""So many notes link to a hub, at the least."""
_SOME = 2  # a topic of one note has no gap that the note itself does not have


def find_gaps(
    notes: Sequence[StudyNote], ranks: Mapping[str, float], linked_from: Mapping[str, int], topics: Sequence[Topic]
) -> list[Finding]:
    """What is missing, the worst first."""
    central = sorted(notes, key=lambda note: (-ranks[note.name], note.name))
    found = [*_thin_topics(topics), *_unwritten(notes), *_without_cards(central, linked_from, _maps(notes))]
    return sorted(found, key=lambda finding: finding.severity is Severity.INFO)


def _thin_topics(topics: Sequence[Topic]) -> Iterator[Finding]:
    for topic in topics:
        if topic.notes >= _SOME and topic.cards < topic.notes * FEW_CARDS:
            has = "no cards" if not topic.cards else "1 card" if topic.cards == 1 else f"{topic.cards} cards"
            severity = Severity.INFO if topic.cards else Severity.WARNING
            message = f"The topic “{topic.name}” has {has} in {topic.notes} notes."
            yield Finding(code="curriculum.thin_topic", severity=severity, message=message)


def _unwritten(notes: Sequence[StudyNote]) -> Iterator[Finding]:
    """Notes that do not exist though others link to them, those that most link to first."""
    asking: dict[str, list[tuple[StudyNote, NoteLink]]] = defaultdict(list)
    for note in notes:
        for target, link in {_key(link.target): link for link in reversed(note.missing)}.items():
            asking[target].append((note, link))
    for wanted in sorted(asking.values(), key=lambda found: (-len(found), found[0][1].target)):
        note, link = wanted[0]
        often = f"{len(wanted)} notes link" if len(wanted) > 1 else "This note links"
        message = f"{often} to “{link.target}”, which does not exist."
        severity = Severity.WARNING if len(wanted) >= HUB_LINKS else Severity.INFO
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
            message = f"“{note.title}” is linked with other notes, and has no cards."
            yield Finding(code="curriculum.no_cards", severity=Severity.INFO, message=message, where=where)


def _maps(notes: Sequence[StudyNote]) -> set[str]:
    """Maps of content: they lead to what is to be learnt, and need no cards."""
    named = {name for note in notes for name, link in note.links.items() if link.field == "moc"}
    return named | {note.name for note in notes if PurePosixPath(note.name).stem.casefold().startswith("moc")}


def _key(target: str) -> str:
    return target.casefold().removesuffix(".md")


DAMPING = 0.85
TOLERANCE = 1e-6
MAX_ROUNDS = 100


def page_rank(links: Mapping[str, Collection[str]]) -> dict[str, float]:
    """The rank of each note, 1 on average: a note is central if central notes that link to little else link to it.

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
    """Each note passes its rank on to those it links to; one without links passes it on to all."""
    idle = sum(rank for rank, others in zip(ranks, leads, strict=True) if not others)
    fresh = [1 - DAMPING + DAMPING * idle / len(ranks)] * len(ranks)
    for rank, others in zip(ranks, leads, strict=True):
        if others:
            share = DAMPING * rank / len(others)
            for other in others:
                fresh[other] += share
    return fresh


class Lesson(Value):
    """A note's place in the learning order; a `centrality` of 1 is the average."""

    place: int
    note: str
    title: str
    topic: str
    centrality: float
    linked_from: int
    cards: int


class Curriculum(Value):
    """The notes in the order to learn them, the topics they are about, and what is missing."""

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
    """The topics in turn, the most central note of each first, and before a note whatever more central it rests on."""
    standing = {name: at for at, name in enumerate(sorted(links, key=lambda name: (-ranks[name], name)))}
    placed: set[str] = set()
    for next_name in _taking_turns(standing, topic):
        waiting = [next_name]
        while waiting:
            name = waiting[-1]
            before = [other for other in links[name] if other not in placed and standing[other] < standing[name]]
            if before and name not in placed:
                waiting.append(min(before, key=standing.__getitem__))
                continue
            waiting.pop()
            if name not in placed:
                placed.add(name)
                yield name


def _taking_turns(standing: Iterable[str], topic: Mapping[str, str]) -> list[str]:
    """The notes so that each topic is spread evenly over the whole, whatever its size."""
    sizes, taken = Counter(topic.values()), Counter[str]()
    when = {}
    for name in standing:
        taken[topic[name]] += 1
        when[name] = (taken[topic[name]] - 0.5) / sizes[topic[name]]
    return sorted(when, key=when.__getitem__)


ATTACHMENT_SUFFIXES = IMAGES | PLAYABLE | {"base", "canvas", "csv", "docx", "epub", "pdf", "pptx", "xlsx", "zip"}


def vault_curriculum(root: Path, ignore: Sequence[str]) -> Curriculum:
    """The curriculum of all notes under a folder."""
    documents, signpost = DocumentCache(), _LinkResolver(Vault.of(root, root.name))
    notes = [load_note(documents, file) for file in scan_vault(root, ignore, known={}, stamp="").changed]
    return build_curriculum([_study_note(note.parsed, documents, signpost) for note in notes if note.parsed])


class _LinkResolver:
    """Says where links lead; links of one folder to the same name lead to the same file, which is looked up once."""

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
        """Whether a link that leads nowhere asks for a note, and not for a picture or for what lies elsewhere."""
        return suffix_of(target) not in ATTACHMENT_SUFFIXES and not self._vault.leads_outside(target, note)


def _study_note(note: ParsedNote, documents: DocumentCache, signpost: _LinkResolver) -> StudyNote:
    name = note.slug
    links: dict[str, NoteLink] = {}
    missing = []
    for link in chain(frontmatter_links(note.frontmatter), body_links(documents.document(name).text)):
        file = signpost.file(link.target, name)
        if file is None and signpost.is_unwritten(link.target, name):
            missing.append(link)
        elif file and file.endswith(".md"):
            links.setdefault(file, link)
    return StudyNote(name, note.frontmatter, note.tags, links, missing, len(note.cards))
