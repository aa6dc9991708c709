"""A card that Anki has already: what the note changed, what the person changed, and what then happens."""

from dataclasses import replace

import pytest
from tests.cards.pipeline import Pipeline, actions, published, unrendered

from studium.cards import compare_cards
from studium.cards.state import CardPolicy
from studium.core.domain.decision import Action

NOTE = """\
    ---
    topic: Networking
    tags: [ospf]
    ---
    Q: What does an OSPF router flood to its area?
    A: It floods link-state advertisements, which describe its links.
    """
CHANGED = NOTE.replace("its links.", "its links and their costs.")


@pytest.fixture
async def known(pipeline):
    return await pipeline.card(NOTE)


async def test_a_card_that_is_as_it_should_be_is_left_alone(pipeline, known):
    card = await pipeline.card(NOTE, {"a": published(known)})
    assert (card.decision.action, card.decision.messages) == (Action.SKIP, ("Unchanged.",))
    assert not card.decision.diff.should_update


async def test_what_changed_in_the_note_is_written(pipeline, known):
    card = await pipeline.card(CHANGED, {"a": published(known)})
    assert card.decision.action is Action.UPDATE
    assert card.writes == {"Back": "It floods link-state advertisements, which describe its links and their costs."}
    assert card.decision.messages == ("Changed in the note: Back.",)
    assert [(change.field, change.severity) for change in card.decision.diff.changes] == [("Back", "content")]
    assert card.comparison.bases["Back"] == card.rendered.fields["Back"]


async def test_what_a_person_changed_in_anki_is_kept(pipeline, known):
    card = await pipeline.card(NOTE, {"a": published(known, edited={"Back": "LSAs!"})})
    assert (card.decision.action, card.writes) == (Action.SKIP, {})
    assert card.decision.messages == ("Kept your edit in Anki: Back.",)


async def test_changes_in_different_places_are_merged(pipeline, known):
    edited = {"Back": "It floods link-state advertisements (LSAs), which describe its links."}
    card = await pipeline.card(CHANGED, {"a": published(known, edited=edited)})
    assert card.decision.action is Action.UPDATE
    assert card.writes["Back"] == (
        "It floods link-state advertisements (LSAs), which describe its links and their costs."
    )


async def test_changes_in_the_same_place_wait_for_a_person_with_both_sides(pipeline, known):
    edited = {"Back": "It floods link-state advertisements, which describe its neighbours."}
    card = await pipeline.card(CHANGED, {"a": published(known, edited=edited)})
    assert card.decision.action is Action.MANUAL_REVIEW
    assert card.decision.messages == ("`Back` was changed in Anki and in the note.",)
    conflict = card.conflicts["Back"]
    assert conflict.anki.endswith("its neighbours.")
    assert conflict.note.endswith("their costs.")
    (change,) = card.decision.diff.changes
    assert (change.old, change.new) == (conflict.anki, conflict.note)
    assert card.writes == {}


async def test_without_a_base_nobody_knows_who_changed_what(pipeline, known):
    existing = replace(published(known, edited={"Back": "LSAs, of course."}), base=None)
    card = await pipeline.card(NOTE, {"a": existing})
    assert card.decision.action is Action.MANUAL_REVIEW
    assert card.decision.messages == ("`Back` differs, and it is not known who changed it.",)


async def test_content_updates_can_be_left_to_a_person(tmp_path, known):
    strict = Pipeline(tmp_path, CardPolicy(allow_content_updates=False))
    card = await strict.card(CHANGED, {"a": published(known)})
    assert card.decision.messages == ("The content changed, and `allow_content_updates` is off.",)
    cosmetic = NOTE.replace("link-state advertisements", "<b>link-state advertisements</b>")
    card = await strict.card(cosmetic, {"a": published(known)})
    assert (card.decision.action, card.decision.diff.risk_level) == (Action.UPDATE, "low")


async def test_a_question_that_is_all_new_is_perhaps_another_card(pipeline, known):
    text = NOTE.replace("What does an OSPF router flood to its area?", "How do neighbours share the map of links?")
    card = await pipeline.card(text, {"a": published(known)})
    assert card.decision.action is Action.MANUAL_REVIEW
    assert "is it still the same card?" in card.decision.messages[0]
    assert card.decision.diff.risk_level == "high"


async def test_an_answer_that_is_all_new_belongs_to_the_same_question(pipeline, known):
    text = NOTE.replace("It floods link-state advertisements, which describe its links.", "LSAs.")
    card = await pipeline.card(text, {"a": published(known)})
    assert (card.decision.action, card.writes) == (Action.UPDATE, {"Back": "LSAs."})


