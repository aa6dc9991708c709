"""What every collection does alike, whether Anki runs or its file is written."""

from pathlib import Path

import pytest

from studium.anki.store import ID_FIELD, AnkiStore, MediaFile, NewNote
from studium.core.domain.errors import BadInput, Conflict


def added(store: AnkiStore, *notes: NewNote) -> list[int]:
    ids = store.add(notes)
    assert all(isinstance(note, int) for note in ids), ids
    return ids


def cards_of(store: AnkiStore, note: int):
    return store.notes([note])[note].cards


def filtered_deck(collection, name: str, search: str) -> None:
    deck = collection.sched.get_or_create_filtered_deck(deck_id=0)
    deck.name = name
    deck.config.search_terms[0].search = search
    collection.sched.add_or_update_filtered_deck(deck)


def test_note_types_are_made_once_and_a_persons_own_changes_to_them_stay(store, inside, note_types):
    model = inside.models.by_name("Studium Basic")
    model["css"] = "/* mine */"
    inside.models.update_dict(model)
    store.add_note_types(note_types)
    assert store.note_types()["Studium Cloze"] == ("Text", "Extra", ID_FIELD)
    assert store.note_types()["Basic"] == ("Front", "Back")
    assert inside.models.by_name("Studium Basic")["css"] == "/* mine */"
    assert inside.models.by_name("Studium Cloze")["type"] == 1


def test_a_note_is_added_with_its_deck_and_tags(store, note):
    (one,) = added(store, note("a1", tags=("ospf", "net::routing")))
    found = store.notes([one])[one]
    assert found.card_id == "a1"
    assert (found.note_type, found.fields["Back"]) == ("Studium Basic", "LSAs")
    assert sorted(found.tags) == ["net::routing", "ospf"]
    assert [(card.deck, card.suspended, card.reps) for card in found.cards] == [("Net::OSPF", False, 0)]
    assert found.modified > 1_700_000_000


def test_text_in_any_script_arrives_as_it_was_written(store, note):
    texts = [
        "Что такое OSPF? 🛰️",
        "سؤال: ما هو؟",
        "日本語の<ruby>漢字<rt>かんじ</rt></ruby>",
        'a "b" \\ c & <b>d</b> $\\frac12$',
    ]
    ids = added(store, *(note(f"u{n}", front=text, deck="Язык::日本 🗾") for n, text in enumerate(texts)))
    found = store.notes(ids)
    assert [found[one].fields["Front"] for one in ids] == texts
    assert {card.deck for one in found.values() for card in one.cards} == {"Язык::日本 🗾"}


def test_a_cloze_note_makes_a_card_for_each_number(store, cloze_note):
    (one,) = added(store, cloze_note("c1", "{{c1::OSPF}} floods {{c2::LSAs}}"))
    assert len(cards_of(store, one)) == 2


def test_what_cannot_be_a_note_is_a_finding_and_the_others_are_added(store, note, cloze_note):
    stranger = NewNote(note_type="Nobody's", deck="Net", fields={"Front": "x"})
    told = store.add([note("g1"), note("e1", front=""), cloze_note("k1", "no cloze here"), stranger, note("g2", "B?")])
    assert isinstance(told[0], int)
    assert isinstance(told[4], int)
    assert [finding.code for finding in told[1:4]] == ["empty_note", "no_cloze", "note_type_missing"]
    assert "Nobody's" in told[3].message
    assert len(store.our_notes()) == 2


def test_two_cards_may_ask_the_same_but_an_id_of_ours_is_added_once(store, note):
    first, second = added(store, note("a1", back="one"), note("a2", back="two"))
    assert first != second
    assert added(store, note("a1", back="three"), note("a3"), note("a3"))[0] == first
    assert sorted(one.card_id for one in store.our_notes()) == ["a1", "a2", "a3"]
    assert store.notes([first])[first].fields["Back"] == "one", "adding never changes what is there"


def test_a_note_without_an_id_of_ours_is_judged_by_its_first_field(store):
    mine = NewNote(note_type="Basic", deck="Mine", fields={"Front": "same", "Back": "1"})
    added(store, mine)
    (told,) = store.add([mine])
    assert told.code == "duplicate"


