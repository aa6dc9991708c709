"""Changes put into practice on the proposal that the state holds."""

from collections.abc import Mapping, Sequence

from studium.core.domain.finding import Finding
from studium.domain.concept import Quote
from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.identity import concept_uuid
from studium.workflows.concepts.proposal import Proposal
from studium.workflows.concepts.revising.applying import apply_changes
from studium.workflows.concepts.state import ConceptExtractionState, quote_keys


def revised(
    proposal: Proposal, changes: Sequence[Change], state: ConceptExtractionState, quotes: Mapping[str, Quote]
) -> tuple[Proposal, list[Finding]]:
    """The proposal after these changes, and what of them could not be done."""

    def new_uuid(title: str, keys: Sequence[str]) -> str:
        return concept_uuid(state["content_uuid"], title, [quotes[key].uuid for key in keys if key in quotes])

    after, findings = apply_changes(proposal, changes, quotes=quote_keys(state), new_uuid=new_uuid)
    return after, list(findings)
