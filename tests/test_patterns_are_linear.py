"""No regular expression of ours is held up for seconds by 10,000 characters, whatever they are.

Every pattern of the package is measured on texts that are built to make it slow. Exponential and cubic ones fail, and
quadratic ones that are slow; where a pattern sees only short texts, that length counts.
"""

import json
import random
import re
from functools import cache
from math import inf, log2
from pathlib import Path

import pytest
from tests.pattern_pumping import SlowText, find_slow_text
from tests.pattern_walk import FoundPattern, built_patterns, package_modules, walk_patterns

# Where patterns see at most so many characters, and why.
SHORT_TEXTS = {
    "studium.app.doctor": (500, "names and versions of installed packages"),
    "studium.cards.notes.headings._OTHER_ROLES": (500, "the beginning of a heading"),
    "studium.cards.notes.headings._TAIL": (500, "the beginning of a heading"),
    "studium.cards.notes.headings._TITLE": (500, "the beginning of a heading"),
    "studium.cards.rules": (2_000, "one side of a card"),
    "studium.cards.web.card_frame._SECTION": (2_000, "a template of Anki"),
    "studium.concepts.quotes.markers": (400, "the end of a quote"),
    "studium.concepts.rules": (2_000, "one sentence, title or instruction"),
    "studium.core.llm": (2_000, "a reply of a model, which has a limit of tokens"),
    "studium.questions.rules": (2_000, "one sentence or question"),
    "studium.tutor.ios": (2_000, "one command"),
    "studium.tutor.rules": (2_000, "one message of the student, or one passage"),
    "studium.vocabulary.dictionary.freedict": (500, "the first line of an article of Debian's dictionary"),
    "studium.vocabulary.lyrics.parser": (120, "lines of at most this length"),
}
ENOUGH_SECONDS = 5.0
LONGEST = 10_000  # characters
SHARDS = 4

# Where a pattern is made of what a call is given: names that are escaped, or patterns of the same module.
MADE_AT_RUN_TIME = 66


@cache
def written_patterns() -> tuple[list[FoundPattern], list[str]]:
    """Those that stand in the code, and the calls whose pattern is made at run time."""
    return walk_patterns(package_modules())


@cache
def all_patterns() -> list[FoundPattern]:
    """Also those that are built from tables of words, which have to be loaded, and those of the tutor's files."""
    written, _ = written_patterns()
    known = {each.pattern for each in written}
    built = [each for each in built_patterns(package_modules()) if each.pattern not in known]
    return [*written, *built, *_tutor_patterns(known)]


def _tutor_patterns(known: set[str]) -> list[FoundPattern]:
    """The error patterns that RE2 does not take: those that run with a time limit."""
    folder = Path(__file__).parents[1] / "src/studium/tutor/error_detection/patterns"
    entries = [entry for file in sorted(folder.rglob("*.json")) for entry in json.loads(file.read_text())["patterns"]]
    flags = re.IGNORECASE | re.MULTILINE
    listed = [(entry["id"], entry[key]) for entry in entries for key in ("output", "command") if entry.get(key)]
    slow_engine = [(name, pattern) for name, pattern in listed if re.search(r"\(\?[=!<P]?[=!]", pattern)]
    return [
        FoundPattern(each, flags, "search", f"tutor pattern {name}") for name, each in slow_engine if each not in known
    ]


@pytest.mark.timeout(600)
def test_ten_thousand_characters_hold_up_no_pattern():
    """One pattern of ten, others each time; `make endurance` tries all of them, on more texts."""
    written, _ = written_patterns()
    assert_none_is_held_up(written[random.randrange(10) :: 10], texts=6)


@pytest.mark.endurance
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("shard", range(SHARDS))
def test_many_texts_of_ten_thousand_characters_hold_up_no_pattern(shard):
    assert_none_is_held_up(all_patterns()[shard::SHARDS], texts=25)


def assert_none_is_held_up(patterns: list[FoundPattern], texts: int) -> None:
    refused = []
    for each in patterns:
        text = find_slow_text(each.pattern, each.flags, each.use, texts)
        if text and _seconds(text, min(LONGEST, _longest_text(each.where))) > ENOUGH_SECONDS:
            refused.append(_told(each, text))
    assert not refused, "\n".join(refused)


@pytest.mark.timeout(600)
def test_the_walk_finds_the_patterns():
    found, made_at_run_time = written_patterns()
    places = {each.where.rpartition(".")[0] for each in found}
    assert len(found) > 1000
    assert {"studium.cards.notes.page", "studium.vocabulary.lyrics.parser", "studium.core.text.sentences"} <= places
    assert len(made_at_run_time) <= MADE_AT_RUN_TIME, "\n".join(made_at_run_time)


@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        (r"(a+)+$", "search"),
        (r"(?:(?:[A-G]b?|\|)(?:\s+|(?=\|)|(?<=\|)|\Z))+", "fullmatch"),
        (r"(?:\d+\.?)+\s", "match"),
        (r"[ \t]*>", "search"),
        *(
            pytest.param(pattern, use, marks=pytest.mark.endurance)
            for pattern, use in (
                (r"\s+$", "search"),
                (r"<!--.*?-->", "search"),
                (r"\[[^\]]*\]\(", "search"),
                (r"(?:\w+ )+x", "search"),
                (r"(.+?)\s+(of|in)\s+(.+)", "fullmatch"),
            )
        ),
    ],
)
def test_slow_patterns_are_seen(pattern, use):
    assert find_slow_text(pattern, 0, use)


@pytest.mark.parametrize(
    ("pattern", "use"),
    [(r"\s+", "search"), (r"(?<!\s)\s+$", "search"), (r"(?:\d++\.?)++\s", "match"), (r"<!--.{0,500}?-->", "search")],
)
def test_linear_patterns_pass(pattern, use):
    assert find_slow_text(pattern, 0, use) is None


def _longest_text(where: str) -> float:
    """How many characters a pattern there may see."""
    return next((longest for place, (longest, _) in SHORT_TEXTS.items() if where.startswith(place)), inf)


def _seconds(text: SlowText, size: float) -> float:
    """How long the pattern would take for a text of a size, as it grew so far."""
    if text.growth == inf:
        return inf
    return text.seconds_for_twice * (size / (text.size * 2)) ** log2(text.growth)


def _told(each: FoundPattern, text: SlowText) -> str:
    return (
        f"{each.where}: {each.pattern!r} ({each.use}) takes {text.seconds:.4f} s for {text.lead!r} + "
        f"{text.pump!r} * … + {text.tail!r} of {text.size} characters; twice as many take {text.growth:.1f} times that"
    )
