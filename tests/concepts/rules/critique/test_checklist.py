"""The six points of the critic's checklist, answered by code."""

import pytest
from tests.concepts.rules.critique.conftest import IDEAS, good_proposal, never_same, relation

from studium.concepts.rules.checklist import check_points, join_points
from studium.concepts.rules.skill_rules import critique_rule
from studium.concepts.skills import POINTS, ChecklistPoint, ConceptView, CritiqueInput, QuoteView, Remark


def with_idea(language: str = "en", quotes: tuple[str, ...] = ("q1",), **fields: str) -> CritiqueInput:
    """A proposal of one concept on the quotes that are told."""
    shown = tuple(QuoteView(key=f"q{at}", text=text) for at, text in enumerate(quotes, 1))
    fields = {"title": "Deep work", "concept": "Focus without distraction is rare and useful.", **fields}
    idea = ConceptView(key="c1", quotes=tuple(quote.key for quote in shown), **fields)
    return CritiqueInput(language=language, concepts=(idea,), quotes=shown, relations=(), unattributed=())


def with_relations(proposal: CritiqueInput, *told: str) -> CritiqueInput:
    return proposal.model_copy(update={"relations": tuple(relation(words) for words in told)})


@pytest.mark.parametrize(("language", "count"), [("en", 22), ("es", 18)])
def test_good_concepts_pass_every_point(language: str, count: int) -> None:
    given = good_proposal(language)
    points = check_points(given, never_same)
    assert len(given.concepts) == count
    assert tuple(point.name for point in points) == POINTS
    assert [remark.message for point in points for remark in point.remarks] == []
    assert all(point.passes for point in points)


@pytest.mark.parametrize(
    ("title", "left", "right", "quotes"),
    [
        (
            "Deep work and fear of death",
            "Deep work",
            "fear of death",
            ("Deep work is focus.", "The fear of death spoils life."),
        ),
        ("The power of habit or the value of sleep", "The power of habit", "the value of sleep", ("Habit has power.",)),
        ("Sleep & money", "Sleep", "money", ("Sleep heals.", "Money hides as much as it shows.")),
        (
            "El trabajo profundo y el miedo a la muerte",
            "El trabajo profundo",
            "el miedo a la muerte",
            ("El trabajo profundo exige silencio.",),
        ),
        ("Amistad e interés", "Amistad", "interés", ("La amistad no se compra.", "El interés manda.")),
    ],
)
def test_a_title_that_joins_two_ideas_is_not_atomic(title, left, right, quotes, remarks) -> None:
    (remark,) = remarks(with_idea(title=title, quotes=quotes), "atomicity")
    assert remark.message == f"The title of c1 joins two ideas. Split c1 into “{left}” and “{right}”."
    assert remark.concepts == ("c1",)


def test_a_pair_that_a_quote_uses_is_one_idea(remarks) -> None:
    quotes = ("Envy of the rich and pity for the poor are two sides of one coin.",)
    assert remarks(with_idea(title="Envy of the rich and pity for the poor", quotes=quotes), "atomicity") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Focus is rare. It is also useful. Sleep heals. Money hides things.",
            "c1 takes 4 sentences: say its one idea in 3 at most.",
        ),
        (
            "First, focus is rare. Second, sleep heals.",
            "c1 lists 2 claims: keep one in it, and make the others concepts of their own.",
        ),
        (
            "- La atención es escasa\n- El sueño cura\n- El dinero esconde",
            "c1 lists 3 claims: keep one in it, and make the others concepts of their own.",
        ),
    ],
)
def test_a_text_of_many_claims_is_not_atomic(text: str, message: str, remarks) -> None:
    assert [each.message for each in remarks(with_idea(concept=text), "atomicity")] == [message]


def test_concepts_that_are_the_same_are_named_together(proposal, remarks) -> None:
    told = remarks(proposal, "distinctness", lambda one, other: {one.key, other.key} <= {"c2", "c3", "c4"})
    assert told == [Remark(message="c2, c3 and c4 hold one idea. Merge c2, c3 and c4.", concepts=("c2", "c3", "c4"))]


def test_a_chain_of_likenesses_joins_only_what_is_the_same_as_its_first(proposal, remarks) -> None:
    same = {("c1", "c2"), ("c2", "c3")}
    told = remarks(proposal, "distinctness", lambda one, other: (one.key, other.key) in same)
    assert [each.concepts for each in told] == [("c1", "c2")]


def test_equal_titles_are_not_distinct(proposal, remarks) -> None:
    twin = ConceptView(key="c9", title="“deep Work”", concept="Another text.", quotes=("q1",))
    given = proposal.model_copy(update={"concepts": (*IDEAS, twin)})
    assert [each.concepts for each in remarks(given, "distinctness")] == [("c1", "c9")]


