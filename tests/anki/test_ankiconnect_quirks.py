"""The add-on's known traps, each switched on."""

from contextlib import closing

import pytest

from studium.anki.ankiconnect.store import AnkiConnect
from studium.anki.store import MediaFile, NewNote
from studium.core.domain.errors import ServiceDown


def decks_of(anki) -> set[str]:
    return {anki.collection.decks.name(deck) for deck in anki.collection.db.list("select distinct did from cards")}


def asked(anki, action: str) -> list[dict]:
    """The parameters of every time this action was asked for, alone or in a `multi`."""
    inner = [one for body in anki.bodies for one in body["params"].get("actions", [body])]
    return [one["params"] for one in inner if one["action"] == action]


def test_notes_that_land_in_the_wrong_deck_are_moved(anki, connected, note):
    anki.traps.wrong_deck = True
    connected.add([note(f"n{number}", deck=f"Net::{number % 3}") for number in range(30)])
    assert decks_of(anki) == {"Net::0", "Net::1", "Net::2"}
    assert all(one.cards[0].deck == f"Net::{int(one.card_id[1:]) % 3}" for one in connected.our_notes())


def test_notes_of_any_type_are_moved_out_of_the_wrong_deck(anki, connected):
    anki.traps.wrong_deck = True
    connected.add([NewNote(note_type="Basic", deck="Mine", fields={"Front": "x"})])
    assert decks_of(anki) == {"Mine"}


@pytest.mark.parametrize("forgets", [False, True])
def test_decks_with_special_characters_are_not_believed_to_be_empty(anki, connected, note, forgets):
    anki.traps.special_decks_empty = forgets
    decks = ["C++ & (x) 'y'", "100% *new*", "a_b", 'say "hi"', "back\\slash", "Net: OSPF", "und?", "C++ & (x) 'y'::z"]
    ids = connected.add([note(f"n{place}", deck=deck) for place, deck in enumerate(decks)])
    cards = [connected.notes([one])[one].cards[0] for one in ids]
    assert [card.deck for card in cards] == decks
    assert [one.cards[0].deck for one in connected.our_notes()] == decks
    assert [anki.collection.decks.name(anki.collection.get_card(card.id).did) for card in cards] == decks
    assert bool(asked(anki, "getDecks")[:-1]) is forgets
    assert not asked(anki, "changeDeck"), "what lies right is not moved"


@pytest.mark.parametrize("answer", ["null", "raise"])
def test_a_refused_note_among_many_is_named_and_the_others_are_kept(anki, connected, note, answer):
    anki.traps.duplicates = answer
    twice = NewNote(note_type="Basic", deck="Mine", fields={"Front": "same"})
    connected.add([twice])
    notes = [note(f"n{number}") for number in range(120)]
    notes[17], notes[110] = twice, note("empty", front=" ")
    told = connected.add(notes)
    assert {place: one.code for place, one in enumerate(told) if not isinstance(one, int)} == {
        17: "duplicate",
        110: "empty_note",
    }
    assert len(set(told) - {told[17], told[110]}) == 118
    assert anki.collection.note_count() == 119


def test_an_old_add_on_that_lacks_what_is_needed_is_reported(anki, connected, note):
    connected.add([note("a1")])
    anki.traps.missing = frozenset({"getDecks"})
    with pytest.raises(ServiceDown, match="lacks an action") as told:
        connected.our_notes()
    assert told.value.remedy == "Update the AnkiConnect add-on in Anki."


def test_an_add_on_without_the_detailed_check_still_says_why(anki, connected, note):
    anki.traps.missing = frozenset({"canAddNotesWithErrorDetail", "canAddNotes"})
    (told,) = connected.add([note("a1", front="")])
    assert told.code == "empty_note"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_media_goes_by_path_where_anki_can_read_it(anki, host, tmp_path):
    anki.traps.slow_media = 60
    file = tmp_path / "big.mp3"
    file.write_bytes(bytes(2_000_000))
    with closing(AnkiConnect(anki.address.replace("127.0.0.1", host))) as store:
        assert store.store_media([MediaFile(name="big.mp3", path=str(file))]) == []
    assert [("path" in sent, "data" in sent) for sent in asked(anki, "storeMediaFile")] == [(True, False)]