async def test_a_changed_text_that_fails_the_checks_is_not_written(pipeline, known):
    text = NOTE.replace("It floods link-state advertisements, which describe its links.", "TODO")
    card = await pipeline.card(text, {"a": published(known)})
    assert card.decision.action is Action.MANUAL_REVIEW
    assert "The answer is only “TODO”." in card.decision.messages


async def test_a_doubtful_card_that_a_person_approved_is_not_doubted_again(pipeline):
    text = "Is a tuple immutable and ordered :: Immutable, ordered.\n"
    doubtful = await pipeline.card(text)
    assert doubtful.decision.action is Action.MANUAL_REVIEW
    approved = replace(doubtful, rendered=unrendered(doubtful.decision.proposed_card, "", "", "a"))
    again = await pipeline.card(text, {"a": published(approved)})
    assert again.decision.action is Action.SKIP


async def test_tags_and_deck_follow_the_note_and_spare_what_is_the_persons(pipeline, known):
    moved = NOTE.replace("tags: [ospf]", "tags: [routing]").replace("topic: Networking", "topic: Routing")
    card = await pipeline.card(moved, {"a": published(known, tags=("leech", "mine"))})
    assert card.decision.action is Action.UPDATE
    assert (card.comparison.add_tags, card.comparison.remove_tags) == (("routing",), ("ospf",))
    assert card.comparison.move_to == "Routing"
    assert card.decision.messages == ("Changed in the note: tags or deck.",)


async def test_another_note_type_is_changed_by_a_person(pipeline):
    known = await pipeline.card("idempotent :: Twice is like once.\n")
    card = await pipeline.card("idempotent ::: Twice is like once.\n", {"a": published(known)})
    assert card.decision.action is Action.MANUAL_REVIEW
    assert "another note type than `Studium Basic (reversed)`" in card.decision.messages[0]


CLOZE = "---\ntags: [cloze]\n---\n==OSPF== floods ==LSAs== in its area.\n"


async def test_cloze_numbers_keep_their_meaning_when_another_cloze_comes_before(pipeline):
    known = await pipeline.card(CLOZE)
    assert known.rendered.fields["Text"] == "{{c1::OSPF}} floods {{c2::LSAs}} in its area."
    text = CLOZE.replace("==OSPF== floods", "Being a ==link-state== protocol, ==OSPF== floods")
    card = await pipeline.card(text, {"a": published(known)})
    assert card.writes["Text"] == "Being a {{c3::link-state}} protocol, {{c1::OSPF}} floods {{c2::LSAs}} in its area."
    assert card.decision.action is Action.UPDATE, "every number still hides what it hid"


async def test_a_cloze_that_goes_takes_a_card_with_it_so_a_person_decides(pipeline):
    known = await pipeline.card(CLOZE)
    card = await pipeline.card(CLOZE.replace("==OSPF==", "OSPF"), {"a": published(known)})
    assert card.decision.action is Action.MANUAL_REVIEW


async def test_cloze_numbers_that_the_learner_wrote_stay(pipeline):
    known = await pipeline.card("{{c1::OSPF}} floods {{c2::LSAs}} in its area.\n")
    card = await pipeline.card("{{c2::OSPF}} floods {{c1::LSAs}} in its area.\n", {"a": published(known)})
    assert card.writes["Text"] == "{{c2::OSPF}} floods {{c1::LSAs}} in its area."
    assert card.decision.action is Action.MANUAL_REVIEW, "each number now hides something else"


async def test_new_and_known_cards_of_one_note_are_decided_side_by_side(pipeline, known):
    more = NOTE + "\n    Q: Which port does SSH use?\n    A: 22\n"
    assert actions(await pipeline.cards(more, {"a": published(known)})) == ["skip", "create"]


async def test_a_card_can_be_compared_by_itself(known):
    existing = published(known, edited={"Back": "LSAs!"})
    comparison = compare_cards(existing, known.decision.proposed_card, known.rendered)
    assert comparison.changes_nothing
    assert comparison.kept == ("Back",)


async def test_a_card_without_cards_in_anki_is_not_moved(pipeline, known):
    existing = published(known)
    bare = replace(existing, anki=existing.anki.model_copy(update={"cards": ()}))
    card = await pipeline.card(NOTE.replace("topic: Networking", "topic: Routing"), {"a": bare})
    assert card.decision.action is Action.SKIP
