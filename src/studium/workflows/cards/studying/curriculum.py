"""The curriculum of a vault: in which order to learn its notes, what its topics hold, and where it has gaps.

What many notes rest on comes first, and topics take turns: a note comes after every note it links to that is more
central than it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from studium.core.domain.finding import Finding
from studium.core.domain.value import Value
from studium.workflows.cards.studying.centrality import centrality
from studium.workflows.cards.studying.gaps import find_gaps
from studium.workflows.cards.studying.studynote import StudyNote
from studium.workflows.cards.studying.topics import Topic, main_topic, topics_of, topics_with_cards


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


def curriculum(notes: Sequence[StudyNote]) -> Curriculum:
    """Order the notes of a vault and find its gaps."""
    known = {note.name: note for note in notes}
    links = {note.name: [name for name in note.links if name in known and name != note.name] for note in notes}
    ranks = centrality(links)
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
