"""Patterns that a user gives: they match as they should, and in linear time."""

import random
from fnmatch import fnmatch
from time import process_time

import pytest

from studium.core.text.patterns import InvalidPattern, compile_globs, compile_linear, compile_pattern, quote

CATASTROPHIC = ("(a+)+$", "(a|a)*$", "(a|aa)+$", ".*.*.*.*.*.*.*.*zz$", "([a-z]+)*[A-Z]", "(x+x+)+y", "(.*a){12}")


def seconds(action) -> float:
    begin = process_time()
    action()
    return process_time() - begin


@pytest.mark.parametrize("pattern", CATASTROPHIC)
def test_no_pattern_takes_long(pattern):
    compiled = compile_linear(pattern)
    assert seconds(lambda: compiled.search("a" * 20_000 + "!")) < 2


def test_lookaround_and_backreferences_match_within_their_time():
    assert compile_pattern(r"(\w)\1(?!x)").search("abccx abb")[0] == "bb"
    hostile = compile_pattern(r"(?<!x)(a|aa)+$")
    begin = process_time()
    with pytest.raises(TimeoutError):
        hostile.search("a" * 60 + "!", 0.2)
    assert process_time() - begin < 2


@pytest.mark.parametrize("pattern", [r"(?=a)b", r"(a)\1"])
def test_what_a_linear_pattern_cannot_do_is_reported(pattern):
    with pytest.raises(InvalidPattern, match="lookaround and backreferences are not supported"):
        compile_linear(pattern)


@pytest.mark.parametrize("pattern", ["(", "a{2,1}", "[z-a]", "(" * 5000])
def test_a_broken_pattern_is_refused(pattern):
    with pytest.raises(InvalidPattern):
        compile_pattern(pattern)


def test_a_pattern_that_would_grow_without_limit_is_refused():
    for pattern in ("(?:(?:a{1,50}){1,50}){1,5}", r"(?:\w{1,500}){1,2}"):
        with pytest.raises(InvalidPattern, match=r"too often|repetition size"):
            compile_linear(pattern)


def test_places_and_groups_are_those_of_the_text():
    found = compile_pattern(r"(?P<word>[a-z]+)!", ignore_case=True).search("日本 \udcff Ärger! no")
    assert (found.span(1), found["word"]) == ((6, 10), "rger")


def test_a_quoted_text_matches_itself():
    text = r"a.b*[c](d)\e^$|{1}é# -"
    assert compile_linear(quote(text)).fullmatch(text)


def test_globs_match_as_in_a_shell_from_any_folder():
    made = random.Random(7)
    for _ in range(3000):
        glob = "".join(made.choices("ab/*?[]!-.^\\éz", k=made.randint(1, 7)))
        name = "".join(made.choices("ab/.-[]!^\\éz\n", k=made.randint(0, 6)))
        assert compile_globs([glob])(name) == (fnmatch(name, glob) or fnmatch(name, f"*/{glob}")), (glob, name)


def test_a_glob_of_many_stars_takes_no_time():
    ignored = compile_globs(["*a" * 60 + "b", "templates/*"])
    assert seconds(lambda: ignored("a" * 4000)) < 1
    assert ignored("x/templates/daily.md")
    assert not ignored("notes/\udcff.md")