def test_coverage_names_every_quote_and_concept_that_is_not_accounted_for(proposal, remarks) -> None:
    ideas = (
        IDEAS[0].model_copy(update={"quotes": ("q1", "q2", "q77")}),
        IDEAS[1].model_copy(update={"quotes": ()}),
        IDEAS[2].model_copy(update={"quotes": ("q88",)}),
        IDEAS[3],
    )
    given = proposal.model_copy(update={"concepts": ideas, "unattributed": ("q3", "q5", "q99")})
    assert [(each.message.split(":")[0], each.concepts, each.quotes) for each in remarks(given, "quote_coverage")] == [
        ("There is no quote q77. Remove q77 from c1.", ("c1",), ()),
        ("c2 rests on no quote. Reject c2.", ("c2",), ()),
        ("c3 rests on no quote. Reject c3.", ("c3",), ()),
        ("q4 supports no concept and is not listed as unattributed", (), ("q4",)),
        ("q5 is listed as unattributed, but c4 rests on it", ("c4",), ("q5",)),
        ("q99 is listed as unattributed, but there is no such quote", (), ()),
    ]


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (["c1 OPPOSES c1"], "c1 relates to itself. Drop the relation c1 OPPOSES c1."),
        (["c1 OPPOSES c8"], "There is no concept c8. Drop the relation c1 OPPOSES c8."),
        (
            ["c1 GENERALIZES c2", "c2 GENERALIZES c1"],
            "GENERALIZES goes in a circle: c2 → c1 → c2. Drop the relation c2 GENERALIZES c1.",
        ),
        (
            ["c1 OPPOSES c2", "c2 SIMILAR_TO c1"],
            "c1 OPPOSES c2 and c2 SIMILAR_TO c1 exclude each other. Drop the relation c2 SIMILAR_TO c1.",
        ),
        (
            ["c1 PART_OF c2", "c3 HAS_PART c2", "c3 PART_OF c1"],
            "PART_OF goes in a circle: c3 → c1 → c2 → c3. Drop the relation c3 PART_OF c1.",
        ),
        (
            ["c1 SPECIFIC_OF c2", "c2 SPECIFIC_OF c3", "c3 SPECIFIC_OF c1"],
            "GENERALIZES goes in a circle: c1 → c3 → c2 → c1. Drop the relation c3 SPECIFIC_OF c1.",
        ),
        (
            ["c1 PART_OF c2", "c2 HAS_PART c1"],
            "c1 PART_OF c2 and c2 HAS_PART c1 say the same. Drop the relation c2 HAS_PART c1.",
        ),
        (
            ["c1 RELATES_TO c2", "c1 SUPPORTS c2"],
            "c1 SUPPORTS c2 says more of the same two. Drop the relation c1 RELATES_TO c2.",
        ),
    ],
)
def test_relations_that_cannot_stand(told: list[str], message: str, proposal, remarks) -> None:
    assert [each.message for each in remarks(with_relations(proposal, *told), "relation_accuracy")] == [message]


def test_relations_that_agree_stand(proposal, remarks) -> None:
    told = (
        "c1 GENERALIZES c2",
        "c2 GENERALIZES c3",
        "c1 GENERALIZES c3",
        "c1 SUPPORTS c2",
        "c3 OPPOSES c4",
        "c4 PART_OF c1",
    )
    assert remarks(with_relations(proposal, *told), "relation_accuracy") == []


def test_a_relation_to_a_kept_concept_is_told_by_its_title(proposal, remarks) -> None:
    kept = relation("c1 SIMILAR_TO 0b1f").model_copy(update={"title": "Flow"})
    assert remarks(proposal.model_copy(update={"relations": (kept,)}), "relation_accuracy") == []


@pytest.mark.parametrize(
    ("language", "title", "concept", "what"),
    [
        ("es", "Trabajo", "Whoever fears the end of life does not live freely.", "the text should be in es"),
        (
            "es",
            "The fear of what is to come",
            "El miedo estropea la vida.",
            "the title should be in es",
        ),
        (
            "en",
            "El miedo a la muerte",
            "El miedo a la muerte estropea la vida.",
            "the title and the text should be in en",
        ),
        ("en", "Freedom", "自由とは、自分で選ぶことである。", "the text should be in en"),
        ("es", "Freedom of the will", "La voluntad no obedece a nadie salvo a sí misma.", "the title should be in es"),
        ("en", "Freiheit", "Die Freiheit ist der Zweck des Zwanges, wie man sagt.", "the text should be in en"),
    ],
)
def test_another_language_is_named(language: str, title: str, concept: str, what: str, remarks) -> None:
    (remark,) = remarks(with_idea(language=language, title=title, concept=concept), "language")
    assert what in remark.message
    assert remark.concepts == ("c1",)


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("es", "Flow"),
        ("es", "Deep work"),
        ("en", "Weltschmerz"),
        ("en", "Élan vital"),
        ("es", "Mindfulness"),
        ("", "X"),
        ("en", "La dolce vita"),
    ],
)
def test_names_and_loan_words_are_no_other_language(language: str, title: str, remarks) -> None:
    assert remarks(with_idea(language=language, title=title, concept=""), "language") == []


