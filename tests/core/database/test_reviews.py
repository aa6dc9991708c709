from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from tests.core.database.samples import doubt, finding

from studium.core.database import Database
from studium.core.domain.decision import Review, ReviewStatus
from studium.core.domain.errors import BadInput, Conflict, NotFound


@pytest.fixture
def review(database: Database) -> Review:
    run = database.runs.start("cards", {})
    database.items.save(run.id, "ospf.md", [doubt()])
    return database.reviews.select()[0]


def test_an_approval_is_saved_and_closes_the_review(database: Database, review: Review):
    answered = database.reviews.answer(review.id, "approved", None, "good")
    assert answered == database.reviews.get(review.id)
    assert (answered.status, answered.answer, answered.comment) == (ReviewStatus.APPROVED, None, "good")
    assert answered.answered_at == datetime(2026, 11, 3, 14, 25, 32, tzinfo=UTC)
    assert database.reviews.select() == []
    assert database.reviews.select(None) == database.reviews.select("approved") == [answered]


def test_an_edit_must_fit_the_proposals_schema(database: Database, review: Review):
    with pytest.raises(BadInput) as refused:
        database.reviews.answer(review.id, "edited", {"front": "X", "tags": ["a", 5]})
    assert refused.value.what.splitlines()[1:] == ["- front: 'X' is too short", "- tags[1]: 5 is not of type 'string'"]
    with pytest.raises(BadInput, match="the answer: 'front' is a required property"):
        database.reviews.answer(review.id, "edited", {})
    assert database.reviews.get(review.id) == review

    edited = database.reviews.answer(review.id, "edited", {"front": "What is flooded?", "tags": []})
    assert edited.answer == {"front": "What is flooded?", "tags": []}


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ("open", "cannot leave the review open"),
        ("edited", "the edited proposal is missing"),
        ("responded", "the response is missing"),
        ("maybe", "'maybe' is none of these"),
    ],
)
def test_an_empty_answer_is_refused(database: Database, review: Review, status: str, why: str):
    with pytest.raises(BadInput, match=why):
        database.reviews.answer(review.id, status)


def test_a_second_answer_is_refused_with_the_first_answer_and_its_time(database: Database, review: Review):
    database.reviews.answer(review.id, "rejected", comment="Trivial")
    with pytest.raises(Conflict, match="already rejected on 2026-11-03 at 14:25:32 UTC with the comment “Trivial”"):
        database.reviews.answer(review.id, "approved")
    assert database.reviews.get(review.id).status == "rejected"


def test_of_many_concurrent_answers_one_is_saved(address: str, review: Review):
    def answer(number: int) -> str | None:
        with Database.open(address) as own:
            try:
                return own.reviews.answer(review.id, "responded", comment=str(number)).comment
            except Conflict:
                return None

    with ThreadPoolExecutor(6) as people:
        heard = [comment for comment in people.map(answer, range(6)) if comment]
    with Database.open(address) as database:
        assert heard == [database.reviews.get(review.id).comment]


def test_an_answer_can_be_undone(database: Database, review: Review):
    database.reviews.answer(review.id, "edited", {"front": "What?"}, "hm")
    assert database.reviews.reopen(review.id[:6]) == review
    assert database.reviews.reopen(review.id) == review
    assert database.reviews.answer(review.id, "approved").status == "approved"


def test_the_same_doubt_is_never_asked_twice(database: Database, review: Review):
    again = database.runs.start("cards", {})
    database.items.save(again.id, "ospf.md", [doubt(reasons=("Said otherwise.",))])
    assert database.reviews.select() == [review]

    answered = database.reviews.answer(review.id, "approved")
    once_more = database.runs.start("cards", {})
    database.items.save(once_more.id, "ospf.md", [doubt()])
    assert database.reviews.select(None) == [answered]


def test_an_earlier_answer_is_found_by_the_doubt_itself(database: Database, review: Review):
    assert database.reviews.find_answer("cards", doubt()) is None
    answered = database.reviews.answer(review.id, "approved")
    assert database.reviews.find_answer("cards", doubt()) == answered
    assert database.reviews.find_answer("questions", doubt()) is None
    assert database.reviews.find_answer("cards", doubt(proposal={"front": "Another question?"})) is None
    assert database.reviews.find_answer("cards", doubt(findings=(finding("other.doubt"),))) is None


def test_reviews_are_listed_by_feature_and_page_oldest_first(database: Database):
    for feature in ("cards", "questions"):
        run = database.runs.start(feature, {})
        for number in range(4):
            database.items.save(run.id, str(number), [doubt(str(number))])
    assert [(each.feature, each.decision.item) for each in database.reviews.select(limit=3, offset=3)] == [
        ("cards", "3"),
        ("questions", "0"),
        ("questions", "1"),
    ]
    assert [each.decision.item for each in database.reviews.select(feature="questions")] == ["0", "1", "2", "3"]
    with pytest.raises(BadInput, match="'closed' is none of these"):
        database.reviews.select("closed")


def test_an_unknown_review_is_reported(database: Database, review: Review):
    with pytest.raises(NotFound, match=f"There is no review 'zzz'; there are {review.id}"):
        database.reviews.answer("zzz", "approved")


def test_a_line_has_the_topic_and_the_status_of_a_review(database: Database, review: Review):
    database.reviews.answer(review.id, "approved")
    (line,) = database.reviews.summaries()
    first = next(iter((*review.decision.reasons, *(each.message for each in review.decision.findings))), "")
    assert (line.id, line.item, line.feature, line.status) == (review.id, review.decision.item, "cards", "approved")
    assert (line.doubt, line.opened_at) == (first, review.opened_at)


def test_the_version_changes_whenever_a_review_is_opened_answered_or_reopened(database: Database, review: Review):
    stamps = [database.reviews.version(), database.reviews.version()]
    database.reviews.answer(review.id, "approved")
    stamps.append(database.reviews.version())
    database.reviews.reopen(review.id)
    stamps.append(database.reviews.version())
    assert stamps[0] == stamps[1] == stamps[3] != stamps[2]


def test_the_previous_review_is_the_last_of_the_same_item(database: Database, review: Review):
    assert database.reviews.previous(review) is None
    later = review.model_copy(update={"opened_at": datetime(2030, 1, 1, tzinfo=UTC)})
    assert database.reviews.previous(later) == review
    other = later.decision.model_copy(update={"item": "another.md"})
    assert database.reviews.previous(later.model_copy(update={"decision": other})) is None


def test_only_the_answer_that_was_seen_is_undone(database: Database, review: Review):
    first = database.reviews.answer(review.id, "approved")
    database.reviews.reopen(review.id, first.answered_at)
    database.reviews.answer(review.id, "rejected", None, "Too vague.")
    with pytest.raises(Conflict, match="already rejected"):
        database.reviews.reopen(review.id, first.answered_at)
    assert database.reviews.get(review.id).comment == "Too vague."
    assert database.reviews.reopen(review.id).status == "open"
