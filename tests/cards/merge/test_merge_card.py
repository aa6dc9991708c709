"""All fields of a card, its tags and its deck."""

from studium.cards.merge import FieldConflict, merge_card, merge_deck, merge_tags, remembered_tags

OURS = ("Front", "Back", "Extra")
BASE = {"Front": "What is a LAN?", "Back": "A local network.", "Extra": ""}


def test_only_fields_that_changed_are_written():
    merge = merge_card(BASE, BASE | {"Mine": "x"}, BASE | {"Back": "A local area network."}, ours=OURS)
    assert merge.writes == {"Back": "A local area network."}
    assert merge.outcomes == {"Front": "same", "Back": "take_note", "Extra": "same"}
    assert not merge.conflicts
    assert not merge.kept


def test_fields_that_are_not_ours_are_never_written():
    note = {"Front": "New?", "Mine": "overwritten"}
    merge = merge_card(BASE | {"Mine": "a"}, BASE | {"Mine": "a"}, note, ours=("Front",))
    assert merge.writes == {"Front": "New?"}


def test_a_field_that_the_card_does_not_have_is_not_written():
    assert merge_card(None, {"Front": "a"}, {"Front": "a", "Hint": "b"}, ours=("Front", "Hint")).writes == {}


def test_a_field_that_the_note_gave_up_is_emptied_unless_the_person_edited_it():
    base = BASE | {"Extra": "See RFC 894."}
    without = {"Front": BASE["Front"], "Back": BASE["Back"]}
    assert merge_card(base, base, without, ours=OURS).writes == {"Extra": ""}
    edited = merge_card(base, base | {"Extra": "See RFC 894 and mine."}, without, ours=OURS)
    assert (edited.writes, edited.kept, edited.outcomes["Extra"]) == ({}, (), "conflict")


def test_edits_of_the_person_are_kept_and_reported():
    anki = BASE | {"Front": "What is a <b>LAN</b>?", "Back": "A local network, mine."}
    note = BASE | {"Back": "A small local network."}
    merge = merge_card(BASE, anki, note, ours=OURS)
    assert merge.kept == ("Front", "Back")
    assert merge.writes == {"Back": "A small local network, mine."}
    assert merge.bases == note


def test_a_conflict_shows_all_sides_and_keeps_its_base():
    anki, note = BASE | {"Back": "Ethernet."}, BASE | {"Back": "Wi-Fi."}
    merge = merge_card(BASE, anki, note, ours=OURS)
    assert merge.writes == {}
    assert merge.conflicts == {"Back": FieldConflict(base="A local network.", anki="Ethernet.", note="Wi-Fi.")}
    assert merge.bases == BASE


def test_a_card_without_a_base_is_a_conflict_only_where_it_differs():
    merge = merge_card(None, BASE | {"Back": "Ethernet."}, BASE, ours=OURS)
    assert set(merge.conflicts) == {"Back"}
    assert set(merge.bases) == {"Front", "Extra"}


class TestTags:
    def test_new_tags_are_added_and_ours_removed(self):
        assert merge_tags(("net", "old"), ("net", "old", "leech"), ("net", "new")) == (("new",), ("old",))

    def test_a_tag_the_person_removed_stays_away(self):
        assert merge_tags(("net", "lan"), ("net",), ("net", "lan")) == ((), ())

    def test_a_tag_of_the_person_is_never_removed(self):
        assert merge_tags(("net",), ("net", "mine"), ()) == ((), ("net",))

    def test_without_a_base_nothing_is_removed(self):
        assert merge_tags(None, ("old",), ("new",)) == (("new",), ())

    def test_case_does_not_matter_and_anki_s_spelling_is_removed(self):
        assert merge_tags(("Net",), ("NET",), ("net",)) == ((), ())
        assert merge_tags(("net",), ("NET",), ()) == ((), ("NET",))

    def test_a_tag_the_person_had_set_before_us_does_not_become_ours(self):
        ours = remembered_tags((), ("exam",), ("exam", "net"))
        assert ours == ("net",)
        assert merge_tags(ours, ("exam", "net"), ()) == ((), ("net",))

    def test_a_tag_the_person_removed_is_remembered(self):
        ours = remembered_tags(("net",), (), ("net",))
        assert merge_tags(ours, (), ("net",)) == ((), ())


class TestDeck:
    def test_the_note_moved(self):
        assert merge_deck("Net", "Net", "Net::LAN") == "Net::LAN"

    def test_the_person_moved_it(self):
        assert merge_deck("Net", "Exam", "Net") is None
        assert merge_deck("Net", "Exam", "Net::LAN") is None

    def test_it_is_there_already(self):
        assert merge_deck("Net", "net", "NET") is None

    def test_nobody_knows(self):
        assert merge_deck(None, "Exam", "Net") is None