@pytest.mark.parametrize(
    ("title", "message"),
    [
        ("", "The title of c1 is empty: name the idea."),
        ("***", "The title of c1 is empty: name the idea."),
        ("12", "The title of c1 “12” names no idea: name the idea."),
        ("p. 33", "The title of c1 “p. 33” names no idea: name the idea."),
        ("Chapter IV", "The title of c1 “Chapter IV” names no idea: name the idea."),
        ("pp. 12–14", "The title of c1 “pp. 12–14” names no idea: name the idea."),
        ("the", "The title of c1 “the” names no idea: name the idea."),
        ("TODO", "The title of c1 “TODO” is a placeholder: name the idea."),
        ("Concept 1", "The title of c1 “Concept 1” is a placeholder: name the idea."),
        ("[Untitled]", "The title of c1 “[Untitled]” is a placeholder: name the idea."),
        (
            "As an AI, I cannot",
            "The title of c1 “As an AI, I cannot” is left over from a model's answer: name the idea.",
        ),
        ("**Deep** work", "The title of c1 contains markup or control characters. Rename c1 to “Deep work”."),
        ("# Deep <b>work</b>", "The title of c1 contains markup or control characters. Rename c1 to “Deep work”."),
        ("Deep\x00 work\n", "The title of c1 contains markup or control characters. Rename c1 to “Deep work”."),
        (
            "[Deep work](https://x.org)",
            "The title of c1 contains markup or control characters. Rename c1 to “Deep work”.",
        ),
        ("[[notes/a|Deep work]]", "The title of c1 contains markup or control characters. Rename c1 to “Deep work”."),
        ("word " * 30, f"The title of c1 has more than 120 characters. Rename c1 to “{('word ' * 23).strip()}…”."),
    ],
)
def test_titles_that_are_none(title: str, message: str, remarks) -> None:
    given = with_idea(title=title, quotes=("Deep work is focus.",))
    assert [each.message for each in remarks(given, "edge_cases")] == [message]


@pytest.mark.parametrize("title", ["#MeToo", "C# or Java?", "a_b_c", "Sin", "What if…?", "TODO FLUYE", "R&D"])
def test_titles_with_signs_that_mean_something(title: str, remarks) -> None:
    assert remarks(with_idea(title=title), "edge_cases") == []


@pytest.mark.parametrize(
    ("concept", "message"),
    [
        ("Deep work.", "c1 only repeats its title. c1 should say “Focus is rare.”."),
        ("", "c1 says nothing. c1 should say “Focus is rare.”."),
        (
            "As an AI language model, I",
            "The text of c1 is a placeholder or left over from a model's answer.",
        ),
        ("TODO: write", "The text of c1 is a placeholder or left over from a model's answer."),
    ],
)
def test_texts_that_say_nothing(concept: str, message: str, remarks) -> None:
    given = with_idea(concept=concept, quotes=("Deep work", "Focus is rare."))
    (remark,) = remarks(given, "edge_cases")
    assert remark.message.startswith(message)


def test_a_saying_is_its_own_title(remarks) -> None:
    saying = "El mundo es cambio; la vida, opinión"
    assert remarks(with_idea(language="es", title=saying, concept=f"{saying}.", quotes=(saying,)), "edge_cases") == []


def test_a_point_passes_only_where_code_and_model_let_it_pass(proposal) -> None:
    code = check_points(with_relations(proposal, "c1 OPPOSES c1"), never_same)
    objection = Remark(message="c2 and q9 are vague.", concepts=("c2", "c99"), quotes=("q9", "q1"))
    told = (
        ChecklistPoint(name="atomicity", passes=True),
        ChecklistPoint(name="atomicity", passes=False, remarks=(objection, objection)),
        ChecklistPoint(name="relation_accuracy", passes=True),
    )
    joined = join_points(code, told, proposal)
    assert tuple(point.name for point in joined) == POINTS
    assert [point.name for point in joined if not point.passes] == ["atomicity", "relation_accuracy"]
    assert joined[0].remarks == (Remark(message="c2 and q9 are vague.", concepts=("c2",), quotes=("q1",)),)
    assert [each.message for each in joined[3].remarks] == ["c1 relates to itself. Drop the relation c1 OPPOSES c1."]


def test_the_rules_have_nothing_to_add_to_what_code_says(proposal) -> None:
    answer = critique_rule(proposal, ())
    assert [(point.name, point.passes) for point in answer.points] == [(name, True) for name in POINTS]
    assert join_points(check_points(proposal, never_same), answer.points, proposal) == answer.points