def test_media_is_sent_where_anki_cannot_read_it_and_given_the_time_it_takes(anki, tmp_path):
    anki.traps.sandboxed, anki.traps.slow_media = True, 0.25
    files = []
    for number in range(3):
        file = tmp_path / f"{number}.png"
        file.write_bytes(bytes([number]) * 1_900_000)
        files.append(MediaFile(name=file.name, path=str(file)))
    with closing(AnkiConnect(anki.address, timeout=1)) as store:
        assert store.store_media(files) == []
    assert sorted(anki._actions.get_media_files_names()) == ["0.png", "1.png", "2.png"]
    sent = [len(body["params"]["actions"]) for body in anki.bodies if "data" in str(body)[:300]]
    assert sent == [2, 1], "not more in one request than Anki can swallow"


def test_a_file_that_is_too_large_to_send_is_reported(anki, connected, tmp_path):
    anki.traps.sandboxed = True
    with (tmp_path / "film.mp4").open("wb") as file:
        file.truncate(25_000_000)
    (told,) = connected.store_media([MediaFile(name="film.mp4", path=str(tmp_path / "film.mp4"))])
    assert (told.code, "25 MB" in told.message) == ("media_refused", True)


def test_an_update_that_anki_only_pretends_to_take_is_reported(anki, connected, note):
    one, other = connected.add([note("a1"), note("a2")])
    anki.traps.open_in_browser = {one}
    told = connected.update_fields({one: {"Back": "new"}, other: {"Back": "new"}})
    assert {place: finding.code for place, finding in told.items()} == {one: "note_open"}
    assert "close it in Anki's browser" in told[one].message
    assert connected.notes([other])[other].fields["Back"] == "new"


def test_every_action_within_a_multi_carries_version_and_key(anki):
    anki.traps.key = "s3cret"
    with closing(AnkiConnect(anki.address, key="s3cret")) as store:
        store.add([NewNote(note_type="Basic", deck="D", fields={"Front": "x"})])
        assert store.note_types()["Basic"] == ("Front", "Back")
    inner = [one for body in anki.bodies for one in [body, *body["params"].get("actions", [])]]
    assert len(inner) > len(anki.bodies)
    assert {(one["version"], one["key"]) for one in inner} == {(6, "s3cret")}


@pytest.mark.parametrize("key", [None, "wr0ng"])
def test_a_wrong_key_is_reported_without_the_key(anki, key):
    anki.traps.key = "s3cret"
    with (
        closing(AnkiConnect(anki.address, key=key)) as store,
        pytest.raises(ServiceDown, match="refuses our key") as told,
    ):
        store.our_notes()
    assert "apiKey" in told.value.remedy
    assert "wr0ng" not in str(told.value) + told.value.remedy


def test_without_an_open_profile_nothing_works_and_the_remedy_is_reported(anki, connected, note):
    anki.traps.profile_open = False
    for call in (connected.our_notes, lambda: connected.add([note("a1")]), lambda: connected.update_fields({1: {}})):
        with pytest.raises(ServiceDown, match="no profile open") as told:
            call()
        assert "Open a profile" in told.value.remedy


def test_a_sync_takes_few_requests(anki, connected, note):
    connected.note_types()
    connected.our_notes()
    ids = connected.add([note(f"n{number}", deck=f"Net::{number % 7}") for number in range(1000)])
    assert len(anki.requests) <= 10 + 1000 / 50
    anki.requests.clear()
    connected.note_types()
    assert len(connected.our_notes()) == 1000
    connected.update_fields({one: {"Back": "new"} for one in ids[:500]})
    connected.change_tags(dict.fromkeys(ids[:250], (("x",), ())))
    assert len(anki.requests) <= 10 + 500 / 50
    anki.requests.clear()
    connected.note_types()
    connected.our_notes()
    connected.add([note("one-more")])
    connected.update_fields({ids[0]: {"Back": "newer"}})
    assert len(anki.requests) <= 10
