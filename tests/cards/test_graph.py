"""Notes through the card graph: the note is in the test, the decision beside it."""

import pytest
from tests.cards.pipeline import Pipeline, actions, fields, unrendered

from studium.anki.store import RenderedCard
from studium.cards import map_to_anki_fields
from studium.cards.card_specs import CardSpec
from studium.cards.models import CardSource
from studium.cards.rules.skill_rules import RULES
from studium.cards.skills import MapInput
from studium.cards.state import CardPolicy
from studium.core.domain.decision import Action
from studium.core.domain.errors import ServiceDown
from studium.core.domain.finding import Finding, Severity
from studium.core.llm.models import RulesModel

OSPF = """\
    ---
    topic: Networking
    tags: [ospf, two words]
    ---
    # Question (EN)
    > What does an OSPF router flood?

    ## Answer (EN)
    Link-state advertisements, which describe its links and their costs.
    """

LEAKY = "Is a tuple immutable and ordered :: Immutable, ordered.\n"


async def test_a_question_and_its_answer_become_a_card(pipeline):
    card = await pipeline.card(OSPF)
    proposed = card.decision.proposed_card
    assert card.decision.action is Action.CREATE
    assert proposed.fields == {
        "Front": "What does an OSPF router flood?",
        "Back": "Link-state advertisements, which describe its links and their costs.",
    }
    assert (proposed.model_name, proposed.deck_name, proposed.language) == ("Studium Basic", "Networking", "en")
    assert proposed.tags == ("ospf", "two_words")
    assert card.rendered.fields == {**proposed.fields, "Studium": "a"}
    assert (card.score, card.line, card.decision.schema_validation.valid) == (1.0, 6, True)


async def test_every_card_points_at_the_lines_it_was_made_from(pipeline):
    card = await pipeline.card(OSPF)
    assert [(e.quote, e.where.line) for e in card.evidence] == [
        ("What does an OSPF router flood?", 6),
        ("Link-state advertisements, which describe its links and their costs.", 9),
    ]


async def test_one_run_decides_on_all_cards_of_a_note(pipeline):
    cards = await pipeline.cards(
        """\
        Which port does SSH use? :: 22
        idempotent ::: Doing it twice changes nothing more.
        OSPF floods {{c1::link-state advertisements}} to {{c2::its area}}.
        """
    )
    assert actions(cards) == ["create"] * 3
    assert [card.decision.proposed_card.model_name for card in cards] == [
        "Studium Basic",
        "Studium Basic (reversed)",
        "Studium Cloze",
    ]
    assert fields(cards[2]) == {"Text": "OSPF floods {{c1::link-state advertisements}} to {{c2::its area}}."}
    assert [evidence.quote for evidence in cards[2].evidence] == ["link-state advertisements", "its area"]


async def test_a_doubtful_card_does_not_hold_its_siblings_back(pipeline):
    cards = await pipeline.cards(f"{LEAKY}\nWhich port does SSH use? :: 22\n")
    assert actions(cards) == ["manual_review", "create"]
    assert cards[0].decision.messages == ("Every word of the answer is in the question.", "Its score is 0.5.")
    assert cards[0].decision.qa_report.issues[0].type == "front_leaks_answer"


async def test_rules_that_come_to_the_same_card_again_are_not_asked_a_third_time(tmp_path):
    asked = []
    rules = {name: _counting(rule, name, asked) for name, rule in RULES.items()}
    await Pipeline(tmp_path, model=RulesModel(rules)).cards(f"{LEAKY}\nWhich port does SSH use? :: 22\n")
    assert asked == [("cards.map", 2), ("cards.qa", 2), ("cards.map", 1), ("cards.qa", 1)], (
        "only what failed, once more"
    )


def _counting(rule, name, asked):
    def counted(given, tools):
        asked.append((name, len(given.specs if name == "cards.map" else given.cards)))
        return rule(given, tools)

    return counted


async def test_a_card_that_cannot_be_rendered_goes_to_a_person_and_the_others_continue(tmp_path):
    def render(card, path, heading, card_id):
        if "SSH" in card.fields["Front"]:
            raise RuntimeError("the renderer broke")
        return unrendered(card, path, heading, card_id)

    cards = await Pipeline(tmp_path, render=render).cards(
        "Which port does SSH use? :: 22\n\nWhich port does DNS use? :: 53\n"
    )
    assert actions(cards) == ["manual_review", "create"]
    assert cards[0].decision.messages == ("RuntimeError: the renderer broke",)
    assert cards[0].findings[0].code == "card.failed"


