"""Whatever a reader does to a note, and however the concept changes meanwhile: no word that was typed is lost."""

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from studium.concepts.notes.merge import is_untouched, merge_note
from studium.concepts.notes.note import Note, NoteItem, NoteSection
from studium.core.documents.markdown import split_frontmatter

SEEDS = st.integers(0, 2**32)
TYPED = re.compile(r"typed\d+")
LINES = [
    "typed",
    "- typed",
    "> typed",
    "## typed",
    "# typed",
    "typed: x",
    "```",
    "",
    "---",
    "- [[typed]] — x",
    "\ttyped",
]


def make_note(rng: random.Random) -> Note:
    def some(words):
        return [word for word in words if rng.random() < 0.6]

    links = {
        word: NoteItem(f"- **Is**: [[{word}|{word}]] — {rng.choice('xyz')}", f"**Is**: [[{word}")
        for word in some("abcd")
    }
    quotes = {
        word: NoteItem(f"> Quote {word}.\n>\n> — {rng.choice('xy')}", f"> Quote {word}.") for word in some("efgh")
    }
    header = {"uuid": "c1", "title": rng.choice("tu"), "tags": some("klm"), "summary_short": rng.choice("vw")}
    sections = {
        "concept": NoteSection("## Concept", {"": NoteItem("\n\n".join(some(["One.", "Two.", "Three."])) or "None.")}),
        "analysis": NoteSection(
            "## Analysis", {"": NoteItem("\n\n".join(some(["Four.", "Five.", "Six."])) or "None.")}
        ),
        "connections": NoteSection("## Connections", links, tight=True),
        "source": NoteSection("## Source", quotes),
    }
    kept = {role: section for role, section in sections.items() if section.items and rng.random() < 0.9}
    return Note({key: value for key, value in header.items() if value}, kept)


def scribble(text: str, rng: random.Random) -> str:
    """Edit as a reader may: add, reword, delete and move lines, anywhere."""
    lines = text.split("\n")
    for number in range(rng.randint(1, 12)):
        at = rng.randrange(len(lines) + 1)
        match rng.choice(["add", "add", "reword", "append", "delete", "move", "cut"]):
            case "add":
                lines.insert(at, rng.choice(LINES).replace("typed", f"typed{number}"))
            case "reword" if at < len(lines):
                lines[at] = f"typed{number}"
            case "append" if at < len(lines):
                lines[at] += f" typed{number}"
            case "delete":
                del lines[at : at + 1]
            case "move":
                lines.insert(rng.randrange(len(lines) + 1), lines.pop(at - 1) if lines else "")
            case "cut":
                del lines[at : at + rng.randint(1, 8)]
    return rng.choice(["\n", "\r\n"]).join(lines)


def body(text):
    return text.partition("\n---\n")[2]


def values(text):
    header = split_frontmatter(text).values
    return header | {"tags": set(header.get("tags", ()))}


@given(SEEDS, st.booleans())
def test_no_typed_word_is_ever_lost(seed, lost):
    rng = random.Random(seed)
    base, ours = make_note(rng), make_note(rng)
    text = scribble(base.text, rng)
    merged = merge_note(None if lost else base, ours, text)
    assert sorted(TYPED.findall(merged.text)) == sorted(TYPED.findall(text))
    assert merge_note(ours, ours, merged.text).text == merged.text


@given(SEEDS)
def test_a_note_nobody_touched_becomes_what_we_would_write(seed):
    rng = random.Random(seed)
    base, ours = make_note(rng), make_note(rng)
    merged = merge_note(base, ours, base.text)
    assert merged.refused == ()
    assert body(merged.text) == body(ours.text)
    assert values(merged.text) == values(ours.text)


@given(SEEDS)
def test_what_is_merged_again_after_a_kill_stays_the_same(seed):
    rng = random.Random(seed)
    base, ours = make_note(rng), make_note(rng)
    once = merge_note(base, ours, scribble(base.text, rng))
    again = merge_note(base, ours, once.text)
    assert sorted(TYPED.findall(again.text)) == sorted(TYPED.findall(once.text))


@given(SEEDS)
def test_a_note_with_a_typed_word_is_never_taken_for_untouched(seed):
    rng = random.Random(seed)
    note = make_note(rng)
    text = scribble(note.text, rng)
    assert is_untouched(note, note.text.replace("\n", "\r\n"))
    assert not (TYPED.search(text) and is_untouched(note, text))
