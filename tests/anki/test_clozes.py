"""A cloze number is a card with a history: it keeps hiding what it hid."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from studium.anki.clozes import cloze_numbers, find_clozes, renumber_clozes

STORIES = {
    "nothing changed": ("{{c1::a}} {{c2::b}}", "{{c1::a}} {{c2::b}}", "{{c1::a}} {{c2::b}}"),
    "text around it changed": ("x {{c1::TCP}}", "much y {{c1::TCP}} z", "much y {{c1::TCP}} z"),
    "one put in front": (
        "{{c1::TCP}} and {{c2::UDP}}",
        "{{c1::SCTP}}, {{c2::TCP}} and {{c3::UDP}}",
        "{{c3::SCTP}}, {{c1::TCP}} and {{c2::UDP}}",
    ),
    "the first one gone": ("{{c1::TCP}} and {{c2::UDP}}", "and {{c1::UDP}}", "and {{c2::UDP}}"),
    "swapped": ("{{c1::TCP}} {{c2::UDP}}", "{{c1::UDP}} {{c2::TCP}}", "{{c2::UDP}} {{c1::TCP}}"),
    "markup and case do not matter": ("{{c2::<b>Tcp</b>}}", "{{c1::tcp}}", "{{c2::tcp}}"),
    "a hint does not matter": ("{{c3::TCP::protocol}}", "{{c1::TCP}}", "{{c3::TCP}}"),
    "hidden words edited, in place": (
        "in {{c1::1996}} by {{c2::Vint Cerf}}",
        "in {{c1::1974}} by {{c2::Vint Cerf}}",
        "in {{c1::1974}} by {{c2::Vint Cerf}}",
    ),
    "hidden words edited and one put in front": (
        "by {{c1::Vint Cerf}}",
        "in {{c1::1974}} by {{c2::Vint G. Cerf}}",
        "in {{c2::1974}} by {{c1::Vint G. Cerf}}",
    ),
    "two that hide on one card stay together": (
        "{{c1::a}} {{c2::b}} {{c2::c}}",
        "{{c1::b}} {{c1::c}} {{c2::a}}",
        "{{c2::b}} {{c2::c}} {{c1::a}}",
    ),
    "the same word twice": ("{{c1::x}} {{c2::x}}", "{{c1::x}} {{c2::x}}", "{{c1::x}} {{c2::x}}"),
    "nothing was hidden before": ("", "{{c1::a}} {{c3::b}}", "{{c1::a}} {{c3::b}}"),
    "a number of the past is not given away": (
        "{{c1::a}} {{c2::b}}",
        "{{c1::a}} x {{c2::q}} {{c3::r}}",
        "{{c1::a}} x {{c3::q}} {{c4::r}}",
    ),
    "nested": ("{{c1::a {{c2::b}}}}", "{{c1::z}} {{c2::a {{c3::b}}}}", "{{c3::z}} {{c1::a {{c2::b}}}}"),
}


@pytest.mark.parametrize(("base", "new", "numbered"), STORIES.values(), ids=STORIES)
def test_numbers_keep_their_meaning(base, new, numbered):
    assert renumber_clozes(base, new) == numbered


def test_the_learner_s_own_numbers_are_respected():
    base = "{{c1::TCP}} and {{c2::UDP}}"
    assert renumber_clozes(base, "{{c2::TCP}} and {{c1::UDP}}", explicit=(1, 2)) == "{{c2::TCP}} and {{c1::UDP}}"
    assert renumber_clozes(base, "{{c2::TCP}} and {{c1::UDP}}", explicit=(2,)) == "{{c2::TCP}} and {{c3::UDP}}"
    assert renumber_clozes(base, "{{c1,2::TCP}} and {{c3::UDP}}") == "{{c1,2::TCP}} and {{c3::UDP}}"


def test_what_is_hidden():
    found = find_clozes("a {{c1::b::hint}} {{c2,3::<i>c</i> {{c4::d}}}} {{c5::open")
    assert [(each.number, each.hidden) for each in found] == [("1", "b"), ("2,3", "c d"), ("4", "d")]
    assert cloze_numbers("{{c1::b}} {{c2,3::c}}") == {1, 2, 3}


HIDDEN = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6, unique=True)


def text_of(hidden):
    return " and ".join(f"{{{{c{number}::{word}}}}}" for number, word in enumerate(hidden, 1))


@given(HIDDEN, HIDDEN)
@example(list("bdcaf"), list("aecbd"))
def test_whatever_is_still_hidden_keeps_its_number(before, after):
    old = {each.hidden: each.number for each in find_clozes(text_of(before))}
    new = {each.hidden: each.number for each in find_clozes(renumber_clozes(text_of(before), text_of(after)))}
    assert all(new[word] == old[word] for word in set(old) & set(new))
    assert len(set(new.values())) == len(after), "no two things get one number"


@given(st.text(alphabet="{}c12:, ab"), st.text(alphabet="{}c12:, ab"))
def test_any_text_can_be_numbered(before, after):
    again = renumber_clozes(before, after)
    assert [each.hidden for each in find_clozes(again)] == [each.hidden for each in find_clozes(after)]
