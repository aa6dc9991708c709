"""Cards around a line with a question mark: `?` asks one way, `??` both.

What does OSPF flood?
?
Link-state advertisements.
"""

from collections.abc import Iterator

from studium.core.domain.finding import Finding
from studium.readers.notes.page import TAKEN, Draft, NotePage


def find_cards(page: NotePage) -> Iterator[Draft | Finding]:
    """Every separator with the paragraph, or heading, above it and the paragraph below it."""
    after = 0
    for index, shown in enumerate(page.shown):
        if index >= after and shown.strip() in ("?", "??"):
            card = _card(page, index, after)
            after = card.end if isinstance(card, Draft) else index + 1
            yield card


def _card(page: NotePage, index: int, after: int) -> Draft | Finding:
    start = _question_start(page, index, after)
    end = page.paragraph_end(index + 1)
    heading = page.heading_at(start) if start < index else None
    front = heading.title if heading else page.text(start, index)
    back = page.text(index + 1, end)
    if not front:
        message = "There is no question above this `?`. Write it on the line above, with no empty line between."
        return page.finding("answer_without_question", index, message)
    if not back:
        message = "There is no answer below this `?`. Write it on the next line, with no empty line between."
        return page.finding("question_without_answer", start, message)
    return Draft("reversed" if page.shown[index].strip() == "??" else "basic", "multiline", front, back, start, end)


def _question_start(page: NotePage, index: int, after: int) -> int:
    start = page.paragraph_start(index, after)
    above = start - 1
    if start == index and above >= 0 and page.shown[above][:1] != TAKEN and page.heading_at(above):
        return above
    return start
