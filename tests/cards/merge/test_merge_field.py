"""One field that a person may have edited in Anki and in the note."""

from time import process_time

import pytest

from studium.cards.merge import FieldMerge, merge_field

BASE = "OSPF is a link-state protocol. It floods link-state advertisements to its neighbours."


def merged(base, anki, note):
    result = merge_field(base, anki, note)
    return result.outcome, result.text


def test_nothing_changed():
    assert merge_field(BASE, BASE, BASE) == FieldMerge(BASE, "same", BASE)


def test_an_edit_in_anki_is_kept():
    edited = BASE.replace("OSPF", "<b>OSPF</b>")
    assert merged(BASE, edited, BASE) == ("keep_anki", edited)


def test_an_edit_in_the_note_is_taken():
    edited = BASE.replace("neighbours", "adjacent routers")
    assert merged(BASE, BASE, edited) == ("take_note", edited)


def test_the_same_edit_in_both_is_no_conflict():
    edited = BASE.replace("neighbours", "adjacent routers")
    assert merged(BASE, edited, edited) == ("same", edited)


def test_edits_that_do_not_touch_are_merged():
    anki = BASE.replace("OSPF", "OSPFv2")
    note = BASE.replace("its neighbours", "all routers of its area")
    both = "OSPFv2 is a link-state protocol. It floods link-state advertisements to all routers of its area."
    assert merged(BASE, anki, note) == ("merged", both)


def test_edits_that_touch_are_a_conflict_and_anki_stays():
    anki = BASE.replace("floods", "does not flood")
    note = BASE.replace("floods", "sends")
    assert merged(BASE, anki, note) == ("conflict", anki)


def test_edits_of_neighbouring_words_are_a_conflict():
    anki = "the router does not drop it"
    assert merged("the router does drop it", anki, "the router does forward it") == ("conflict", anki)


def test_additions_at_the_same_end_are_a_conflict():
    assert merged(BASE, BASE + " Mnemonic: floods.", BASE + " See RFC 2328.")[0] == "conflict"


def test_a_deletion_in_anki_and_an_edit_elsewhere_in_the_note_are_both_done():
    anki = BASE.replace(" It floods link-state advertisements to its neighbours.", "")
    outcome, text = merged(BASE, anki, BASE.replace("OSPF is", "OSPFv3 remains"))
    assert (outcome, text) == ("merged", "OSPFv3 remains a link-state protocol.")


def test_an_edit_inside_what_the_other_side_deleted_is_a_conflict():
    note = BASE.replace(" It floods link-state advertisements to its neighbours.", "")
    assert merged(BASE, BASE.replace("floods", "reliably floods"), note)[0] == "conflict"


def test_two_list_items_edited_and_one_added():
    base = "<ul>\n<li>Hello</li>\n<li>Exchange</li>\n<li>Full</li>\n</ul>"
    anki = base.replace("Hello", "Hello <i>(every 10 s)</i>")
    note = base.replace("<li>Full</li>\n", "<li>Loading</li>\n<li>Full</li>\n")
    outcome, text = merged(base, anki, note)
    assert outcome == "merged"
    assert text == (
        "<ul>\n<li>Hello <i>(every 10 s)</i></li>\n<li>Exchange</li>\n<li>Loading</li>\n<li>Full</li>\n</ul>"
    )


def test_overlapping_bold_and_italic_would_not_nest():
    base = "one two three four five six"
    anki = "one <b>two three four</b> five six"
    note = "one two three <i>four five six</i>"
    assert merged(base, anki, note)[0] == "conflict"
    assert merged(base, "<b>one</b> two three four five six", note) == (
        "merged",
        "<b>one</b> two three <i>four five six</i>",
    )


def test_a_cloze_is_never_cut():
    base = "{{c1::TCP}} is reliable and {{c2::UDP is not}}"
    assert merged(base, base.replace("TCP", "TCP/IP"), base.replace("UDP is", "UDP surely is")) == (
        "merged",
        "{{c1::TCP/IP}} is reliable and {{c2::UDP surely is not}}",
    )
    assert merged(base, base.replace("UDP", "QUIC and UDP"), base.replace("not", "not at all"))[0] == "conflict"


def test_both_sides_may_not_give_one_new_number_to_two_things():
    base = "{{c1::TCP}} is reliable, has a window and a handshake of three segments"
    anki = base.replace("window", "{{c2::window}}")
    assert merged(base, anki, base.replace("three", "{{c2::three}}")) == ("conflict", anki)
    assert merged(base, anki, base.replace("three", "{{c3::three}}"))[0] == "merged"


