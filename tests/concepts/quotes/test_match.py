"""The same quote read twice is one quote, an edited one stays itself, and nothing is lost."""

import time
from functools import partial
from random import Random
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studium.concepts.domain import Quote, quote_uuid
from studium.concepts.quotes.match import match_quotes
from studium.concepts.quotes.reader import read_quotes

new_uuid = partial(quote_uuid, "walden")
MASS = "The mass of men lead lives of quiet desperation."
WOODS = (
    "I went to the woods because I wished to live deliberately, to front only the essential facts of life, and see"
    " if I could not learn what it had to teach, and not, when I came to die, discover that I had not lived."
)
ATENCION = "La atención — decía él — es la forma más rara… y más pura de la generosidad."


def matched(read, kept=()):
    return match_quotes(read, kept, new_uuid=new_uuid)


def kept(*quotes):
    return matched(quotes).quotes


def quote(text, page="", section="", note=""):
    return Quote(text=text, page_reference=page, section=section, note=note)


SAME = [
    (MASS, "“The mass of men lead lives of quiet desperation.”"),
    (MASS, '"The mass of men lead lives of quiet desperation"'),
    (MASS, "«The mass of men lead lives of quiet desperation.»"),
    (MASS, "The **mass of men** lead lives of _quiet_ desperation."),
    (MASS, "***The mass of men lead lives of quiet desperation.***"),
    (MASS, "> The mass of men lead\n> lives of quiet desperation."),
    (MASS, "The mass of men lead lives of quiet despera-\ntion."),
    (MASS, "The mass of\xa0men  lead\r\nlives of quiet\tdesperation."),
    (MASS, "…the mass of men lead lives of quiet desperation…".replace("the", "The")),
    (MASS, f"{MASS} (Location 123-125)"),
    (MASS, f"{MASS} (p. 8)"),
    (MASS, "The mass of men lead lives of quiet des\u00adperation.\ufeff"),
    (ATENCION, normalize("NFD", ATENCION)),
    (ATENCION, "La atención -- decía él -- es la forma más rara... y más pura de la generosidad"),
    (ATENCION, "«La atención – decía él – es la forma más rara […] y más pura de la generosidad.»"),
    ("It’s the ‘real’ thing, isn’t it?", "It's the 'real' thing, isn't it?"),
    ("He said “no” and left.", 'He said "no" and left.'),
    ("A well-known fact of the office", "A well-\nknown fact of the oﬃce"),
    ("See [the map](https://example.org/map) of the pond", "See the map of the pond"),
    ("Qui veut, peut : voilà tout !", "« Qui veut, peut: voilà tout ! »"),
    ("Le cœur a ses raisons.", "Le coeur a ses raisons."),
    ("Simplify, simplify.", "**Simplify, simplify**"),
    ("知彼知己，百战不殆。", "「知彼知己，百战不殆」"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_quote_in_another_files_form_is_one_quote(one, other):
    for first, second in ((one, other), (other, one)):
        before = kept(quote(first))
        result = matched([quote(second)], before)
        assert result.quotes == before
        assert (result.added, result.edited, result.same) == ((), (), (before[0].uuid,))
        assert [each.text for each in matched([quote(first), quote(second)]).quotes] == [first]


EDITED = [
    (quote("The mass of men leed lives of quiet desparation."), quote(MASS)),
    (quote("Teh mass of men lead lives of quiet desperation."), quote(MASS)),
    (
        quote("The mass of men lead lives of quiet desperation,"),
        quote("the mass of men, lead lives of quiet desperation"),
    ),
    (
        quote("La atencion es la forma mas rara de la generosidad"),
        quote("La atención es la forma más rara de la generosidad"),
    ),
    (quote("The mass of men lead lives of desperation.", "8"), quote(MASS, "8")),
    (quote("The mass of men live lives of silent desperation.", "8"), quote(MASS, "8")),
    (quote("I went to the woods because I wished to live", "90"), quote(WOODS, "90")),
    (quote(WOODS, "90"), quote("I went to the woods because I wished to live deliberately", "90-91")),
    (quote("to front only the essential facts of life", "loc. 1200-1201"), quote(WOODS, "loc. 1199-1204")),
    (quote("I went to the woods because I wished to", section="Where I Lived"), quote(WOODS, section="Where I Lived")),
    (quote(WOODS[:160]), quote(WOODS)),
    (quote("Know thyslef.", "3"), quote("Know thyself.", "3")),
    (quote("The obstacle is teh way."), quote("The obstacle is the way.")),
    (quote("Simplicity is the ultimat sophistication"), quote("Simplicity is the ultimate sophistication")),
    (quote("The obstacle the way."), quote("The obstacle is the way.")),
    (quote("La vida es sueno, y los suenos, suenos son."), quote("La vida es sueño, y los sueños, sueños son.")),
    (quote(MASS), quote(MASS, "8")),
    (quote(MASS, "8", "Economy"), quote(MASS, "8", "Economía")),
    (quote(MASS, "8"), quote(MASS, "9")),
    (quote(MASS), quote(MASS, note="True of me too.")),
]


@pytest.mark.parametrize(("before", "after"), EDITED)
def test_an_edited_quote_is_updated_and_keeps_its_id(before, after):
    (old,) = kept(before)
    result = matched([after], [old])
    assert result.quotes == (after.model_copy(update={"uuid": old.uuid}),)
    assert (result.added, result.edited, result.same) == ((), (old.uuid,), ())


DIFFERENT = [
    (
        quote("The only way to do great work is to love what you do."),
        quote("The only way to do great work is to stop when tired."),
    ),
    (quote("Habits are the compound interest of life."), quote("Habits are the seed of all we later call character.")),
    (quote("Man is free at the moment he wishes to be."), quote("Man is not free at the moment he wishes to be.")),
    (quote("Trust that in the end you could do it alone."), quote("Trust that in the end you couldn't do it alone.")),
    (
        quote("Demand always increases the price of bread here."),
        quote("Demand always decreases the price of bread here."),
    ),
    (
        quote("This is quote number 12 of the whole long file."),
        quote("This is quote number 13 of the whole long file."),
    ),
    (
        quote("In 1845 he went to live in the woods alone.", "3"),
        quote("In 1847 he went to live in the woods alone.", "3"),
    ),
    (quote("to live deliberately"), quote(WOODS)),
    (quote("I wished to live deliberately", "12"), quote(WOODS, "90")),
    (quote("I wished to live deliberately", "loc. 12"), quote(WOODS, "90")),
    (quote("life", "90"), quote(WOODS, "90")),
    (quote("Time is money."), quote("Time is short.")),
    (quote("All men are mortal."), quote("All men are moral.")),
    (
        quote("The way to do great work is to love what you do.", "5"),
        quote("The way to do great work is to stop when tired.", "5"),
    ),
    (quote("Man is free at the moment he wishes.", "5"), quote("Man is never free at the moment he wishes.", "5")),
    (quote("El tiempo es oro.", "4"), quote("El tiempo es de todos.", "4")),
    (quote("知彼知己"), quote("天下大势")),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_quotes_that_only_look_alike_stay_two(one, other):
    assert [each.text for each in matched([one, other]).quotes] == [one.text, other.text]
    result = matched([other], kept(one))
    assert [each.text for each in result.quotes] == [other.text, one.text]
    assert result.added == (quote_uuid("walden", other.text),)


def test_clippings_that_grew_at_one_place_are_the_longest_of_them():
    grown = [
        quote("I went to the woods because", "loc. 1200-1200"),
        quote("I went to the woods because I wished to live deliberately,", "loc. 1200-1201"),
        quote(WOODS, "loc. 1200-1204"),
        quote("to live deliberately, to front only", "loc. 1201-1202", note="Yes."),
    ]
    (one,) = matched([quote(MASS, "loc. 300"), *grown]).quotes[1:]
    assert (one.text, one.page_reference, one.note) == (WOODS, "loc. 1200-1204", "Yes.")


def test_a_highlight_that_was_moved_is_one_quote():
    first = quote("one two three four five six seven eight", "loc. 10-12")
    moved = quote("three four five six seven eight nine ten eleven", "loc. 11-13")
    assert [each.text for each in matched([first, moved]).quotes] == [moved.text]
    apart = moved.model_copy(update={"page_reference": "loc. 500-501"})
    assert [each.text for each in matched([first, apart]).quotes] == [first.text, apart.text]


def test_a_kept_shorter_clipping_becomes_the_longer_one_though_the_file_still_holds_both():
    short, long = quote("I went to the woods because", "90"), quote(WOODS, "90")
    (old,) = kept(short)
    result = matched([short, long], [old])
    assert [(each.uuid, each.text) for each in result.quotes] == [(old.uuid, WOODS)]
    assert result.edited == (old.uuid,)
    assert matched([short, long], result.quotes).same == (old.uuid,)


def test_quotes_stand_as_they_are_read_and_kept_ones_that_are_not_read_at_the_end():
    before = kept(quote("First of all, begin."), quote("Second, go on."), quote("Third and last, stop."))
    result = matched([quote("Third and last, stop."), quote("Something new."), quote("First of all, begin.")], before)
    assert [each.text for each in result.quotes] == [
        "Third and last, stop.",
        "Something new.",
        "First of all, begin.",
        "Second, go on.",
    ]
    assert result.same == (before[2].uuid, before[0].uuid)
    assert result.added == (result.quotes[1].uuid,)
    assert result.quotes[3] == before[1]


def test_what_a_file_does_not_say_is_kept_and_notes_are_united():
    (old,) = kept(quote(MASS, "8", "Economy", "True."))
    bare = matched([quote(MASS)], [old])
    assert (bare.quotes, bare.same) == ((old,), (old.uuid,))
    (more,) = matched([quote(MASS, "9", note="Still true.")], [old]).quotes
    assert (more.page_reference, more.section, more.note) == ("9", "Economy", "True.\n\nStill true.")
    assert matched([quote(MASS, note="Still true.")], [more]).quotes == (more,)
    assert matched([quote(MASS, note="True. And more.")], [old]).quotes[0].note == "True. And more."


def test_a_new_line_in_the_file_is_no_edit():
    (old,) = kept(Quote(text=MASS, line=3, created_at="2026-01-01"))
    result = matched([Quote(text=MASS, line=12)], [old])
    assert result.same == (old.uuid,)
    assert (result.quotes[0].line, result.quotes[0].created_at) == (12, "2026-01-01")


def test_no_two_quotes_ever_share_an_id():
    (old,) = kept(quote("to live deliberately", "90"))
    (grown,) = matched([quote(WOODS, "90")], [old]).quotes
    result = matched([quote(WOODS, "90"), quote("to live deliberately", "loc. 7")], [grown])
    assert [each.text for each in result.quotes] == [WOODS, "to live deliberately"]
    assert result.quotes[0].uuid == old.uuid != result.quotes[1].uuid
    assert matched(result.quotes, result.quotes).quotes == result.quotes


def test_a_quote_that_is_read_as_it_was_first_kept_is_that_quote():
    (old,) = kept(quote("to live deliberately", "90"))
    (grown,) = matched([quote(WOODS, "90")], [old]).quotes
    assert [each.uuid for each in matched([quote("to live deliberately")], [grown]).quotes] == [old.uuid]


words = st.lists(
    st.sampled_from(
        ["the", "a", "mind", "is", "not", "free", "of", "12", "13", "time", "and", "money", "él", "más", "—"]
    ),
    min_size=1,
    max_size=14,
)
texts = st.one_of(words.map(" ".join), st.text(min_size=1, max_size=40))
places = st.sampled_from(["", "", "3", "3-4", "loc. 12-14", "xii", "?"])
many = st.lists(st.builds(quote, texts, places, st.sampled_from(["", "One"]), st.sampled_from(["", "n"])), max_size=8)


@settings(max_examples=150, deadline=None)
@given(many, many)
def test_whatever_is_read_ids_are_one_each_and_nothing_kept_is_lost(first, second):
    before = matched(first)
    after = matched(second, before.quotes)
    ids = [each.uuid for each in after.quotes]
    assert len(ids) == len(set(ids))
    assert set(ids) == {each.uuid for each in before.quotes} | set(after.added)
    assert sorted([*after.added, *after.edited, *after.same]) == sorted(ids[: len(ids) - _unread(after)])
    again = matched(after.quotes, after.quotes)
    assert {each.uuid for each in again.quotes} == set(ids)


def _unread(result):
    return len(result.quotes) - len(result.added) - len(result.edited) - len(result.same)


def _long_file(count):
    subjects = [
        "habit",
        "attention",
        "memory",
        "silence",
        "courage",
        "patience",
        "desire",
        "reason",
        "solitude",
        "labour",
    ]
    verbs = ["shapes", "feeds", "hides", "mends", "breaks", "guards", "teaches", "empties", "crowns", "outlives"]
    for number in range(count):
        one, two, three = (subjects[number // 10**power % 10] for power in range(3))
        text = f"In chapter {number} {one} {verbs[number % 7]} {two}, and {three} {verbs[number % 9]} whoever waits."
        yield quote(text, str(number // 5 + 1), f"Part {number // 400}")


def test_very_long_quotes_are_compared_in_no_time():
    common = [each.text for each in _long_file(300)]
    chance = Random(7)
    read = [quote(" ".join(chance.sample(common, 100)), "1") for _ in range(40)]
    started = time.process_time()
    result = matched(read, kept(*read[:20]))
    assert len(result.quotes) == 40
    assert len(result.same) == 20
    assert time.process_time() - started < 20


def test_quotes_that_repeat_one_word_are_compared_in_no_time():
    long = "word " * 30_000
    started = time.process_time()
    result = matched([quote(f"{long} one", "1"), quote(f"two {long} three", "1")], kept(quote(f"{long} four", "1")))
    assert len(result.quotes) == 3
    assert time.process_time() - started < 5


def test_a_slip_in_a_very_long_quote_is_mended():
    words = " ".join(f"the {number} of the ages and the waters" for number in range(900))
    old = kept(quote(f"{words} embark at noon {words}", "1"))
    result = matched([quote(f"{words} embrak at noon {words}", "1")], old)
    assert [each.uuid for each in result.quotes] == [old[0].uuid]


def test_links_that_are_never_closed_are_no_hindrance():
    started = time.process_time()
    matched([quote("[[" * 200_000)], ())
    assert time.process_time() - started < 3


def test_a_book_read_from_a_device_and_then_from_notes_is_one_book(tmp_path):
    device, notes = tmp_path / "My Clippings.txt", tmp_path / "Walden.md"
    device.write_text(CLIPPINGS, encoding="utf-8-sig")
    notes.write_text(NOTES, encoding="utf-8")
    (clipped,), (noted,) = read_quotes(device).books, read_quotes(notes).books
    before = matched(clipped.quotes)
    after = matched(noted.quotes, before.quotes)
    assert [each.uuid for each in after.quotes[:2]] == [each.uuid for each in before.quotes[:2]]
    assert [(each.text[:16], each.section, each.page_reference) for each in after.quotes] == [
        ("The mass of men ", "Economy", "8"),
        ("I went to the wo", "Where I Lived", "90"),
        ("Heaven is under ", "The Pond in Winter", "283"),
        ("Things do not ch", "", "loc. 4100"),
    ]
    assert (len(after.added), len(after.edited), len(after.same)) == (1, 2, 0)


CLIPPINGS = """Walden (Thoreau, Henry David)
- Your Highlight on Location 120-121 | Added on Monday, 2 March 2026 10:00:00

The mass of men lead lives of quiet desperation. What is called resignation is confirmed desperation.
==========
Walden (Thoreau, Henry David)
- Your Highlight on Location 1200-1203 | Added on Monday, 2 March 2026 10:10:00

I went to the woods because I wished to live deliberately, to front only the essential facts of life—and see if I
could not learn what it had to teach
==========
Walden (Thoreau, Henry David)
- Your Highlight on Location 4100 | Added on Monday, 2 March 2026 10:20:00

Things do not change; we change.
==========
"""
NOTES = """# Walden

# Quotes
## Economy
"The *mass of men* lead lives of quiet desperation. What is called resignation is confirmed desperation." (p. 8)

## Where I Lived
> I went to the woods because I wished to live deliberately, to front only the essential facts of life - and see
> if I could not learn what it had to teach... (p. 90)

## The Pond in Winter
Heaven is under our feet as well as over our heads. (p. 283)
"""


@pytest.mark.endurance
def test_two_thousand_quotes_against_two_thousand_are_soon_matched():
    read = list(_long_file(2_000))
    before = kept(*read)
    mended = [each.model_copy(update={"text": each.text.replace("whoever", "whomever")}) for each in read]
    started = time.process_time()
    result = matched(mended, before)
    taken = time.process_time() - started
    assert [each.uuid for each in result.quotes] == [each.uuid for each in before]
    assert len(result.edited) == 2_000
    assert taken < 10, "1 s is the aim; other work on the machine slows it"
