"""A page as an image that every provider of models that see accepts."""

from io import BytesIO
from typing import TYPE_CHECKING

from studium.domain.document import PageImage, UnpaintablePageError
from studium.readers.pdf.pdfium import Pdf

if TYPE_CHECKING:
    import pypdfium2
    from PIL.Image import Image

LONGEST_SIDE = 1568
MAX_BYTES = 3_700_000
_QUALITY = 80
_SMALLER = 0.7
_LEAST_SIDE = 16
# 288 dots an inch: beyond it a small page only becomes blurred.
_MAX_SCALE = 4.0


def paint(pdf: Pdf, number: int) -> PageImage:
    """A page as a JPEG within the limits of size and bytes."""
    if not 1 <= number <= pdf.page_count:
        pages = "1 page" if pdf.page_count == 1 else f"{pdf.page_count} pages"
        raise UnpaintablePageError(f"There is no page {number}: the document has {pages}, counted from 1.")
    image = render(pdf, number - 1, LONGEST_SIDE)
    data = _jpeg(image)
    while len(data) > MAX_BYTES:
        image = image.resize((int(image.width * _SMALLER), int(image.height * _SMALLER)))
        data = _jpeg(image)
    return PageImage("image/jpeg", data)


def render(pdf: Pdf, index: int, longest_side: int) -> "Image":
    """A page, counted from 0, as an image whose longer side is at most so long."""
    from pypdfium2 import PdfiumError

    try:
        with pdf.page(index) as page:
            bitmap = page.render(scale=_scale(page, index, longest_side), rev_byteorder=True, prefer_bgrx=False)
            try:
                image: Image = bitmap.to_pil().convert("RGB")
                return image
            finally:
                bitmap.close()
    except (PdfiumError, ValueError, MemoryError) as error:
        raise UnpaintablePageError(f"Page {index + 1} is broken ({error}). Try another page.") from error


def _scale(page: "pypdfium2.PdfPage", index: int, longest_side: int) -> float:
    width, height = page.get_size()
    # pdfium rounds a side up to the next whole pixel.
    scale: float = min((longest_side - 1) / max(width, height, 1), _MAX_SCALE)
    if min(width, height) * scale < _LEAST_SIDE:
        size = f"{width:.0f} × {height:.0f} points"
        raise UnpaintablePageError(f"Page {index + 1} has a size that cannot be shown ({size}). Try another page.")
    return scale


def _jpeg(image: "Image") -> bytes:
    file = BytesIO()
    image.save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()
