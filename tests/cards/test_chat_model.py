"""A model in the place of the rules: it proposes and judges, and overrules nothing."""

import pytest
from tests.cards.pipeline import Pipeline, actions, fields

from studium.cards.models import QAIssue, QAReport
from studium.cards.skills import JudgedCard, JudgedCards, MappedCard, MappedCards, PolishedCard, PolishedCards
from studium.cards.state import CardPolicy
from studium.core.domain.decision import Action
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.skill import Answer
from studium.core.llm.models import ScriptedModel

NOTE = """\
    # Question
    What does an OSPF router flood, and how often is it repeated?

    # Answer
    It floods link-state advertisements. Each is repeated after 30 minutes, but never sooner than 5 seconds.
    """
FIRST = "It floods link-state advertisements."
SECOND = "Each is repeated after 30 minutes, but never sooner than 5 seconds."


def mapped(
    back: str, *quotes: str, card_id: str = "a", front: str = "What does OSPF flood, and how often?"
) -> MappedCards:
    return MappedCards(cards=(MappedCard(card_id=card_id, fields={"Front": front, "Back": back}, quotes=quotes),))


def judged(score: float, *issues: QAIssue, card_id: str = "a") -> JudgedCards:
    return JudgedCards(cards=(JudgedCard(card_id=card_id, report=QAReport(qa_score=score, issues=issues)),))


GOOD = mapped("Link-state advertisements, after 30 minutes, but never sooner than 5 seconds.", SECOND)
FINE = judged(0.95)
VAGUE = QAIssue(type="style_issue", severity="medium", message="Too vague.")


def pipeline(folder, policy: CardPolicy | None = None, **script) -> Pipeline:
    answers = {f"cards.{skill}": script.get(skill, []) for skill in ("map", "qa", "polish")}
    return Pipeline(folder, policy, ScriptedModel(answers))


async def test_a_models_card_is_framed_proved_and_accepted(tmp_path):
    card = await pipeline(tmp_path, map=[GOOD], qa=[FINE]).card(NOTE)
    assert (card.decision.action, card.score) == (Action.CREATE, 0.95)
    assert fields(card)["Front"] == "What does OSPF flood, and how often?"
    assert [evidence.where.line for evidence in card.evidence] == [5]
    assert card.decision.proposed_card.model_name == "Studium Basic"


async def test_a_quote_that_is_not_in_the_note_is_requested_again_with_the_reason(tmp_path):
    invented = mapped("Hellos.", "It floods hello packets.")
    steps = pipeline(tmp_path, map=[invented, GOOD], qa=[FINE])
    card = await steps.card(NOTE)
    assert card.decision.action is Action.CREATE
    again = [asked.given for asked in steps.model.asked if asked.skill == "cards.map"][1]
    assert "It floods hello packets." in again.feedback["a"][0]


async def test_an_invented_quote_never_reaches_a_sink(tmp_path):
    inventions = [mapped(f"Hellos {n}.", "It floods hello packets.") for n in ("one", "two", "three")]
    card = await pipeline(tmp_path, map=inventions).card(NOTE)
    assert card.decision.action is Action.MANUAL_REVIEW
    assert [finding.code for finding in card.findings] == ["evidence.missing"]
    assert card.rendered is None


@pytest.mark.parametrize(
    ("back", "quotes", "message"),
    [
        ("LSAs, repeated after 60 minutes.", (FIRST,), "The answer says 60, which the note does not say."),
        (
            "LSAs, repeated, but never sooner than 5 seconds.",
            (SECOND,),
            "The answer leaves out 30, which its quotes contain.",
        ),
        (
            "LSAs after 30 minutes, or sooner than 5 seconds.",
            (SECOND,),
            "Either the answer or its quotes have a negation, but not both.",
        ),
        (
            "Hello packets keep neighbours alive on links.",
            (FIRST,),
            "The answer says something that the note does not say.",
        ),
    ],
)
async def test_a_reworded_answer_keeps_the_numbers_and_denials_of_its_quotes(tmp_path, back, quotes, message):
    policy = CardPolicy(allow_auto_fix=False)
    card = await pipeline(tmp_path, policy, map=[mapped(back, *quotes)], qa=[judged(1.0)]).card(NOTE)
    assert card.decision.action is Action.MANUAL_REVIEW, "however good the judge finds it"
    assert message in card.decision.messages


