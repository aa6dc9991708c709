"""What to search by, and which relations likeness alone can tell."""

from studium.concepts.domain import RelationType
from studium.concepts.rules.skill_rules import judging_rules, queries_rule, relate_rule
from studium.concepts.skills import (
    CRITIQUE,
    FEEDBACK,
    QUERIES,
    REFINE,
    RELATE,
    ConceptView,
    DraftRelation,
    QueriesInput,
    RelateInput,
)

ATTENTION = ConceptView(key="c1", title="El hábito de la atención", concept="La atención se entrena cada día.")
FOCUS = ConceptView(key="c2", title="Entrenar la atención", concept="La atención crece con el uso, como un hábito.")
SLEEP = ConceptView(key="c3", title="El sueño", concept="Dormir cura el cuerpo.")
DEATH = ConceptView(key="c4", title="El miedo a la muerte", concept="Quien teme el final no vive.")


def test_a_concept_is_searched_for_by_its_own_words() -> None:
    answer = queries_rule(QueriesInput(idea=ATTENTION, language="es"), ())
    assert [(query.type, query.text) for query in answer.queries] == [
        (RelationType.SIMILAR_TO, "El hábito de la atención. La atención se entrena cada día."),
        (RelationType.RELATES_TO, "El hábito de la atención"),
    ]


def test_similarity_gives_drafts_that_say_what_is_shared() -> None:
    given = RelateInput(idea=ATTENTION, others=(DEATH, FOCUS, SLEEP), similarities=(0.3, 0.7, 0.45))
    assert relate_rule(given, ()).relations == (
        DraftRelation(
            other="c2",
            type=RelationType.SIMILAR_TO,
            reasoning="Both speak of “atención”, “entrena” and “hábito”; similarity 0.70.",
            confidence=0.68,
        ),
    )


def test_shared_words_relate_where_there_is_no_similarity() -> None:
    (draft,) = relate_rule(RelateInput(idea=ATTENTION, others=(FOCUS, SLEEP), similarities=()), ()).relations
    assert (draft.other, draft.type) == ("c2", RelationType.RELATES_TO)
    assert draft.reasoning == "Both speak of “atención”, “entrena” and “hábito”."


def test_another_language_is_similar_by_similarity_alone() -> None:
    english = ConceptView(key="c9", title="Practised focus", concept="One learns to attend.")
    (draft,) = relate_rule(RelateInput(idea=ATTENTION, others=(english,), similarities=(0.85,)), ()).relations
    assert (draft.type, draft.reasoning) == (RelationType.SIMILAR_TO, "Similarity 0.85.")


def test_few_and_good_and_never_itself() -> None:
    others = (ATTENTION, *(FOCUS.model_copy(update={"key": f"c{number}"}) for number in range(10, 20)))
    likes = (1.0, *(0.5 + number / 100 for number in range(10)))
    answer = relate_rule(RelateInput(idea=ATTENTION, others=others, similarities=likes), ())
    assert [draft.other for draft in answer.relations] == ["c19", "c18", "c17", "c16", "c15"]
    assert {draft.type for draft in answer.relations} <= {RelationType.SIMILAR_TO, RelationType.RELATES_TO}


def test_there_is_a_rule_for_each_skill_of_judging() -> None:
    assert set(judging_rules()) == {each.name for each in (CRITIQUE, REFINE, FEEDBACK, QUERIES, RELATE)}