def test_ids_of_any_form_are_recognised(store, note):
    ids = ["a.b", "a+b", "x|y", 'q"q', "c\\d", "ü_*", "(1)", "a b-c#d~e&f", "re:x", "^$"]
    first = added(store, *(note(own) for own in ids))
    assert added(store, *(note(own) for own in ids)) == first
    assert len(store.our_notes()) == len(ids)


def test_only_the_named_fields_change(store, note):
    one, other = added(store, note("a1"), note("a2"))
    assert store.update_fields({one: {"Back": "Link-state <b>advertisements</b>"}}) == {}
    assert store.notes([one])[one].fields == {
        "Front": "What floods?",
        "Back": "Link-state <b>advertisements</b>",
        ID_FIELD: "a1",
    }
    assert store.notes([other])[other].fields["Back"] == "LSAs"


def test_an_update_that_cannot_take_is_reported_by_note(store, note):
    one, other = added(store, note("a1"), note("a2"))
    told = store.update_fields({one: {"Nope": "x"}, 99: {"Back": "x"}, other: {"Back": "new"}})
    assert {place: finding.code for place, finding in told.items()} == {one: "field_missing", 99: "note_missing"}
    assert "Nope" in told[one].message
    assert store.notes([other])[other].fields["Back"] == "new"


def test_text_that_unicode_writes_in_two_ways_counts_as_taken(store, note):
    (one,) = added(store, note("a1"))
    assert store.update_fields({one: {"Back": "cafe\u0301"}}) == {}


def test_tags_of_others_stay(store, note):
    one, other = added(store, note("a1", tags=("ospf", "Mine", "leech")), note("a2", tags=("ospf",)))
    store.change_tags({one: (("bgp", "net::x"), ("OSPF", "never-there")), other: (("seen",), ())})
    assert sorted(store.notes([one])[one].tags) == ["Mine", "bgp", "leech", "net::x"]
    assert sorted(store.notes([other])[other].tags) == ["ospf", "seen"]


def test_removing_a_tag_leaves_the_tags_below_it(store, note):
    (one,) = added(store, note("a1", tags=("net", "net::mine", "net::mine::deep", "network")))
    store.change_tags({one: ((), ("net",))})
    assert sorted(store.notes([one])[one].tags) == ["net::mine", "net::mine::deep", "network"]


def test_cards_move_to_a_deck_that_is_made(store, note):
    (one,) = added(store, note("a1"))
    for _ in range(2):
        store.move([card.id for card in cards_of(store, one)], "New::Home")
        assert [card.deck for card in cards_of(store, one)] == ["New::Home"]


def test_cards_are_suspended_and_unsuspended(store, note):
    one, other = added(store, note("a1"), note("a2"))
    cards = [card.id for each in (one, other) for card in cards_of(store, each)]
    store.suspend(cards[:1], suspended=True)
    store.suspend([*cards, 99], suspended=True)
    assert [card.suspended for each in store.our_notes() for card in each.cards] == [True, True]
    store.suspend([99, cards[0]], suspended=False)
    assert [cards_of(store, each)[0].suspended for each in (one, other)] == [False, True]


def test_our_notes_are_those_that_carry_an_id_of_ours(store, inside, note):
    ids = added(store, *(note(f"n{number}") for number in range(3)))
    added(store, NewNote(note_type="Basic", deck="Mine", fields={"Front": "not ours"}))
    foreign = inside.new_note(inside.models.by_name("Studium Basic"))
    foreign["Front"] = "made by hand with our note type"
    inside.add_note(foreign, 1)
    ours = store.our_notes()
    assert sorted(one.id for one in ours) == sorted(ids)
    assert {card.deck for one in ours for card in one.cards} == {"Net::OSPF"}


def test_notes_that_are_gone_are_not_answered(store, note):
    one, other = added(store, note("a1"), note("a2"))
    store.remove_notes([one])
    store.remove_notes([one])
    assert list(store.notes([one, other, 99])) == [other]
    assert [each.card_id for each in store.our_notes()] == ["a2"]


def test_ankis_search_finds_notes(store, note):
    one, _ = added(store, note("a1", tags=("leech",)), note("a2"))
    assert store.find("tag:leech deck:Net") == [one]
    with pytest.raises(BadInput, match="double quote"):
        store.find('deck:"Net')


