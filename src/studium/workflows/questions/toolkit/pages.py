"""`view_page`: a page as it looks."""

from base64 import b64encode

from pydantic import Field

from studium.core.domain.document import Document, PageRenderError
from studium.core.domain.skill import Image, ToolReply
from studium.core.domain.value import Value


class ViewPage(Value):
    """Which page to look at."""

    page_number: int = Field(description="The page to look at, counted from 1.")


def view_page(document: Document, wanted: ViewPage) -> ToolReply:
    """The page as an image, or why there is none."""
    number, count = wanted.page_number, len(document.pages)
    if document.paint is None:
        return ToolReply("Not applicable: a document of this format has no pages to look at. Use read_lines instead.")
    if not 1 <= number <= count:
        return ToolReply(f"There is no page {number}: the pages are numbered from 1 to {count}.")
    try:
        page = document.paint(number)
    except PageRenderError as error:
        return ToolReply(f"Page {number} cannot be shown ({str(error).rstrip('.')}). Try another page.")
    image = Image(page.media_type, b64encode(page.data).decode("ascii"))
    return ToolReply(f"Page {number} of {count} follows as an image.", (image,))
