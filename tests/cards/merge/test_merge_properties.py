"""For random fields and random edits on both sides: nothing that was typed disappears without a conflict."""

from collections import Counter
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from studium.cards.merge import merge_card, merge_field
from studium.core.text.html import BREAK, is_balanced, same_html, token_keys, tokenize_html

# Few words, so that the same ones come again and again: that is what misleads a diff.
WORDS = st.sampled_from(["the", "router", "a", "packet", "sends", "cost", "<br>", "&amp;", "x &lt; y", "é"])
WHOLE = st.sampled_from(
    [r"\(a^2 + b\)", "[sound:one two.mp3]", '<img src="a b.png">', "{{c1::area 0}}", "{{c2::<b>cost</b> of}}", "<hr>"]
)
MARKED = st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["b", "i", "p", "li", 'code class="x"']), WORDS).map(
    lambda html: html.replace('</code class="x">', "</code>")
)
BLOCK = st.lists(WORDS, min_size=1, max_size=4).map(lambda words: f"<p>{' '.join(words)}</p>")
PART = st.one_of(WORDS, WORDS, WORDS, WHOLE, MARKED, BLOCK)
FIELD = st.lists(PART, min_size=1, max_size=24)


@dataclass(frozen=True)
class Edit:
    """One edit: at which part of the field, what is done, with which new parts."""

    place: int
    kind: str
    word: str

    def apply(self, parts: list[str], typed: str) -> list[str]:
        at = self.place % (len(parts) + 1)
        new = {
            "insert": [typed],
            "insert beside": [f"{typed} {self.word}"],
            "insert block": [f"<p>{self.word} {typed}</p>"],
            "insert cloze": [f"{{{{c9::{typed}}}}}"],
            "replace": [typed],
            "mark": [f"<u>{''.join(parts[at : at + 2])} {typed}</u>"],
            "delete": [],
            "delete much": [],
        }[self.kind]
        gone = {"replace": 1, "mark": 2, "delete": 1, "delete much": 4}.get(self.kind, 0)
        return [*parts[:at], *new, *parts[at + gone :]]


EDITS = st.lists(
    st.builds(
        Edit,
        place=st.integers(0, 24),
        kind=st.sampled_from(
            [
                "insert",
                "insert beside",
                "insert block",
                "insert cloze",
                "replace",
                "mark",
                "delete",
                "delete much",
            ]
        ),
        word=WORDS,
    ),
    max_size=3,
)


def edited(parts, edits, side):
    for number, edit in enumerate(edits):
        parts = edit.apply(parts, f"{side}{number}")
    return parts


def html(parts):
    return " ".join(parts)


def counted(text):
    return Counter(token_keys(tokenize_html(text)))


@given(FIELD, EDITS, EDITS)
@settings(max_examples=400)
def test_nothing_that_was_typed_disappears_without_a_conflict(parts, in_anki, in_note):
    base, anki, note = html(parts), html(edited(parts, in_anki, "anki")), html(edited(parts, in_note, "note"))
    result = merge_field(base, anki, note)
    if result.outcome == "conflict":
        assert result.text == anki
        return
    had, left = counted(base), counted(result.text)
    for side in (anki, note):
        typed = {key: count for key, count in counted(side).items() if key not in had}
        assert all(left[key] >= count for key, count in typed.items()), result


@given(FIELD, EDITS, EDITS)
@settings(max_examples=150)
def test_what_one_side_deleted_does_not_come_back(parts, in_anki, in_note):
    base, anki, note = html(parts), html(edited(parts, in_anki, "anki")), html(edited(parts, in_note, "note"))
    result = merge_field(base, anki, note)
    had, here, there, left = (counted(text) for text in (base, anki, note, result.text))
    gone = [key for key, count in had.items() if count == 1 and here[key] == 0 and there[key] <= 1]
    if result.outcome != "conflict":
        assert not [key for key in gone if left[key] and key != BREAK]