async def test_a_judge_who_finds_a_fault_is_heard(tmp_path):
    fault = QAIssue(type="answer_mismatch", severity="high", message="It answers something else.")
    card = await pipeline(tmp_path, CardPolicy(allow_auto_fix=False), map=[GOOD], qa=[judged(0.9, fault)]).card(NOTE)
    assert card.decision.messages == ("It answers something else.", "Its score is 0.9.")


async def test_a_poor_card_is_remade_with_feedback_and_the_fix_is_noted(tmp_path):
    better = mapped("Link-state advertisements: after 30 minutes, but never sooner than 5 seconds.", SECOND)
    steps = pipeline(tmp_path, map=[GOOD, better], qa=[judged(0.4, VAGUE), FINE])
    card = await steps.card(NOTE)
    assert card.decision.action is Action.CREATE
    assert steps.model.asked[2].given.feedback == {"a": ("Too vague.",)}
    assert card.decision.qa_report.auto_fixed == ("Too vague.",)


async def test_without_auto_fix_a_poor_score_goes_straight_to_a_person(tmp_path):
    steps = pipeline(tmp_path, CardPolicy(allow_auto_fix=False), map=[GOOD], qa=[judged(0.4)])
    card = await steps.card(NOTE)
    assert card.decision.messages == ("Its score is 0.4.",)
    assert len(steps.model.asked) == 2


async def test_the_tries_are_counted(tmp_path):
    tries = [mapped(f"Try {word}.", "Not in the note.") for word in ("one", "two", "three", "four")]
    steps = pipeline(tmp_path, CardPolicy(max_mapping_retries=1), map=tries)
    await steps.card(NOTE)
    assert len(steps.model.asked) == 2


async def test_a_card_that_nobody_asked_for_is_left_out_and_reported(tmp_path):
    both = MappedCards(cards=(*GOOD.cards, *mapped("x", FIRST, card_id="ghost").cards))
    state = await pipeline(tmp_path, map=[both], qa=[FINE]).run(NOTE)
    assert [card.card_id for card in state["cards"]] == ["a"]
    assert [finding.code for finding in state["findings"]] == ["card.unknown"]
    assert "ghost" in state["findings"][0].message


async def test_a_card_that_the_model_forgot_goes_to_a_person(tmp_path):
    two = NOTE + "\n    # Question\n    Which area is the backbone of OSPF?\n\n    # Answer\n    Area 0.\n"
    cards = await pipeline(tmp_path, map=[GOOD], qa=[FINE]).cards(two)
    assert actions(cards) == ["create", "manual_review"]
    assert cards[1].decision.messages == ("No card was made.",)


async def test_a_model_that_gives_no_answer_sends_its_cards_to_a_person_with_the_reason(tmp_path):
    failure = Finding(code="mind.invalid_output", severity=Severity.ERROR, message="The model gave no usable answer.")
    card = await pipeline(tmp_path, map=[Answer(None, (failure,))]).card(NOTE)
    assert (card.decision.action, card.findings) == (Action.MANUAL_REVIEW, (failure,))
    card = await pipeline(tmp_path, map=[GOOD], qa=[Answer(None, (failure,))]).card(NOTE)
    assert (card.decision.action, card.findings) == (Action.MANUAL_REVIEW, (failure,))


async def test_a_card_that_the_judge_forgot_goes_to_a_person(tmp_path):
    card = await pipeline(tmp_path, map=[GOOD], qa=[JudgedCards(cards=())]).card(NOTE)
    assert card.decision.messages == ("The card could not be judged.",)


async def test_a_persons_remark_reaches_the_mapper(tmp_path):
    steps = pipeline(tmp_path, map=[GOOD], qa=[FINE])
    await steps.run(NOTE, feedback=["Name the timer."])
    assert steps.model.asked[0].given.feedback == {"a": ("Name the timer.",)}


