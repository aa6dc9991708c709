import time

import pytest

from studium.questions.document_tools import Search, search

OSPF = """\
OSPF routers send a hello every 10 seconds.
If four hellos are missed, the neighbour is
declared dead. This is the “dead interval”.

BGP does not send hellos; it sends keepalives
every 60 seconds and waits 180 seconds.
"""


def found(document, pattern, **options):
    return search(document, Search(pattern=pattern, **options)).text


def numbers(reply: str) -> list[int]:
    """The lines that are shown as matching."""
    marks = [line.partition(":")[0] for line in reply.splitlines()]
    return [int(mark) for mark in marks if mark.isdigit()]


@pytest.mark.parametrize(
    ("pattern", "lines"),
    [
        ("HELLO", [1, 2, 5]),
        ("10 seconds.", [1]),
        ('"dead interval"', [3]),
        ("neighbour is declared", [2]),
        ("missed,\tthe", [2]),
        ("every  60   seconds", [6]),
        (r"\d{2,3} seconds", [1, 6]),
        (r"^bgp", [5]),
        (r"seconds\.$", [1, 6]),
        (r"(?<!not )send\b", [1]),
        (r"(\w)\1", [1, 2, 5]),
    ],
)
def test_a_string_or_a_regular_expression_is_found(written, pattern, lines):
    assert numbers(found(written(OSPF), pattern)) == lines


def test_lines_around_are_shown_and_touching_groups_are_one(written):
    reply = found(written(OSPF), "hellos", context_lines=1)
    assert reply == (
        "2 matches.\n\n"
        "1- OSPF routers send a hello every 10 seconds.\n"
        "2: If four hellos are missed, the neighbour is\n"
        "3- declared dead. This is the “dead interval”.\n"
        "4- \n"
        "5: BGP does not send hellos; it sends keepalives\n"
        "6- every 60 seconds and waits 180 seconds."
    )
    assert "\n--\n" in found(written(OSPF), "hellos", context_lines=0)


def test_a_string_is_literal_unless_it_is_marked_as_a_pattern(written):
    document = written("What costs 5.00?\nWhat costs 5x00\n")
    assert numbers(found(document, "5.00?")) == [1]
    assert numbers(found(document, "5.00", regex=True)) == [1, 2]
    assert "not found" in found(document, "5.0+", regex=False)


def test_letters_that_fold_to_two_keep_their_places(written, subtests):
    cases = ["strasse", "STRASSE", "straße", "Straße ist lang"]
    for pattern in cases:
        with subtests.test(pattern=pattern):
            document = written("Süß und groß: die Straße ist\nlang. Öde.\nIn der STRASSE liegt İstanbul.\n")
            reply = found(document, pattern, context_lines=0)
            assert 1 in numbers(reply)
            assert numbers(found(document, "öde")) == [2]
            assert numbers(found(document, "liegt")) == [3]


def test_line_ends_of_every_kind_are_white_space(written):
    document = written("the hello\r\ninterval\r\n  and the dead\r\n\tinterval\r\n")
    assert numbers(found(document, "hello interval")) == [1]
    assert numbers(found(document, "dead interval")) == [3]


def test_pages_are_shown(pdf):
    assert "(page 2)\n" in found(pdf, "Line 3 of page 2")


def test_an_invalid_pattern_is_reported(written, subtests):
    cases = [("(open", "missing )"), ("[z-a]", "bad character range"), ("a{2,1}", "min repeat")]
    for pattern, reason in cases:
        with subtests.test(pattern=pattern, reason=reason):
            reply = found(written(OSPF), pattern, regex=True)
            assert pattern in reply
            assert reason in reply
            assert "Change the pattern" in reply


def test_a_pattern_that_matches_nothing_at_all_is_refused(written):
    assert "also matches an empty text" in found(written(OSPF), "x*", regex=True)


def test_a_missing_match_is_reported(written):
    assert found(written(OSPF), "RIP") == "`RIP` is not found. Try fewer or other words."
    assert "not found" in found(written(OSPF), "hello seconds")


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(?=a)(a+)+$",
        r"(a|aa)+(?!b)\1c",
        "(.*)(.*)(.*)(.*)(.*)(?=zz)",
        "[ab]*a[ab]{900}c",
        "(?s)(a|b|ab|ba|aba){900}c",
        "((a{0,30}){0,30}){0,30}b",
    ],
)
@pytest.mark.parametrize("line", ["a" * 400_000 + "!", "abaabbab" * 50_000], ids=["a", "ab"])
def test_no_pattern_hangs(written, pattern, line):
    document = written(line + "\n")
    started = time.perf_counter()
    reply = found(document, pattern, regex=True)
    assert time.perf_counter() - started < 8, "it is stopped within a second; a busy machine may take longer"
    assert len(reply) < 25_000


def test_millions_of_matches_are_bounded(written):
    document = written("a b c d e f g h i j\n" * 100_000)
    for pattern in (r"\w", r"\b", "a"):
        started = time.perf_counter()
        reply = found(document, pattern, regex=pattern != "a", context_lines=20)
        assert time.perf_counter() - started < 8
        assert "Not all are shown" in reply
        assert len(reply) < 25_000
        assert reply.startswith("At least 1,000 matches")


def test_a_long_line_is_cut_around_its_matches(written):
    document = written("filler " * 100_000 + "needle one " + "filler " * 100_000 + "needle two " + "filler " * 1000)
    reply = found(document, "needle")
    assert "needle one" in reply
    assert "needle two" in reply
    assert len(reply) < 2000
    assert "1, from character 699801: " in reply


@pytest.mark.parametrize("lines_before", [0, 9000, 9360, 9500])
def test_a_match_over_many_lines_is_one(written, lines_before):
    document = written("before\n" * lines_before + "start\n" + "middle\n" * 1000 + "end\n" + "after\n" * 20_000)
    reply = found(document, "(?s)start.*end", regex=True, context_lines=0)
    assert reply.startswith("1 match.")
    assert numbers(reply) == [lines_before + 1]


def test_a_match_that_reaches_to_the_end_is_one(written):
    document = written("before\nstart\n" + "middle\n" * 100_000)
    assert found(document, "(?s)start.*", regex=True).startswith("1 match.")
