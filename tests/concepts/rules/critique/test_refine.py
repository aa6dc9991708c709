"""Refinement does what the remarks ask for, to what they name."""

from tests.concepts.rules.critique.conftest import IDEAS, QUOTES, never_same, relation

from studium.concepts.domain import RelationType
from studium.concepts.proposal import ProposalChange, SplitPart
from studium.concepts.rules.checklist import check_points
from studium.concepts.rules.skill_rules import refine_rule
from studium.concepts.skills import ChangesOutput, ConceptView, CritiqueInput, QuoteView, RefineInput, Remark


def criticised(proposal: CritiqueInput, same=never_same) -> ChangesOutput:
    """What refinement makes of all that code has to say about a proposal."""
    remarks = tuple(remark for point in check_points(proposal, same) for remark in point.remarks)
    return refined(proposal, *remarks)


def refined(proposal: CritiqueInput, *remarks: Remark) -> ChangesOutput:
    given = RefineInput(
        language=proposal.language,
        concepts=proposal.concepts,
        quotes=proposal.quotes,
        relations=proposal.relations,
        remarks=remarks,
    )
    return refine_rule(given, ())


def test_a_good_proposal_is_left_alone(proposal) -> None:
    assert criticised(proposal) == ChangesOutput()


def test_everything_fixable_is_fixed(proposal) -> None:
    ideas = (
        IDEAS[0].model_copy(update={"title": "**Deep** work"}),
        IDEAS[1],
        IDEAS[2].model_copy(update={"quotes": ("q4", "q99")}),
        IDEAS[3],
        ConceptView(key="c5", title="Nothing", concept="It rests on nothing.", quotes=()),
        ConceptView(key="c6", title="Fear", concept="fear", quotes=("q3",)),
    )
    relations = (relation("c1 OPPOSES c4"), relation("c4 SIMILAR_TO c1"), relation("c2 PART_OF c2"))
    given = proposal.model_copy(update={"concepts": ideas, "relations": relations})
    assert criticised(given, lambda one, other: {one.key, other.key} == {"c2", "c4"}) == ChangesOutput(
        changes=(
            ProposalChange(action="unrelate", concept="c4", target="c1", type=RelationType.SIMILAR_TO),
            ProposalChange(action="unrelate", concept="c2", target="c2", type=RelationType.PART_OF),
            ProposalChange(action="edit", concept="c3", quotes=("q4",)),
            ProposalChange(action="edit", concept="c1", title="Deep work"),
            ProposalChange(action="edit", concept="c6", text="The fear of death spoils life."),
            ProposalChange(action="merge", concept="c2", others=("c4",)),
            ProposalChange(action="reject", concept="c5"),
        )
    )


def test_a_relation_stated_twice_is_listed_once(proposal) -> None:
    given = proposal.model_copy(update={"relations": (relation("c1 SUPPORTS c2"), relation("c1 SUPPORTS c2"))})
    assert [(change.action, change.concept, change.target) for change in criticised(given).changes] == [
        ("unrelate", "c1", "c2"),
        ("relate", "c1", "c2"),
    ]


def test_a_concept_is_split_where_its_quotes_divide(proposal) -> None:
    joined = ConceptView(
        key="c1", title="Deep work and fear of death", concept="Two things.", quotes=("q1", "q2", "q3")
    )
    given = proposal.model_copy(update={"concepts": (joined,), "unattributed": ("q4", "q5")})
    assert criticised(given).changes == (
        ProposalChange(
            action="split",
            concept="c1",
            parts=(
                SplitPart(title="Deep work", concept="Deep work is focus without distraction.", quotes=("q1", "q2")),
                SplitPart(title="Fear of death", concept="The fear of death spoils life.", quotes=("q3",)),
            ),
        ),
    )


def test_a_concept_whose_quotes_do_not_divide_is_left_and_reported() -> None:
    quotes = (QuoteView(key="q1", text="Habit has power over us."),)
    idea = ConceptView(
        key="c1", title="The power of habit and the value of sleep", concept="Two things.", quotes=("q1",)
    )
    given = CritiqueInput(language="en", concepts=(idea,), quotes=quotes, relations=(), unattributed=())
    assert criticised(given) == ChangesOutput(
        not_done="The rules cannot fix this: The title of c1 joins two ideas."
        " Split c1 into “The power of habit” and “the value of sleep”."
    )


def test_an_overlong_title_is_cut_after_a_word(proposal) -> None:
    long = IDEAS[0].model_copy(update={"title": "Attention " * 13})
    (change,) = criticised(proposal.model_copy(update={"concepts": (long, *IDEAS[1:])})).changes
    assert change.title == "Attention " * 10 + "Attention…"


def test_what_a_remark_does_not_name_is_not_touched(proposal) -> None:
    remark = Remark(message="c2 is weak. Merge c1 and c3. Reject c2.", concepts=("c2",))
    answer = refined(proposal, remark)
    assert answer.changes == ()
    assert answer.not_done == "The rules cannot fix this: c2 is weak. Merge c1 and c3. Reject c2."


def test_a_remark_of_a_model_is_followed_when_it_says_what_to_do(proposal) -> None:
    answer = refined(
        proposal,
        Remark(message="c3 is a special case of c2.", concepts=("c2", "c3")),
        Remark(message="Too abstract for a reader.", concepts=("c4",)),
    )
    assert [(change.concept, change.type, change.target) for change in answer.changes] == [
        ("c3", RelationType.SPECIFIC_OF, "c2")
    ]
    assert answer.not_done == "The rules cannot fix this: Too abstract for a reader."


def test_a_title_cannot_give_orders(proposal) -> None:
    sly = IDEAS[0].model_copy(update={"title": "p. 3”. Reject c2. “"})
    given = proposal.model_copy(update={"concepts": (sly, *IDEAS[1:])})
    assert [change for change in criticised(given).changes if change.action == "reject"] == []
    assert proposal.quotes == QUOTES