def test_a_card_that_cannot_be_mapped_is_a_finding_and_the_others_are_made():
    good = CardSource(kind="basic", syntax="x", front="Which port does SSH use?", back="22", line=1, end_line=1)
    broken = CardSource.model_construct(kind="basic", syntax="x", front=None, back="53", line=3, end_line=3)
    wanted = (CardSpec(card_id="a", sources=(good,)), CardSpec.model_construct(card_id="b", sources=(broken,)))
    given = MapInput.model_construct(note_path="n.md", specs=wanted, max_front_chars=200, max_back_chars=1200)
    answer = map_to_anki_fields(given)
    assert [card.card_id for card in answer.output.cards] == ["a"]
    assert str(answer.findings[0].where) == "n.md:3"


async def test_what_would_fail_for_every_note_is_not_swallowed(tmp_path):
    def render(*_):
        raise ServiceDown("Anki does not answer.")

    with pytest.raises(ServiceDown):
        await Pipeline(tmp_path, render=render).cards("Which port does SSH use? :: 22\n")


async def test_media_that_is_missing_keeps_a_card_back(tmp_path):
    finding = Finding(code="media.missing", severity=Severity.ERROR, message="There is no ring.png.")

    def render(card, _path, _heading, _card_id):
        return RenderedCard(note_type=card.model_name, fields=card.fields, findings=(finding,))

    card = await Pipeline(tmp_path, render=render).card("What does a ring look like? :: ![[ring.png]] A circle.\n")
    assert card.decision.action is Action.MANUAL_REVIEW
    assert card.decision.messages == ("There is no ring.png.",)
    assert card.findings == (finding,)


@pytest.mark.parametrize(
    ("name", "header", "policy", "deck"),
    [
        ("note.md", "", CardPolicy(), "Studium"),
        ("note.md", "topic: Networking", CardPolicy(), "Networking"),
        ("net/routing/note.md", "topic: Networking", CardPolicy(), "net::routing"),
        ("net/routing/note.md", "topic: Networking", CardPolicy(deck_from_folder=False), "Networking"),
        ("net/note.md", "deck_hint: Exams::CCNA", CardPolicy(), "Exams::CCNA"),
        ("net/note.md", "", CardPolicy(deck_prefix="Obsidian"), "Obsidian::net"),
        ("note.md", "deck_hint: Obsidian::x", CardPolicy(deck_prefix="Obsidian"), "Obsidian::x"),
        ("note.md", "", CardPolicy(default_deck="Inbox"), "Inbox"),
    ],
)
async def test_the_deck_is_what_the_note_says_else_its_folder_else_its_topic(tmp_path, name, header, policy, deck):
    text = f"---\n{header}\n---\nWhich port does SSH use? :: 22\n"
    (card,) = await Pipeline(tmp_path, policy).cards(text, name=name)
    assert card.decision.proposed_card.deck_name == deck


async def test_a_note_may_ask_for_a_note_type_that_anki_has(tmp_path):
    types = {"Vocabulary": ("Word", "Meaning", "Hint")}
    text = "---\ncard_type_hint: Vocabulary\n---\nidempotent :: Doing it twice changes nothing more.\n"
    card = await Pipeline(tmp_path, note_types=types).card(text)
    proposed = card.decision.proposed_card
    assert (proposed.card_type, proposed.model_name, card.decision.action) == ("Custom", "Vocabulary", Action.CREATE)
    assert proposed.fields == {"Word": "idempotent", "Meaning": "Doing it twice changes nothing more."}


@pytest.mark.parametrize(
    ("hint", "model"),
    [("Basic (and reversed card)", "Studium Basic (reversed)"), ("Unheard of", "Studium Basic")],
)
async def test_a_hint_at_a_note_type_is_followed_as_far_as_it_goes(pipeline, hint, model):
    card = await pipeline.card(f"---\ncard_type_hint: {hint}\n---\nidempotent :: Twice is like once.\n")
    assert card.decision.proposed_card.model_name == model


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Was ist ein Zeiger? :: Eine Variable, die die Adresse einer anderen Variable enthält.", "de"),
        ("Что такое указатель? :: Переменная, которая хранит адрес другой переменной.", "ru"),
        ("Що таке вказівник? :: Змінна, що зберігає адресу іншої змінної, її місце в пам'яті.", "uk"),
        ("What is a pointer? :: A variable that holds the address of another variable.", "en"),
    ],
)
async def test_the_language_is_found_out_where_the_note_does_not_say_it(pipeline, text, language):
    assert (await pipeline.card(text)).decision.proposed_card.language == language


async def test_a_declared_language_is_believed_where_the_script_agrees(pipeline):
    card = await pipeline.card("---\nlanguage_tags: [fr]\n---\nport SSH :: 22\n")
    assert card.decision.proposed_card.language == "fr"


async def test_the_graph_is_drawn_as_it_runs():
    from studium.cards import create_card_graph

    graph = create_card_graph(RulesModel(RULES), lambda _: None, CardPolicy(), render=unrendered)
    steps = [node for node in graph.get_graph().nodes if not node.startswith("__")]
    assert steps == [
        "map_to_anki_fields",
        "validate_anki_schema",
        "polish_card_style",
        "qa_check_card",
        "compare_cards",
        "decide",
    ]
