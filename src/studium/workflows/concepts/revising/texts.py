"""Adding a concept, editing its texts and quotes, and saying that it stands, goes or comes back."""

from collections.abc import Sequence

from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.proposal import Backing, Candidate, Standing
from studium.workflows.concepts.revising.relating import set_relation_standing
from studium.workflows.concepts.revising.revision import Revision

STANDINGS = {"approve": Standing.APPROVED, "reject": Standing.REJECTED, "restore": Standing.PROPOSED}


def set_standing(revision: Revision, change: Change) -> None:
    """Approve, reject or restore a concept, or a relation of it where the change names one."""
    standing = STANDINGS[change.action]
    if change.target or change.type:
        set_relation_standing(revision, change, standing)
    elif concept := revision.named(change, change.concept):
        revision.put(concept.model_copy(update={"standing": standing}))


def add(revision: Revision, change: Change) -> None:
    """Add a concept that nobody had proposed."""
    title = one_line(change.title)
    if not title:
        revision.refuse(change, "empty_title", "a new concept needs a title")
        return
    quotes = [Backing(quote=key) for key in revision.known_quotes(change, change.quotes or ())]
    revision.concepts.append(
        revision.new_concept(
            title,
            quotes,
            concept=change.text,
            analysis=change.analysis,
            summary=change.summary,
            summary_short=change.summary_short,
            same_as=_known_kept(revision, change),
        )
    )


def edit(revision: Revision, change: Change) -> None:
    """Replace the texts and quotes of a concept that the change gives."""
    concept = revision.named(change, change.concept)
    if concept is None:
        return
    texts = {
        "title": change.title,
        "concept": change.text,
        "analysis": change.analysis,
        "summary": change.summary,
        "summary_short": change.summary_short,
    }
    new: dict[str, object] = {name: text for name, text in texts.items() if text is not None}
    if change.text is not None:
        # What summed up the old text does not sum up the new one.
        new = {"summary": "", "summary_short": ""} | new
    if not new and change.quotes is None and change.same_as is None:
        revision.refuse(change, "empty_edit", "it says nothing that is to be different")
        return
    if change.title is not None:
        new |= _new_title(revision, change, concept)
    if change.quotes is not None:
        new["quotes"] = _new_quotes(revision, change, concept)
    if change.same_as is not None and (_known_kept(revision, change) or not change.same_as):
        new["same_as"] = change.same_as or None
    revision.put(concept.model_copy(update=new))


def one_line(title: str | None) -> str:
    """A title without the white space around it and the line breaks in it."""
    return " ".join((title or "").split())


def backings(concept: Candidate, keys: Sequence[str]) -> tuple[Backing, ...]:
    """The quotes with these keys as what carries the concept: as before where they did, and why."""
    known: dict[str, Backing] = {}
    for each in concept.quotes:
        known.setdefault(each.quote, each)
    return tuple(known.get(key) or Backing(quote=key) for key in keys)


def _new_title(revision: Revision, change: Change, concept: Candidate) -> dict[str, object]:
    title = one_line(change.title)
    if not title:
        revision.refuse(change, "empty_title", f"a concept needs a title; it stays “{concept.title}”")
        return {"title": concept.title}
    revision.links = [
        link.model_copy(update={"title": title}) if link.title and link.target == concept.key else link
        for link in revision.links
    ]
    return {"title": title}


def _new_quotes(revision: Revision, change: Change, concept: Candidate) -> tuple[Backing, ...]:
    known = revision.known_quotes(change, change.quotes or ())
    # Where every key is wrong, an empty concept is not what was meant.
    return concept.quotes if change.quotes and not known else backings(concept, known)


def _known_kept(revision: Revision, change: Change) -> str | None:
    if change.same_as and change.same_as not in revision.kept:
        why = f"the proposal knows of no kept concept {change.same_as} that it could be the same as"
        revision.refuse(change, "unknown_kept_concept", why)
        return None
    return change.same_as
