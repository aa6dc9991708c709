"""Whatever a proposal or a person's feedback says, only existing concepts and quotes are named."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.concepts.rules.critique.conftest import IDEAS, QUOTES, relation

from studium.concepts.domain import RelationType
from studium.concepts.proposal import ProposalChange
from studium.concepts.rules.checklist import check_points
from studium.concepts.rules.skill_rules import feedback_rule, refine_rule
from studium.concepts.skills import POINTS, ConceptView, CritiqueInput, FeedbackInput, RefineInput, RelationView

CONCEPT_KEYS = st.sampled_from(["c1", "c2", "c3", "c4", "c9", "C1", "“Deep work”", "“None”", "concept 2"])
QUOTE_KEYS = st.sampled_from(["q1", "q3", "q5", "q99"])
WORDS = st.sampled_from(
    [
        "merge",
        "une",
        "reject",
        "elimina",
        "approve",
        "keep",
        "rename",
        "split",
        "divide",
        "into",
        "en",
        "and",
        "y",
        "to",
        "a",
        "“X”",
        "move",
        "add",
        "belongs",
        "opposes",
        "is",
        "part",
        "of",
        "pertenece",
        "remove",
        "from",
        "de",
        "all",
        "menos",
        ",",
        ".",
        ";",
        "relation",
        "between",
        "not",
        "because",
        "c1-c4",
    ]
)
SPEECH = st.lists(st.one_of(CONCEPT_KEYS, QUOTE_KEYS, WORDS), max_size=12).map(" ".join)
TITLES = st.one_of(
    st.sampled_from(["Deep work", "Love and the fear of death", "**x**", "", "p. 3"]), st.text(max_size=150)
)
IDEA = st.builds(
    ConceptView,
    key=st.sampled_from([f"c{number}" for number in range(1, 7)]),
    title=TITLES,
    concept=st.one_of(TITLES, SPEECH),
    quotes=st.lists(QUOTE_KEYS, max_size=4).map(tuple),
)
RELATION = st.builds(
    RelationView,
    source=st.sampled_from(["c1", "c2", "c3", "c77"]),
    target=st.sampled_from(["c1", "c2", "c3", "id-1"]),
    title=st.sampled_from(["", "Kept"]),
    type=st.sampled_from(RelationType),
)
PROPOSAL = st.builds(
    CritiqueInput,
    language=st.sampled_from(["en", "es", "ja", "", "es-ES"]),
    concepts=st.lists(IDEA, max_size=5, unique_by=lambda idea: idea.key).map(tuple),
    quotes=st.just(QUOTES),
    relations=st.lists(RELATION, max_size=6).map(tuple),
    unattributed=st.lists(QUOTE_KEYS, max_size=3).map(tuple),
)


def named(changes: tuple[ProposalChange, ...]) -> tuple[set[str], set[str]]:
    """The concepts and the quotes that changes name; a relation may be dropped whatever it names."""
    kept = [change for change in changes if change.action != "unrelate"]
    concepts = {key for change in kept for key in (change.concept, *change.others, change.target) if key}
    quotes = {key for change in kept for key in change.quotes or ()}
    return concepts, quotes | {key for change in kept for part in change.parts for key in part.quotes}


@given(words=st.one_of(SPEECH, st.text(max_size=60)))
@settings(deadline=None, max_examples=40)
def test_feedback_names_only_what_there_is(words: str) -> None:
    relations = (relation("c1 OPPOSES c4"), relation("c2 PART_OF c3"))
    shown = FeedbackInput(language="en", feedback=words, concepts=IDEAS, quotes=QUOTES, relations=relations)
    answer = feedback_rule(shown, ())
    concepts, quotes = named(answer.changes)
    assert concepts <= {"c1", "c2", "c3", "c4"}
    assert quotes <= {"q1", "q2", "q3", "q4", "q5"}
    assert {(each.concept, each.target) for each in answer.changes if each.action == "unrelate"} <= {
        ("c1", "c4"),
        ("c2", "c3"),
    }


@given(proposal=PROPOSAL, similarity=st.booleans())
@settings(deadline=None, max_examples=40)
def test_refinement_names_only_what_there_is(proposal: CritiqueInput, similarity: bool) -> None:
    points = check_points(proposal, lambda _one, _other: similarity)
    assert tuple(point.name for point in points) == POINTS
    keys, quote_keys = {idea.key for idea in proposal.concepts}, {quote.key for quote in QUOTES}
    remarks = tuple(remark for point in points for remark in point.remarks)
    assert {key for remark in remarks for key in remark.concepts} <= keys
    assert {key for remark in remarks for key in remark.quotes} <= quote_keys
    answer = refine_rule(
        RefineInput(
            language=proposal.language,
            concepts=proposal.concepts,
            quotes=QUOTES,
            relations=proposal.relations,
            remarks=remarks,
        ),
        (),
    )
    concepts, quotes = named(answer.changes)
    assert concepts <= keys
    assert quotes <= quote_keys
    shown = {(each.source, each.type, each.target) for each in proposal.relations}
    dropped = {(each.concept, each.type, each.target) for each in answer.changes if each.action == "unrelate"}
    assert dropped <= shown
