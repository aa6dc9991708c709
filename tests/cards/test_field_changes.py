"""How much a change matters."""

import pytest

from studium.cards.merge import classify_change, compare_fields

LONG = "OSPF floods link-state advertisements to all routers of an area."
KINDS = [
    ("one<br>two", "one<div>two</div>", "cosmetic"),
    (LONG, LONG.replace("OSPF", "<b>OSPF</b>"), "cosmetic"),
    (f"<p>{LONG}</p>", LONG, "cosmetic"),
    (LONG, LONG.replace("all", "no"), "content"),
    (LONG, LONG + '<img src="a.png">', "content"),
    ('<img src="a.png"> a', '<img src="b.png"> a', "content"),
    ("[sound:a.mp3] a", "[sound:b.mp3] a", "content"),
    ("", LONG, "content"),
    (LONG, "", "structural"),
    (LONG, "TCP retransmits lost segments after a timeout.", "structural"),
    ("{{c1::a}} b", "{{c1::a}} {{c2::b}}", "structural"),
    ("{{c1::a}} {{c2::b}}", "{{c2::a}} {{c1::b}}", "structural"),
    ("{{c1::a}} is first of all", "{{c1::z}} is first of all", "content"),
]


@pytest.mark.parametrize(("old", "new", "kind"), KINDS)
def test_kinds_of_change(old, new, kind):
    assert classify_change(old, new) == kind


def test_another_wording_of_the_same_is_content():
    old, new = "A fast cache", "Quick temporary storage"
    assert classify_change(old, new, similarity=lambda _one, _other: 0.3) == "structural"
    assert classify_change(old, new, similarity=lambda _one, _other: 0.9) == "content"
    assert classify_change("{{c1::a}} x", "{{c2::a}} x", similarity=lambda _one, _other: 1.0) == "structural"


def test_fields_are_compared_one_by_one():
    existing = {"Front": "What is it?", "Back": "It is " + LONG, "Mine": "x"}
    diff = compare_fields(existing, {"Front": "<b>What is it?</b>", "Back": "It was " + LONG})
    assert [(each.field, each.severity) for each in diff.changes] == [("Front", "cosmetic"), ("Back", "content")]
    assert diff.should_update
    assert diff.risk_level == "medium"


def test_nothing_to_change():
    diff = compare_fields({"Front": "a", "Back": "b"}, {"Front": "a"})
    assert (diff.changes, diff.should_update, diff.risk_level) == ((), False, "low")


def test_a_new_field_or_another_note_type_is_a_change_of_structure():
    assert compare_fields({"Front": "a"}, {"Hint": "b"}).changes[0].severity == "structural"
    assert compare_fields({"Front": "a"}, {"Front": "a"}, same_model=False).risk_level == "high"
