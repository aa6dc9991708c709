"""A round of review as the inbox holds it: the proposal as a document, and a person's answer to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studium.concepts.commits import FEATURE
from studium.concepts.nodes.commit import UNSUPPORTED_CODE
from studium.concepts.proposal import CandidateConcept, Proposal, ProposalChange, ReviewAnswer
from studium.concepts.proposal_edits.document import document_changes, proposal_document
from studium.concepts.state import ConceptExtractionState, proposal_of
from studium.core.domain.decision import Action, Decision, Review, ReviewStatus, review_id
from studium.core.domain.document import content_id
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Evidence, Finding, Locator, Severity
from studium.core.runs.run_spec import RunItem, reject_item


def _answer_schema() -> dict[str, Any]:
    """What an answer must look like: the edited document, or a ReviewAnswer."""
    answer = ReviewAnswer.model_json_schema()
    return {"$defs": answer.pop("$defs"), "anyOf": [{"required": ["concepts", "relations"]}, answer]}


_ANSWER_SCHEMA = _answer_schema()


@dataclass(frozen=True)
class ReviewRound:
    """What the graph shows when it stops for a person, and what was found on the way there."""

    payload: dict[str, Any]
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, shown: Any, state: Mapping[str, Any]) -> "ReviewRound":
        """The round that this interrupt of a graph in this state asks for."""
        return cls(shown.value, state_warnings(state))

    @property
    def proposal(self) -> Proposal:
        """What is proposed."""
        return Proposal.model_validate(self.payload["proposal"])

    @property
    def fingerprint(self) -> str:
        """Names what is proposed."""
        return str(self.payload["fingerprint"])

    @property
    def title(self) -> str:
        """The book's title."""
        return str(self.payload["book"]["title"])

    @property
    def quotes(self) -> dict[str, str]:
        """The quotes' texts by key."""
        return {quote["key"]: quote["text"] for quote in self.payload["quotes"]}

    @property
    def review(self) -> str:
        """The id of this round in the inbox."""
        return review_id(FEATURE, self.decision())

    def document(self) -> dict[str, Any]:
        """The proposal as a person reads and edits it."""
        about = {name: self.payload[name] for name in ("begun", "round")}
        return {"book": self.title} | about | proposal_document(self.proposal, self.quotes, {})

    def decision(self) -> Decision:
        """The doubt that the inbox asks."""
        living = self.proposal.living
        told = f"{len(living)} concepts of “{self.title}” wait for you (round {self.payload['round']})."
        return Decision(
            item=self.title,
            action=Action.MANUAL_REVIEW,
            reasons=(told,),
            findings=self.findings,
            evidence=tuple(self._evidence(each) for each in self._carrying()),
            proposal=self.document(),
            proposal_schema=_ANSWER_SCHEMA,
        )

    def _carrying(self) -> list[dict[str, Any]]:
        loose = set(self.proposal.unattributed)
        return [quote for quote in self.payload["quotes"] if quote["key"] not in loose]

    def _evidence(self, quote: dict[str, Any]) -> Evidence:
        place = " ".join(part for part in (quote["section"], quote["page"]) if part)
        where = Locator(path=f"{self.title}, {place}" if place else self.title)
        return Evidence(passage=content_id(quote["text"]), quote=quote["text"], where=where)


def state_warnings(state: Mapping[str, Any]) -> tuple[Finding, ...]:
    """What was found on the way, each thing once."""
    return tuple(dict.fromkeys(state.get("warnings", ())))


def read_answer(review: Review, waiting: ReviewRound) -> ReviewAnswer:
    """What a person answered, wherever the answer was given."""
    if review.status is ReviewStatus.RESPONDED and review.answer:
        return ReviewAnswer.model_validate(review.answer)
    if review.status is ReviewStatus.RESPONDED:
        return ReviewAnswer(feedback=review.comment or "")
    if review.status is ReviewStatus.EDITED:
        return ReviewAnswer(approved=True, changes=_changes(review, waiting))
    if review.status is ReviewStatus.REJECTED:
        everything = tuple(ProposalChange(action="reject", concept=each.key) for each in waiting.proposal.living)
        return ReviewAnswer(approved=True, changes=everything)
    return ReviewAnswer(approved=True)


def _changes(review: Review, waiting: ReviewRound) -> tuple[ProposalChange, ...]:
    try:
        return document_changes(waiting.proposal, review.answer)
    except BadInput as error:
        raise BadInput(error.what, remedy=f"studium review reopen {review.id}, and edit it anew.") from error


def decide(item: RunItem, state: dict[str, Any]) -> list[Decision]:
    """What came of a book: a round that waits, what was kept and what was rejected, or why there is nothing."""
    if errors := state.get("errors"):
        return [reject_item(item.id, *errors)]
    if waiting := state.get("__interrupt__"):
        return [ReviewRound.of(waiting[0], state).decision()]
    warnings = state_warnings(state)
    extraction: ConceptExtractionState = state  # type: ignore[assignment]
    if state.get("phase") != "end" or not state.get("human_approved"):
        return [reject_item(item.id, *warnings)]
    return [_decided(item.id, each, warnings) for each in proposal_of(extraction).concepts] or [reject_item(item.id)]


def _decided(book: str, concept: CandidateConcept, warnings: tuple[Finding, ...]) -> Decision:
    proposal = concept.model_dump(mode="json", exclude={"merged"})
    item = f"{book}#{concept.title}"
    about = tuple(each for each in warnings if concept.title in each.message and each.severity is not Severity.INFO)
    if not concept.lives:
        lost = tuple(each for each in about if each.code == UNSUPPORTED_CODE)
        reasons = tuple(each.message for each in lost) or ("Rejected in review.",)
        return Decision(item=item, action=Action.SKIP, reasons=reasons, findings=lost, proposal=proposal)
    action = Action.UPDATE if concept.same_as else Action.CREATE
    return Decision(item=item, action=action, findings=about, proposal=proposal)
