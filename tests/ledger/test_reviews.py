from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from tests.ledger.samples import doubt, finding

from studium.domain.decision import Review, ReviewStatus
from studium.domain.errors import BadInput, Conflict, NotFound
from studium.stores.ledger import Ledger


@pytest.fixture
def review(ledger: Ledger) -> Review:
    run = ledger.start_run("cards", {})
    ledger.settle(run.id, "ospf.md", [doubt()])
    return ledger.reviews()[0]


def test_an_approval_is_kept_and_closes_the_review(ledger: Ledger, review: Review):
    answered = ledger.answer_review(review.id, "approved", None, "good")
    assert answered == ledger.review(review.id)
    assert (answered.status, answered.answer, answered.comment) == (ReviewStatus.APPROVED, None, "good")
    assert answered.answered_at == datetime(2026, 11, 3, 14, 25, 32, tzinfo=UTC)
    assert ledger.reviews() == []
    assert ledger.reviews(None) == ledger.reviews("approved") == [answered]


def test_an_edit_must_fit_the_proposals_schema(ledger: Ledger, review: Review):
    with pytest.raises(BadInput) as refused:
        ledger.answer_review(review.id, "edited", {"front": "X", "tags": ["a", 5]})
    assert refused.value.what.splitlines()[1:] == ["- front: 'X' is too short", "- tags[1]: 5 is not of type 'string'"]
    with pytest.raises(BadInput, match="the answer: 'front' is a required property"):
        ledger.answer_review(review.id, "edited", {})
    assert ledger.review(review.id) == review

    edited = ledger.answer_review(review.id, "edited", {"front": "What is flooded?", "tags": []})
    assert edited.answer == {"front": "What is flooded?", "tags": []}


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ("open", "does not leave the review open"),
        ("edited", "the edited proposal is missing"),
        ("responded", "the response is missing"),
        ("maybe", "'maybe' is none of these"),
    ],
)
def test_an_answer_that_says_nothing_is_refused(ledger: Ledger, review: Review, status: str, why: str):
    with pytest.raises(BadInput, match=why):
        ledger.answer_review(review.id, status)


def test_a_second_answer_is_told_how_and_when_the_first_was_given(ledger: Ledger, review: Review):
    ledger.answer_review(review.id, "rejected", comment="Trivial")
    with pytest.raises(Conflict, match="already rejected on 2026-11-03 at 14:25:32 UTC with the comment “Trivial”"):
        ledger.answer_review(review.id, "approved")
    assert ledger.review(review.id).status == "rejected"


def test_of_many_who_answer_at_once_one_is_heard(address: str, review: Review):
    def answer(number: int) -> str | None:
        with Ledger.open(address) as own:
            try:
                return own.answer_review(review.id, "responded", comment=str(number)).comment
            except Conflict:
                return None

    with ThreadPoolExecutor(6) as people:
        heard = [comment for comment in people.map(answer, range(6)) if comment]
    with Ledger.open(address) as ledger:
        assert heard == [ledger.review(review.id).comment]


def test_an_answer_can_be_taken_back(ledger: Ledger, review: Review):
    ledger.answer_review(review.id, "edited", {"front": "What?"}, "hm")
    assert ledger.reopen_review(review.id[:6]) == review
    assert ledger.reopen_review(review.id) == review
    assert ledger.answer_review(review.id, "approved").status == "approved"


def test_the_same_doubt_is_never_asked_twice(ledger: Ledger, review: Review):
    again = ledger.start_run("cards", {})
    ledger.settle(again.id, "ospf.md", [doubt(reasons=("Said otherwise.",))])
    assert ledger.reviews() == [review]

    answered = ledger.answer_review(review.id, "approved")
    once_more = ledger.start_run("cards", {})
    ledger.settle(once_more.id, "ospf.md", [doubt()])
    assert ledger.reviews(None) == [answered]


def test_an_earlier_answer_is_found_by_the_doubt_itself(ledger: Ledger, review: Review):
    assert ledger.answered("cards", doubt()) is None
    answered = ledger.answer_review(review.id, "approved")
    assert ledger.answered("cards", doubt()) == answered
    assert ledger.answered("questions", doubt()) is None
    assert ledger.answered("cards", doubt(proposal={"front": "Another question?"})) is None
    assert ledger.answered("cards", doubt(findings=(finding("other.doubt"),))) is None


def test_reviews_are_listed_by_faculty_and_page_with_those_that_wait_longest_first(ledger: Ledger):
    for faculty in ("cards", "questions"):
        run = ledger.start_run(faculty, {})
        for number in range(4):
            ledger.settle(run.id, str(number), [doubt(str(number))])
    assert [(each.faculty, each.decision.item) for each in ledger.reviews(limit=3, offset=3)] == [
        ("cards", "3"),
        ("questions", "0"),
        ("questions", "1"),
    ]
    assert [each.decision.item for each in ledger.reviews(faculty="questions")] == ["0", "1", "2", "3"]
    with pytest.raises(BadInput, match="'closed' is none of these"):
        ledger.reviews("closed")


def test_a_review_that_is_not_there_is_told(ledger: Ledger, review: Review):
    with pytest.raises(NotFound, match=f"There is no review 'zzz'; there are {review.id}"):
        ledger.answer_review("zzz", "approved")


def test_a_line_says_what_a_review_is_about_and_how_it_stands(ledger: Ledger, review: Review):
    ledger.answer_review(review.id, "approved")
    (line,) = ledger.review_lines()
    first = next(iter((*review.decision.reasons, *(each.message for each in review.decision.findings))), "")
    assert (line.id, line.item, line.faculty, line.status) == (review.id, review.decision.item, "cards", "approved")
    assert (line.doubt, line.opened_at) == (first, review.opened_at)


def test_the_stamp_is_another_whenever_a_review_is_opened_answered_or_reopened(ledger: Ledger, review: Review):
    stamps = [ledger.reviews_stamp(), ledger.reviews_stamp()]
    ledger.answer_review(review.id, "approved")
    stamps.append(ledger.reviews_stamp())
    ledger.reopen_review(review.id)
    stamps.append(ledger.reviews_stamp())
    assert stamps[0] == stamps[1] == stamps[3] != stamps[2]


def test_the_review_before_is_the_last_of_the_same_item(ledger: Ledger, review: Review):
    assert ledger.asked_before(review) is None
    later = review.model_copy(update={"opened_at": datetime(2030, 1, 1, tzinfo=UTC)})
    assert ledger.asked_before(later) == review
    other = later.decision.model_copy(update={"item": "another.md"})
    assert ledger.asked_before(later.model_copy(update={"decision": other})) is None


def test_only_the_answer_that_was_seen_is_taken_back(ledger: Ledger, review: Review):
    first = ledger.answer_review(review.id, "approved")
    ledger.reopen_review(review.id, first.answered_at)
    ledger.answer_review(review.id, "rejected", None, "Too vague.")
    with pytest.raises(Conflict, match="already rejected"):
        ledger.reopen_review(review.id, first.answered_at)
    assert ledger.review(review.id).comment == "Too vague."
    assert ledger.reopen_review(review.id).status == "open"