async def test_a_model_may_make_a_cloze_of_a_question(tmp_path):
    cloze = MappedCards(
        cards=(
            MappedCard(
                card_id="a",
                fields={"Text": "An OSPF router floods {{c1::link-state advertisements}}."},
                quotes=(FIRST,),
            ),
        )
    )
    card = await pipeline(tmp_path, map=[cloze], qa=[FINE]).card(NOTE)
    assert (card.decision.proposed_card.model_name, card.decision.action) == ("Studium Cloze", Action.CREATE)


async def test_a_joined_card_that_lost_a_language_is_noticed(tmp_path):
    text = """\
    # Question (EN)
    > What does OSPF flood?
    ## Answer (EN)
    Link-state advertisements of all links.
    # Вопрос (RU)
    > Что рассылает OSPF?
    ## Ответ (RU)
    Объявления состояния каналов.
    """
    lone = mapped("Объявления состояния каналов.", "Объявления состояния каналов.", front="What does OSPF flood?")
    card = await pipeline(tmp_path, CardPolicy(allow_auto_fix=False), map=[lone], qa=[judged(1.0)]).card(text)
    assert card.decision.action is Action.MANUAL_REVIEW


POLISH = CardPolicy(polish=True)


def polished(**changed: str) -> PolishedCards:
    return PolishedCards(cards=(PolishedCard(card_id="a", fields=changed),))


async def test_a_polished_card_is_taken(tmp_path):
    better = polished(Front="What does OSPF flood, how often?", Hint="three letters")
    card = await pipeline(tmp_path, POLISH, map=[GOOD], polish=[better], qa=[FINE]).card(NOTE)
    assert fields(card)["Front"] == "What does OSPF flood, how often?"
    assert fields(card)["Hint"] == "three letters"


@pytest.mark.parametrize(
    "changed",
    [
        {"Back": "Link-state advertisements, after 60 minutes, but never sooner than 5 seconds."},
        {"Back": "Link-state advertisements, after 30 minutes, sooner than 5 seconds."},
        {"Back": "Hello packets keep neighbours alive after 30 minutes, never sooner than 5 seconds, by multicast."},
        {"Front": ""},
        {"Colour": "red"},
        {"Back": "x" * 1300},
    ],
    ids=["another number", "a lost denial", "another text", "an emptied field", "an unknown field", "too long"],
)
async def test_a_polish_that_breaks_a_rule_is_dropped(tmp_path, changed):
    card = await pipeline(tmp_path, POLISH, map=[GOOD], polish=[polished(**changed)], qa=[FINE]).card(NOTE)
    assert fields(card) == GOOD.cards[0].fields
    assert card.decision.action is Action.CREATE


async def test_rules_tidy_a_front_and_hint_at_the_topic_only_where_that_helps(tmp_path):
    text = """\
    # BGP timers

    Q: Default  hold time ??
    A: 90 seconds.

    Q: Which of the names `a  b` and `b` sorts first in Python ?
    A: The first.
    """
    first, second = await Pipeline(tmp_path, POLISH).cards(text)
    assert fields(first) == {"Front": "Default hold time?", "Back": "90 seconds.", "Hint": "BGP timers"}
    assert fields(second) == {
        "Front": "Which of the names `a  b` and `b` sorts first in Python ?",
        "Back": "The first.",
    }


@pytest.mark.parametrize(
    "heading",
    ["Questions", "Hold time", "Time since the last keepalive or update that came from a neighbour"],
)
async def test_a_heading_that_says_nothing_more_or_too_much_is_no_hint(tmp_path, heading):
    card = await Pipeline(tmp_path, POLISH).card(f"# {heading}\n\nQ: Default hold time?\nA: 90 seconds.\n")
    assert "Hint" not in fields(card)


async def test_a_model_that_cannot_polish_leaves_the_cards_as_they_are(tmp_path):
    failure = Finding(code="mind.invalid_output", severity=Severity.ERROR, message="The model gave no usable answer.")
    state = await pipeline(tmp_path, POLISH, map=[GOOD], polish=[Answer(None, (failure,))], qa=[FINE]).run(NOTE)
    assert actions(state["cards"]) == ["create"]
    assert state["findings"] == [failure]
