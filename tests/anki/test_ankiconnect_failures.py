"""Anki closed, closing, breaking off, hanging, or not Anki at all: nothing is lost and nothing is there twice."""

from contextlib import closing

import pytest
from tests.real.process import free_port

from studium.anki.ankiconnect.store import AnkiConnect
from studium.anki.store import NewNote
from studium.core.domain.errors import BadSettings, ServiceDown


def own_ids(anki) -> list[str]:
    """Our ids as they stand in the collection, with what is there twice."""
    fields = anki.collection.db.list("select flds from notes order by id")
    return sorted(text.split("\x1f")[-1] for text in fields)


def test_a_closed_anki_is_reported_with_the_remedy():
    address = f"http://127.0.0.1:{free_port()}"
    with closing(AnkiConnect(address)) as store, pytest.raises(ServiceDown) as told:
        store.our_notes()
    assert told.value.what == f"Anki does not answer at {address}."
    assert told.value.remedy.startswith("Start Anki with the AnkiConnect add-on 2055492159")


def test_an_address_that_is_none_is_a_bad_setting():
    with closing(AnkiConnect("localhost:8765")) as store, pytest.raises(BadSettings, match="localhost:8765"):
        store.our_notes()


def test_anki_closing_in_the_middle_of_an_add_loses_and_doubles_nothing(anki, connected, note):
    notes = [note(f"n{number:03}", front=f"Question {number}?") for number in range(300)]
    anki.break_on("addNotes", "answer_then_close")
    told = connected.add(notes)
    assert sum(isinstance(one, int) for one in told) == 100
    assert {one.code for one in told[100:]} == {"anki_gone"}
    assert "does not answer" in told[299].message
    anki.stop()
    anki.start()
    again = connected.add(notes)
    assert again[:100] == told[:100]
    assert own_ids(anki) == [f"n{number:03}" for number in range(300)]


def test_anki_that_dies_while_it_adds_has_each_note_once_after_the_next_try(anki, connected, note):
    notes = [note(f"n{number:03}") for number in range(150)]
    anki.break_on("addNotes", "close_after")
    with pytest.raises(ServiceDown):
        connected.add(notes)
    anki.stop()
    anki.start()
    assert all(isinstance(one, int) for one in connected.add(notes))
    assert own_ids(anki) == [f"n{number:03}" for number in range(150)]


@pytest.mark.parametrize("how", ["reset_before", "reset_after", "status_500", "garbage", "not_an_object"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_reply_that_is_lost_after_a_write_makes_no_duplicate(anki, connected, note, how, times):
    for _ in range(times):
        anki.break_on("addNotes", how)
    told = connected.add([note(f"n{number:03}", deck=f"D{number % 2}") for number in range(120)])
    assert len({one for one in told if isinstance(one, int)}) == 120
    assert own_ids(anki) == [f"n{number:03}" for number in range(120)]
    assert {one.cards[0].deck for one in connected.our_notes()} == {"D0", "D1"}


def test_a_reply_lost_while_the_refused_are_sorted_out_makes_no_duplicate(anki, connected, note):
    anki.break_on("addNote", "reset_after")
    told = connected.add([note("a1"), note("bad", front=""), note("a2")])
    assert [isinstance(one, int) for one in told] == [True, False, True]
    assert own_ids(anki) == ["a1", "a2"]


def test_a_note_that_nothing_tells_apart_is_not_added_again_on_a_guess(anki, connected):
    anki.break_on("addNotes", "reset_after")
    (told,) = connected.add([NewNote(note_type="Basic", deck="D", fields={"Front": "x"})])
    assert told.code == "unsure"
    assert anki.collection.note_count() == 1


def test_anki_that_never_keeps_its_word_is_given_up(anki, connected, note):
    for _ in range(3):
        anki.break_on("addNotes", "reset_before")
    with pytest.raises(ServiceDown, match="losing the added notes"):
        connected.add([note("a1")])


@pytest.mark.parametrize("action", ["findNotes", "notesInfo", "getDecks"])
def test_reading_survives_a_reset(anki, connected, note, action):
    connected.add([note("a1")])
    anki.break_on(action, "reset_before")
    anki.break_on(action, "reset_after")
    assert [one.card_id for one in connected.our_notes()] == ["a1"]


def test_a_connection_that_always_breaks_is_reported(anki, connected):
    for _ in range(3):
        anki.break_on("findNotes", "reset_before")
    with pytest.raises(ServiceDown, match="closed the connection"):
        connected.our_notes()
    assert len(anki.requests) == 3


def test_writes_that_may_be_repeated_survive_a_reset(anki, connected, note, note_types):
    one, other = connected.add([note("a1", tags=("x",)), note("a2")])
    cards = [card.id for each in connected.our_notes() for card in each.cards]
    for action in ("updateNoteFields", "removeTags", "changeDeck", "suspend", "createModel", "deleteNotes"):
        anki.break_on(action, "reset_after")
    extra = note_types[0].model_copy(update={"name": "Studium Extra"})
    connected.add_note_types([extra])
    assert connected.update_fields({one: {"Back": "new"}}) == {}
    connected.change_tags({one: (("y",), ("x",))})
    connected.move(cards, "Else")
    connected.suspend(cards, suspended=True)
    connected.remove_notes([other])
    (left,) = connected.our_notes()
    assert (left.fields["Back"], left.tags, left.cards[0].deck, left.cards[0].suspended) == (
        "new",
        ("y",),
        "Else",
        True,
    )
    assert connected.note_types()["Studium Extra"] == extra.fields


def test_anki_closing_in_the_middle_of_an_update_says_which_notes_wait(anki, connected, note):
    ids = connected.add([note(f"n{number:03}") for number in range(250)])
    anki.break_on("updateNoteFields", "answer_then_close")
    told = connected.update_fields({one: {"Back": "new"} for one in ids})
    assert list(told) == ids[100:]
    assert {finding.code for finding in told.values()} == {"anki_gone"}
    anki.stop()
    anki.start()
    assert connected.update_fields({one: {"Back": "new"} for one in told}) == {}
    assert {one.fields["Back"] for one in connected.our_notes()} == {"new"}


@pytest.mark.parametrize("how", ["status_500", "garbage", "not_an_object"])
def test_something_else_at_the_port_is_not_taken_for_anki(anki, connected, how):
    anki.break_on("findNotes", how)
    with pytest.raises(ServiceDown, match="is not AnkiConnect"):
        connected.find("deck:current")


def test_anki_that_hangs_is_waited_for_only_so_long(anki):
    anki.break_on("findNotes", "hang")
    with (
        closing(AnkiConnect(anki.address, timeout=0.2)) as store,
        pytest.raises(ServiceDown, match="within 0 s") as told,
    ):
        store.our_notes()
    assert "dialog" in told.value.remedy
    assert anki.requests == ["multi"]


def test_an_add_that_hangs_is_looked_up_before_it_is_repeated(anki, note_types, note):
    with closing(AnkiConnect(anki.address, timeout=1.5)) as store:
        store.add_note_types(note_types)
        anki.break_on("addNotes", "hang")
        assert all(isinstance(one, int) for one in store.add([note("a1"), note("a2")]))
    assert own_ids(anki) == ["a1", "a2"]
