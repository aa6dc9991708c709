from pathlib import Path

import pytest

from studium.concepts import use_cases as concepts
from studium.concepts.proposal import ProposalChange, ReviewAnswer
from studium.core.config import Settings
from studium.core.domain.errors import Conflict

QUOTES = """# Habits

Author: Ann Example

- Attention is a muscle that grows with use.
- Repetition makes a habit out of an act.
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.model_validate({"home": tmp_path / "home"})


@pytest.fixture
async def book(settings: Settings, tmp_path: Path) -> str:
    file = tmp_path / "habits.md"
    file.write_text(QUOTES, "utf-8")
    [parsed] = (await concepts.parse(settings, file, title="", author="")).books
    await concepts.extract(settings, parsed.book, again=False)
    return parsed.book


async def test_what_was_seen_is_answered_round_by_round(settings, book):
    first = (await concepts.resume_review(settings, book)).waiting
    change = ProposalChange(action="reject", concept=first.proposal.live_concepts[0].key)
    second = (
        await concepts.answer_review(settings, book, ReviewAnswer(changes=(change,)), seen=first.fingerprint)
    ).waiting
    done = await concepts.answer_review(settings, book, ReviewAnswer(approved=True), seen=second.fingerprint)
    assert done.waiting is None
    assert done.kept["create"] == len(first.proposal.live_concepts) - 1


async def test_an_answer_to_an_older_round_is_refused_and_the_newer_one_waits_on(settings, book):
    first = (await concepts.resume_review(settings, book)).waiting
    change = ProposalChange(action="reject", concept=first.proposal.live_concepts[0].key)
    second = (
        await concepts.answer_review(settings, book, ReviewAnswer(changes=(change,)), seen=first.fingerprint)
    ).waiting
    with pytest.raises(Conflict, match="has changed since you saw it"):
        await concepts.answer_review(settings, book, ReviewAnswer(approved=True), seen=first.fingerprint)
    assert (await concepts.resume_review(settings, book)).waiting == second


async def test_what_was_the_same_as_a_concept_that_was_undone_meanwhile_is_kept_again(settings, book):
    first = await concepts.review(settings, book, lambda _: ReviewAnswer(approved=True))
    waiting = (await concepts.extract(settings, book, again=True)).waiting
    assert all(each.same_as for each in waiting.proposal.live_concepts)
    await concepts.undo(settings, first.run)
    again = await concepts.review(settings, book, lambda _: ReviewAnswer(approved=True))
    assert again.kept == first.kept
    assert {each.code for each in again.findings} >= {"concepts.kept_anew"}
