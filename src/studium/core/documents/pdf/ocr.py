"""Text of pages that are only images, by the optional extra `ocr`."""

import threading
from functools import cache
from importlib.util import find_spec
from typing import Any

from studium.core.documents.pdf.layout import PageLayout, TextPiece
from studium.core.documents.pdf.page_images import render_page
from studium.core.documents.pdf.pdfium import Pdf

_LONGEST_SIDE = 2000
# Lines are found in a smaller image, which takes a third of the time, and read in the large one.
_SETTINGS = {
    "Global.log_level": "critical",
    "Global.use_cls": False,
    "Det.limit_type": "max",
    "Det.limit_side_len": 1280,
}
_ONE_AT_A_TIME = threading.Lock()


def is_ocr_available() -> bool:
    """Whether the extra is installed."""
    return find_spec("rapidocr") is not None


def recognise_text(pdf: Pdf, index: int) -> PageLayout:
    """What is written on a page, counted from 0, as it is seen."""
    import numpy as np

    image = render_page(pdf, index, _LONGEST_SIDE)
    with _ONE_AT_A_TIME:
        found = _engine()(np.asarray(image)[:, :, ::-1])
    pieces = [
        _piece(text, corners, image.height)
        for text, corners in zip(found.txts or (), found.boxes if found.boxes is not None else (), strict=True)
        if text.strip()
    ]
    return PageLayout(pieces, "\n".join(piece.text for piece in pieces), width=image.width, height=image.height)


def _piece(text: str, corners: Any, height: int) -> TextPiece:
    across, down = corners[:, 0], corners[:, 1]
    return TextPiece(
        text.strip(), float(across.min()), height - float(down.max()), float(across.max()), height - float(down.min())
    )


@cache
def _engine() -> Any:
    """The recogniser with the models of its wheel, which nothing is downloaded for."""
    import rapidocr

    return rapidocr.RapidOCR(params=dict(_SETTINGS))