@pytest.mark.parametrize("whole", [r"\(a + b\)", r"\[a + b\]", "[sound:a b.mp3]", "{{c1::a b}}", '<img alt="a b">'])
def test_what_belongs_together_stays_together(whole):
    base = f"first {whole} last"
    outcome, text = merged(base, base.replace("a", "x", 1), base.replace("b", "y", 1))
    assert outcome == "conflict" or whole.replace("a", "x", 1) in text or whole.replace("b", "y", 1) in text


def test_halves_of_a_tag_never_meet():
    """Anki's side ends in a stray `<`, the note's edit begins with `b>`."""
    outcome, text = merged("one . two", "one < . two", "one . b> two")
    assert outcome == "conflict" or "<b>" not in text


def test_what_anki_did_by_itself_is_no_edit():
    """The editor has wrapped the lines; only the note says something new."""
    base = "Hello<br>Exchange<br>Full"
    wrapped = "Hello<div>Exchange</div><div>Full&nbsp;</div>"
    assert merged(base, wrapped, base) == ("same", wrapped)
    assert merged(base, wrapped, base.replace("Full", "Full adjacency")) == (
        "take_note",
        "Hello<br>Exchange<br>Full adjacency",
    )


def test_a_real_edit_among_what_anki_did_by_itself():
    base = "Hello<br>Exchange<br>Full"
    anki = "Hello<div>Exchange</div><div>Full, my note</div>"
    assert merged(base, anki, base.replace("Hello", "Hello first")) == (
        "merged",
        "Hello first<br>Exchange<br>Full, my note",
    )


class TestWithoutABase:
    def test_alike_but_for_looks(self):
        assert merge_field(None, "one<br>two", "one<br />two") == FieldMerge("one<br>two", "same", "one<br />two")

    def test_nobody_knows_who_edited(self):
        assert merge_field(None, "one", "two") == FieldMerge("one", "conflict", None)

    def test_an_empty_field_is_filled(self):
        assert merge_field(None, "<br>", "two") == FieldMerge("two", "take_note", "two")

    def test_what_only_anki_has_is_kept(self):
        assert merge_field(None, "mine", "") == FieldMerge("mine", "keep_anki", "")


def test_a_merged_edit_survives_the_next_run():
    """The next base is the note's side: were it the merged text, the person's edit would be taken for ours."""
    anki = BASE.replace("OSPF", "OSPFv2")
    note = BASE.replace("its neighbours", "all routers")
    first = merge_field(BASE, anki, note)
    second = merge_field(first.base, first.text, note)
    assert (second.outcome, second.text) == ("keep_anki", first.text)
    third = merge_field(second.base, second.text, note.replace("floods", "reliably floods"))
    assert third.outcome == "merged"
    assert third.text.startswith("OSPFv2 is a link-state protocol. It reliably floods")


def test_japanese_is_merged_by_signs():
    base = "東京は日本の首都である。人口は多い。"
    assert merged(base, base.replace("首都", "大きな首都"), base.replace("多い", "とても多い")) == (
        "merged",
        "東京は日本の大きな首都である。人口はとても多い。",
    )


@pytest.mark.parametrize(
    "words",
    [[f"word{number}" for number in range(3000)], ["abcd", "efgh", "ijkl"], ["<b>x</b>", "y", "<br>"]],
    ids=["prose", "three words", "tags"],
)
def test_a_hundred_kilobytes_take_no_time(words):
    """Sixteen changes a side; the bound is loose, since the machine may be busy."""
    base = (words * (100_000 // sum(len(word) + 1 for word in words)))[:]
    anki, note = base[:], base[:]
    for place in range(0, len(base), len(base) // 16):
        anki[place] = "ANKI"
        note[(place + len(base) // 32) % len(base)] = "NOTE"
    started = process_time()
    outcome, text = merged(" ".join(base), " ".join(anki), " ".join(note))
    assert process_time() - started < 4
    assert outcome == "conflict" or (text.count("ANKI"), text.count("NOTE")) == (anki.count("ANKI"), note.count("NOTE"))


@pytest.mark.parametrize("part", ['<a "', "\\(", "{{c1::", "<!--", "[sound:", "<div>", "&amp;", "}}", "::", "<script>"])
def test_hostile_fields_take_no_time(part):
    field = part * (100_000 // len(part))
    started = process_time()
    assert merge_field(field, "mine " + field, field + " theirs").outcome in ("merged", "conflict")
    assert process_time() - started < 6
