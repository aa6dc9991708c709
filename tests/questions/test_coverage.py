"""Where to ask next, and how much of a document was asked about."""

from studium.core.domain.finding import Evidence, Locator
from studium.questions.candidates import coverage_of, next_focus


def at(first: int, last: int | None = None) -> Evidence:
    return Evidence(passage="p", quote="q", where=Locator(path="d.md", line=first, end_line=last or first))


def test_without_questions_the_focus_is_the_whole_document():
    assert next_focus(100, []) == (1, 100)


def test_the_longest_run_of_lines_without_a_question_comes_first():
    assert next_focus(100, [at(10), at(40, 45)]) == (46, 100)


def test_after_a_failure_the_next_longest_run_has_its_turn():
    assert next_focus(100, [at(10), at(40, 45)], turn=1) == (11, 39)
    assert next_focus(100, [at(10), at(40, 45)], turn=3) == (46, 100)


def test_a_document_that_is_covered_whole_may_be_asked_about_again():
    assert next_focus(3, [at(1, 3)]) == (1, 3)


def test_coverage_counts_the_tenths_of_a_document_that_were_asked_about():
    assert coverage_of(100, []) == 0.0
    assert coverage_of(100, [at(1), at(5)]) == 0.1
    assert coverage_of(100, [at(1), at(95, 100)]) == 0.2
    assert coverage_of(100, [at(1, 100)]) == 1.0


def test_a_document_shorter_than_ten_lines_has_as_many_parts_as_lines():
    assert coverage_of(4, [at(1), at(4)]) == 0.5
    assert coverage_of(0, []) == 0.0
