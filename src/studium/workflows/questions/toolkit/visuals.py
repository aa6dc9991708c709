"""`list_visual_content`: what there is to see in a document."""

from studium.core.domain.document import Document, Visual
from studium.core.domain.skill import ToolReply
from studium.core.domain.value import Value

MAX_LISTED = 100
CAPTION_CHARACTERS = 300


class ListVisualContent(Value):
    """Nothing needs to be said."""


def list_visual_content(document: Document, _wanted: ListVisualContent) -> ToolReply:
    """Figures, tables and images by the numbers that `submit_qa` takes, with page and caption."""
    visuals = document.visuals()
    if not visuals:
        return ToolReply("The document has no visual content.")
    listed = "\n".join(_listed(number, visual) for number, visual in enumerate(visuals[:MAX_LISTED], 1))
    more = f"\n(the first {MAX_LISTED} of {len(visuals)})" if len(visuals) > MAX_LISTED else ""
    return ToolReply(listed + more)


def _listed(number: int, visual: Visual) -> str:
    place = f"line {visual.where.line}" if visual.where.page is None else f"page {visual.where.page}"
    about = " ".join((visual.caption or visual.source).split()) or "no caption"
    if len(about) > CAPTION_CHARACTERS:
        about = about[:CAPTION_CHARACTERS] + "…"
    return f"{number}. {visual.kind}, {place}: {about}"
