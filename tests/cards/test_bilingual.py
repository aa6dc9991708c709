"""One question in two languages: on one card, or on two that know of each other."""

from dataclasses import replace

import pytest
from tests.cards.pipeline import Pipeline, actions, fields, published

from studium.cards.rules.mapping import RULE
from studium.cards.state import CardPolicy
from studium.core.domain.decision import Action

NOTE = """\
    ---
    topic: Networking
    language_tags: [en, ru]
    ---
    # Question (EN)
    > What does OSPF flood?

    # Вопрос (RU)
    > Что рассылает OSPF?

    ## Answer (EN)
    Link-state advertisements.

    ## Ответ (RU)
    Объявления состояния каналов.
    """
TWO = CardPolicy(bilingual="separate_cards")


async def test_both_languages_stand_on_one_card_english_first(pipeline):
    card = await pipeline.card(NOTE)
    assert card.decision.action is Action.CREATE
    assert fields(card) == {
        "Front": f"What does OSPF flood?{RULE}Что рассылает OSPF?",
        "Back": f"Link-state advertisements.{RULE}Объявления состояния каналов.",
    }
    proposed = card.decision.proposed_card
    assert (proposed.language, proposed.bilingual_mode) == ("en+ru", "front_back")


async def test_separate_cards_name_each_other(tmp_path):
    english, russian = await Pipeline(tmp_path, TWO).cards(NOTE)
    assert [fields(card)["Front"] for card in (english, russian)] == ["What does OSPF flood?", "Что рассылает OSPF?"]
    assert english.decision.proposed_card.notes == f"In another language: {russian.card_id}."
    assert russian.decision.proposed_card.notes == f"In another language: {english.card_id}."
    assert (english.siblings, russian.siblings) == ((russian.card_id,), (english.card_id,))
    assert russian.decision.proposed_card.bilingual_mode == "separate_cards"


@pytest.mark.parametrize("policy", [CardPolicy(), TWO], ids=["front_back", "separate_cards"])
async def test_a_text_in_the_wrong_language_is_noticed_on_either_kind_of_card(tmp_path, policy):
    text = NOTE.replace("Объявления состояния каналов.", "It floods the state of its links to all of them.")
    cards = await Pipeline(tmp_path, policy).cards(text)
    assert cards[-1].decision.action is Action.MANUAL_REVIEW
    assert cards[-1].decision.messages[0] == "The answer should be in ru but is in en."


async def test_a_language_that_stayed_while_the_other_changed_is_stale(tmp_path):
    pipeline = Pipeline(tmp_path, TWO)
    before = await pipeline.cards(NOTE)
    existing = {card.card_id: published(card) for card in before}
    changed = NOTE.replace("Link-state advertisements.", "Link-state advertisements, every 30 minutes.")
    english, russian = await pipeline.cards(changed, existing)
    assert (english.decision.action, english.writes["Back"]) == (
        Action.UPDATE,
        "Link-state advertisements, every 30 minutes.",
    )
    assert russian.decision.action is Action.MANUAL_REVIEW
    assert russian.decision.messages == ("The text in EN changed, the text in RU did not: is it still right?",)


async def test_a_joined_card_is_stale_when_one_of_its_languages_changed(pipeline):
    card = await pipeline.card(NOTE)
    changed = NOTE.replace("Объявления состояния", "Объявления (LSA) состояния")
    again = await pipeline.card(changed, {card.card_id: published(card)})
    assert again.decision.messages == ("The text in RU changed, the text in EN did not: is it still right?",)


async def test_languages_that_changed_together_are_updated_together(tmp_path):
    pipeline = Pipeline(tmp_path, TWO)
    existing = {card.card_id: published(card) for card in await pipeline.cards(NOTE)}
    changed = NOTE.replace("advertisements.", "advertisements (LSAs).").replace("каналов.", "каналов (LSA).")
    assert actions(await pipeline.cards(changed, existing)) == ["update", "update"]


async def test_without_a_remembered_text_nothing_is_called_stale(tmp_path):
    pipeline = Pipeline(tmp_path, TWO)
    existing = {card.card_id: replace(published(card), content_key=None) for card in await pipeline.cards(NOTE)}
    changed = NOTE.replace("Link-state advertisements.", "Link-state advertisements, every 30 minutes.")
    assert actions(await pipeline.cards(changed, existing)) == ["update", "skip"]


async def test_a_card_with_history_is_not_dropped_when_its_language_moves_to_a_joined_card(tmp_path):
    apart = await Pipeline(tmp_path, TWO).cards(NOTE)
    existing = {apart[1].card_id: published(apart[1])}
    (joined,) = await Pipeline(tmp_path).cards(NOTE, existing)
    assert joined.card_id == apart[1].card_id, "the card that is known goes on"
    both = {card.card_id: published(card) for card in apart}
    joined, left = await Pipeline(tmp_path).cards(NOTE, both)
    assert (left.card_id, left.decision.action) == (apart[1].card_id, Action.MANUAL_REVIEW)
    assert f"is now on card {joined.card_id}" in left.decision.messages[0]


async def test_a_question_in_one_language_only_is_an_ordinary_card(pipeline):
    russian = [line for line in NOTE.splitlines() if "RU" in line or "Что" in line or "Объявления" in line]
    card = await pipeline.card("\n".join(line for line in NOTE.splitlines() if line not in russian))
    assert (card.decision.proposed_card.bilingual_mode, card.decision.proposed_card.language) == (None, "en")


async def test_long_answers_in_two_languages_have_room_for_both(pipeline):
    long = "The first sentence says it all. " + "And more is said about it here. " * 60
    card = await pipeline.card(NOTE.replace("Link-state advertisements.", f"Link-state advertisements.\n\n    {long}"))
    assert card.decision.action is Action.CREATE
    assert "Объявления состояния каналов." in fields(card)["Back"]
    assert fields(card)["Extra"].startswith("Link-state advertisements.\n\nThe first sentence")
