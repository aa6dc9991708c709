"""A book with six quotes, and any proposal and any change for it."""

import uuid
from collections.abc import Sequence

from hypothesis import strategies as st

from studium.concepts.domain import RelationType
from studium.concepts.proposal import (
    CandidateConcept,
    CandidateRelation,
    ItemStatus,
    Proposal,
    ProposalChange,
    SplitPart,
    SupportingQuote,
    unattributed_quotes,
)

QUOTES = tuple(f"q{number}" for number in range(1, 7))
KEPT = "5f0c6c1e-0000-5000-8000-000000000001"
CONCEPTS = ("c1", "c2", "c3", "c4", "c5")

TYPES = st.sampled_from(RelationType)
STANDINGS = st.sampled_from(ItemStatus)
TITLES = st.sampled_from(["Deep work", "El hábito", "習慣", "Rest", "a: b? #c", "1984"])
TEXTS = st.sampled_from(["", "One idea.", "Una idea:\n- otra", "  spaced \n\n out", "yes", '"quoted" & <b>'])
SOME_QUOTES = st.lists(st.sampled_from(QUOTES), max_size=4, unique=True).map(tuple)


def uuid_of(title: str, quotes: Sequence[str]) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{title}|{','.join(quotes)}"))


@st.composite
def candidates(draw, key: str) -> CandidateConcept:
    return CandidateConcept(
        key=key,
        uuid=key,
        title=draw(TITLES),
        concept=draw(TEXTS),
        analysis=draw(TEXTS),
        quotes=tuple(SupportingQuote(quote=quote, reasoning=key) for quote in draw(SOME_QUOTES)),
        same_as=draw(st.sampled_from([None, None, KEPT])),
        standing=draw(STANDINGS),
    )


@st.composite
def links(draw, keys: Sequence[str]) -> CandidateRelation:
    source = draw(st.sampled_from(keys))
    target = draw(st.sampled_from([*(key for key in keys if key != source), KEPT]))
    title = "Flow" if target == KEPT else ""
    return CandidateRelation(
        source=source, target=target, title=title, type=draw(TYPES), reasoning=draw(TEXTS), standing=draw(STANDINGS)
    )


@st.composite
def proposals(draw) -> Proposal:
    """Any proposal, its concepts and relations in any order."""
    keys = draw(st.lists(st.sampled_from(CONCEPTS), min_size=1, unique=True))
    concepts = tuple(draw(candidates(key)) for key in keys)
    relations = tuple(draw(st.lists(links(keys), max_size=6)))
    return Proposal(concepts=concepts, relations=relations, unattributed=unattributed_quotes(concepts, QUOTES))


# Also keys that do not exist, or not yet.
KEYS = st.sampled_from([*CONCEPTS, "c6", "c7", "", KEPT, "Rest"])
ANY_QUOTES = st.lists(st.sampled_from([*QUOTES, "q7", "x"]), max_size=4).map(tuple)
PARTS = st.builds(SplitPart, title=st.one_of(TITLES, st.just(" ")), concept=TEXTS, quotes=ANY_QUOTES)
CHANGES = st.one_of(
    st.builds(ProposalChange, action=st.sampled_from(["approve", "reject", "restore", "restore"]), concept=KEYS),
    st.builds(
        ProposalChange,
        action=st.sampled_from(["approve", "reject", "restore", "relate", "relate", "unrelate"]),
        concept=KEYS,
        target=KEYS,
        type=st.none() | TYPES,
        reasoning=TEXTS,
    ),
    st.builds(
        ProposalChange,
        action=st.sampled_from(["edit", "add"]),
        concept=KEYS,
        title=st.none() | TITLES | st.just(""),
        text=st.none() | TEXTS,
        quotes=st.none() | ANY_QUOTES,
        same_as=st.sampled_from([None, "", KEPT, "unknown"]),
    ),
    st.builds(ProposalChange, action=st.just("merge"), concept=KEYS, others=st.lists(KEYS, max_size=3).map(tuple)),
    st.builds(ProposalChange, action=st.just("unmerge"), concept=KEYS),
    st.builds(ProposalChange, action=st.just("split"), concept=KEYS, parts=st.lists(PARTS, max_size=3).map(tuple)),
)