def test_media_is_stored_once_and_never_replaced(store, inside, tmp_path):
    picture, sound = tmp_path / "überblick.png", tmp_path / "a.mp3"
    picture.write_bytes(b"\x89PNG one")
    sound.write_bytes(b"ID3")
    files = [MediaFile(name=file.name, path=str(file)) for file in (picture, sound, picture)]
    assert store.store_media(files) == []
    picture.write_bytes(b"\x89PNG two")
    assert store.store_media(files) == []
    folder = Path(inside.media.dir())
    assert (folder / "überblick.png").read_bytes() == b"\x89PNG one"
    assert sorted(file.name for file in folder.iterdir()) == ["a.mp3", "überblick.png"]


def test_media_that_cannot_be_stored_is_reported(store, tmp_path):
    there = tmp_path / "x.png"
    there.write_bytes(b"x")
    gone = MediaFile(name="gone.png", path=str(tmp_path / "gone.png"))
    illegal = MediaFile(name='a"b:c.png', path=str(there))
    told = store.store_media([gone, illegal, MediaFile(name="x.png", path=str(there))])
    assert [finding.code for finding in told] == ["media_missing", "media_refused"]
    assert "gone.png cannot be read" in told[0].message
    assert store.store_media([MediaFile(name="x.png", path=str(there))]) == []


def test_a_filtered_deck_takes_no_cards(store, inside, note):
    (one,) = added(store, note("a1"))
    inside.decks.new_filtered("Cram")
    (told,) = store.add([note("a2", deck="Cram")])
    assert told.code == "filtered_deck"
    with pytest.raises(Conflict, match="filtered deck"):
        store.move([card.id for card in cards_of(store, one)], "Cram")
    assert [card.deck for card in cards_of(store, one)] == ["Net::OSPF"]


def test_a_card_in_a_filtered_deck_still_belongs_to_its_own(store, inside, note):
    one, other = added(store, note("a1", tags=("cram",)), note("a2"))
    filtered_deck(inside, "Cram", "tag:cram")
    assert inside.decks.name(inside.get_card(cards_of(store, one)[0].id).did) == "Cram"
    assert [cards_of(store, each)[0].deck for each in (one, other)] == ["Net::OSPF"] * 2
    assert [card.deck for each in store.our_notes() for card in each.cards] == ["Net::OSPF"] * 2
    assert store.update_fields({one: {"Back": "still editable"}}) == {}


def test_the_history_of_a_card_survives_every_change(store, inside, note):
    (one,) = added(store, note("a1"))
    card = inside.get_card(cards_of(store, one)[0].id)
    for _ in range(3):
        card.start_timer()
        inside.sched.answerCard(card, 4)
        card.load()
    before = inside.db.all("select * from revlog"), (card.ivl, card.due, card.reps, card.factor)
    assert len(before[0]) == 3
    store.update_fields({one: {"Front": "Reworded?", "Back": "New"}})
    store.change_tags({one: (("x",), ())})
    store.move([card.id], "Elsewhere")
    store.suspend([card.id], suspended=True)
    store.suspend([card.id], suspended=False)
    card.load()
    assert (inside.db.all("select * from revlog"), (card.ivl, card.due, card.reps, card.factor)) == before
    (seen,) = cards_of(store, one)
    assert (seen.reps, seen.interval, seen.deck) == (3, card.ivl, "Elsewhere")
    assert seen.interval > 0


def test_new_clozes_make_new_cards_and_the_old_keep_their_history(store, inside, cloze_note):
    (one,) = added(store, cloze_note("c1", "{{c1::OSPF}} floods"))
    card = inside.get_card(cards_of(store, one)[0].id)
    card.start_timer()
    inside.sched.answerCard(card, 3)
    store.update_fields({one: {"Text": "{{c1::OSPF}} floods {{c2::LSAs}}"}})
    assert [(each.reps, each.id == card.id) for each in cards_of(store, one)] == [(1, True), (0, False)]


def test_nothing_to_do_is_done(store):
    assert store.add([]) == []
    assert store.update_fields({}) == {}
    assert store.notes([]) == {}
    assert store.store_media([]) == []
    store.change_tags({})
    store.move([], "Nowhere")
    store.suspend([], suspended=True)
    store.remove_notes([])
    assert store.our_notes() == []
