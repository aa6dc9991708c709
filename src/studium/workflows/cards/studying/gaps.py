"""The gaps of a vault: topics and notes without cards, and notes that are linked to and were never written."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from studium.core.domain.finding import Finding, Locator, Severity
from studium.workflows.cards.studying.links import Link
from studium.workflows.cards.studying.studynote import StudyNote
from studium.workflows.cards.studying.topics import Topic

FEW = 0.5
"""A topic with fewer cards a note has few."""
HUB = 3
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
        if topic.notes >= _SOME and topic.cards < topic.notes * FEW:
            has = "no cards" if not topic.cards else "1 card" if topic.cards == 1 else f"{topic.cards} cards"
            severity = Severity.INFO if topic.cards else Severity.WARNING
            message = f"The topic “{topic.name}” has {has} in {topic.notes} notes."
            yield Finding(code="curriculum.thin_topic", severity=severity, message=message)


def _unwritten(notes: Sequence[StudyNote]) -> Iterator[Finding]:
    """Notes that do not exist though others link to them, those that most link to first."""
    asking: dict[str, list[tuple[StudyNote, Link]]] = defaultdict(list)
    for note in notes:
        for target, link in {_key(link.target): link for link in reversed(note.missing)}.items():
            asking[target].append((note, link))
    for wanted in sorted(asking.values(), key=lambda found: (-len(found), found[0][1].target)):
        note, link = wanted[0]
        often = f"{len(wanted)} notes link" if len(wanted) > 1 else "This note links"
        message = f"{often} to “{link.target}”, which does not exist."
        severity = Severity.WARNING if len(wanted) >= HUB else Severity.INFO
        where = Locator(path=note.name, line=link.line)
        yield Finding(code="curriculum.missing_note", severity=severity, message=message, where=where)


def _without_cards(notes: Sequence[StudyNote], linked_from: Mapping[str, int], maps: set[str]) -> Iterator[Finding]:
    for note in notes:
        incoming = linked_from[note.name]
        if note.cards or note.name in maps or not (incoming or note.links):
            continue
        where = Locator(path=note.name)
        if incoming >= HUB:
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
