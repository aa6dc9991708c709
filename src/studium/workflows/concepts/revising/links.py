"""Relations while concepts merge and part: kept as they were drawn, shown between the concepts that now stand.

Because a merge never rewrites what was drawn, taking it apart brings every relation back by itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from studium.workflows.concepts.proposal import Candidate, Link, Proposal


def identity(link: Link) -> tuple[str, str, str]:
    """What two links share that say the same: `c1 PART_OF c2` and `c2 HAS_PART c1` do."""
    return min(
        (link.source, link.target, link.type.value),
        (link.target, link.source, link.type.inverse.value),
    )


def whole(concepts: Iterable[Candidate]) -> Iterator[Candidate]:
    """The concepts, and all that was ever merged into them."""
    for each in concepts:
        yield each
        yield from whole(each.merged)


def holders(concepts: Sequence[Candidate]) -> dict[str, Candidate]:
    """For each concept that was merged, by key: the standing concept that it is part of now."""
    return {part.key: each for each in concepts for part in whole(each.merged)}


def moved(link: Link, holder: Mapping[str, Candidate]) -> Link:
    """The link between the concepts that now hold its ends; itself where both stand."""
    source, target = holder.get(link.source), holder.get(link.target)
    if source:
        link = link.model_copy(update={"source": source.key})
    if target:
        title = target.title if link.title else ""
        link = link.model_copy(update={"target": target.key, "title": title})
    return link


def shown(drawn: Sequence[Link], concepts: Sequence[Candidate]) -> tuple[Link, ...]:
    """The links as they stand: none of a concept with itself, and of those that say the same, the one not moved."""
    holder = holders(concepts)
    now = [moved(link, holder) for link in drawn]
    told = {identity(link) for link, stands in zip(drawn, now, strict=True) if stands is link}
    standing = []
    for link, stands in zip(drawn, now, strict=True):
        if stands is not link:
            if stands.source == stands.target or identity(stands) in told:
                continue
            told.add(identity(stands))
        standing.append(stands)
    return tuple(standing)


def drawn_links(proposal: Proposal) -> list[Link]:
    """The links of a proposal as they were drawn, with what joined or left its relations since the last change."""
    if not proposal.drawn:
        return list(proposal.relations)
    holder = holders(proposal.concepts)
    now = [moved(link, holder) for link in proposal.drawn]
    told = {identity(link) for link in proposal.relations}
    kept = [
        link
        for link, stands in zip(proposal.drawn, now, strict=True)
        if stands.source == stands.target or identity(stands) in told
    ]
    known = {identity(link) for link in now}
    return [*kept, *(link for link in proposal.relations if identity(link) not in known)]