@given(FIELD, EDITS, EDITS)
@settings(max_examples=150)
def test_a_merged_field_is_sound(parts, in_anki, in_note):
    base, anki, note = html(parts), html(edited(parts, in_anki, "anki")), html(edited(parts, in_note, "note"))
    result = merge_field(base, anki, note)
    if is_balanced(anki) and is_balanced(note):
        assert is_balanced(result.text)
    known = set(counted(base)) | set(counted(anki)) | set(counted(note)) | {BREAK}
    assert set(counted(result.text)) <= known, "no token was cut or glued"


@given(FIELD, EDITS, EDITS)
@settings(max_examples=150)
def test_merging_again_changes_nothing(parts, in_anki, in_note):
    base, anki, note = html(parts), html(edited(parts, in_anki, "anki")), html(edited(parts, in_note, "note"))
    result = merge_field(base, anki, note)
    assert merge_field(base, result.text, note).text == result.text
    if result.outcome != "conflict":
        again = merge_field(result.base, result.text, note)
        assert again.text == result.text
        assert again.outcome in ("same", "keep_anki")


@given(FIELD, EDITS)
def test_one_side_alone_never_conflicts(parts, edits):
    base, new = html(parts), html(edited(parts, edits, "typed"))
    assert merge_field(base, new, base).outcome in ("same", "keep_anki")
    assert merge_field(base, new, base).text == new
    taken = merge_field(base, base, new)
    assert taken.outcome in ("same", "take_note")
    assert same_html(taken.text, new)


@given(FIELD, EDITS, st.randoms(use_true_random=False))
def test_what_anki_does_by_itself_is_never_taken_for_an_edit(parts, edits, random):
    base, note = html(parts), html(edited(parts, edits, "note"))
    noisy = random.choice([" ", "  ", "&nbsp; "]).join(parts).replace("<br>", random.choice(["<br />", "<BR/>"]))
    noisy = noisy.replace("é", "e\u0301") + random.choice(["", "<br>", "&nbsp;", "<span></span>"])
    assert merge_field(base, noisy, note).outcome in ("same", "take_note")


@given(FIELD, st.lists(st.tuples(EDITS, EDITS), min_size=1, max_size=5))
@settings(max_examples=100)
def test_over_many_runs_a_person_s_words_stay_and_the_note_s_arrive(parts, runs):
    """Only the note is edited freely; in Anki words are only added, so each of them must be there for ever."""
    note_parts, base, anki = list(parts), html(parts), html(parts)
    typed = []
    for number, (in_anki, in_note) in enumerate(runs):
        for place, edit in enumerate(in_anki):
            typed.append(f"mine{number}x{place}")
            words = anki.split(" ")
            at = edit.place % (len(words) + 1)
            anki = " ".join([*words[:at], typed[-1], *words[at:]])
        typed = [word for word in typed if word in counted(anki)]  # what fell into a tag was not typed as a word
        note_parts = edited(note_parts, in_note, f"note{number}x")
        merge = merge_card({"F": base}, {"F": anki}, {"F": html(note_parts)}, ours=["F"])
        anki = merge.writes.get("F", anki)
        base = merge.bases["F"]
        left = counted(anki)
        assert all(left[word] for word in typed)
        if not merge.conflicts:
            assert base == html(note_parts)


@given(st.text(), st.text(), st.text())
def test_any_strings_can_be_merged(base, anki, note):
    result = merge_field(base, anki, note)
    if result.outcome in ("keep_anki", "same", "conflict"):
        assert result.text == anki
    if result.outcome == "take_note":
        assert result.text == note


HOSTILE = st.text(alphabet="<>/&;\"'= bdivpre{}c1:[]\\()!-\n", max_size=40)


@given(HOSTILE, HOSTILE, HOSTILE)
@settings(max_examples=150)
def test_broken_html_can_be_merged(base, anki, note):
    result = merge_field(base, anki, note)
    assert merge_field(base, result.text, note).text == result.text
    assert (merge_field(base, anki, note).outcome == "same") == (merge_field(base, note, anki).outcome == "same")
