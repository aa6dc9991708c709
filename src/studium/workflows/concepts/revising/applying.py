"""A proposal after changes: what can be done is done, and what makes no sense is told."""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from studium.core.domain.finding import Finding
from studium.workflows.concepts.changes import Action, Change
from studium.workflows.concepts.proposal import Proposal
from studium.workflows.concepts.revising.joining import merge, unmerge
from studium.workflows.concepts.revising.relating import relate, unrelate
from studium.workflows.concepts.revising.revision import NewUuid, Revision
from studium.workflows.concepts.revising.splitting import split
from studium.workflows.concepts.revising.texts import add, edit, set_standing

_ACTIONS: Mapping[Action, Callable[[Revision, Change], None]] = {
    "approve": set_standing,
    "reject": set_standing,
    "restore": set_standing,
    "edit": edit,
    "merge": merge,
    "unmerge": unmerge,
    "split": split,
    "add": add,
    "relate": relate,
    "unrelate": unrelate,
}


def apply_changes(
    proposal: Proposal, changes: Sequence[Change], *, quotes: Sequence[str], new_uuid: NewUuid
) -> tuple[Proposal, tuple[Finding, ...]]:
    """The proposal after the changes, in their order, and what of them could not be done.

    `quotes` are the keys of all quotes of the book; `new_uuid` gives the id of a new concept by title and quotes.
    """
    revision = Revision.of(proposal, quotes, new_uuid)
    for change in changes:
        _ACTIONS[change.action](revision, change)
    return revision.proposal(), tuple(revision.findings)


def fingerprint(proposal: Proposal) -> str:
    """A short name of exactly this proposal, by which an answer says what it answers to."""
    # Defaults are left out, so that a field which a later release adds does not make old reviews stale.
    plain = json.dumps(proposal.model_dump(mode="json", exclude_defaults=True), sort_keys=True)
    return sha256(plain.encode()).hexdigest()[:12]
