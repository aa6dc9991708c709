"""Questions that carry `#card` or `#flashcard`, with `/reverse` or `-reverse` for both directions.

    ## What does OSPF flood? #card         What does OSPF flood? #card/reverse
    Link-state advertisements.             Link-state advertisements.

Under a heading the whole section answers, up to an id or a rule; under a line, the paragraph that follows.
"""

import re
from collections.abc import Iterator

from studium.core.domain.finding import Finding
from studium.readers.notes.header import anki_tag, card_mark, inline_tags
from studium.readers.notes.inline import has_separator
from studium.readers.notes.page import Draft, Heading, NotePage

_TAG = re.compile(r"(?<!\S)#(?:flash)?card(?P<reverse>[/-]reversed?)?(?=\s|$)", re.IGNORECASE)
_TRAILING_TAGS = re.compile(r"(?<![ \t])(?:[ \t]*(?<!\S)#[^\s#]+)+[ \t]*$")
_LEAD = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?")
_CLOZE = re.compile(r"==\S|\{[^{}\s]|\{\{")


def find_cards(page: NotePage) -> Iterator[Draft | Finding]:
    """Every line or heading with the tag, and the answer below it."""
    after = 0
    for index, shown in enumerate(page.shown):
        if index >= after and "#" in shown and (tag := _TAG.search(shown)) and not has_separator(shown):
            card = _card(page, index, tag, after)
            after = card.end if isinstance(card, Draft) else index + 1
            if card:
                yield card


def _card(page: NotePage, index: int, tag: re.Match[str], after: int) -> Draft | Finding | None:
    start = _question_start(page, index, after)
    heading = page.heading_at(start)
    answer = page.first_text(index + 1, len(page.shown))
    end = _section_end(page, answer, heading) if heading else _paragraph_end(page, answer)
    front, asked = _front(page, start, index)
    back = page.text(answer, end)
    if not front:  # a tag by itself marks the note
        return None
    if back:
        tags = tuple(anki_tag(each) for each in inline_tags(page.shown[index]) if not card_mark(each))
        last = page.last_text(answer, end)
        return Draft(
            "reversed" if tag["reverse"] else "basic", "tagged", front, back, start, last, asked=asked, tags=tags
        )
    if any(_CLOZE.search(line) for line in page.shown[start : index + 1]):
        return None
    message = "This card has no answer. Write it on the lines below the tag."
    return page.finding("question_without_answer", start, message)


def _question_start(page: NotePage, index: int, after: int) -> int:
    """Where the question begins; a tag that stands alone belongs to the heading right above it."""
    if page.heading_at(index):
        return index
    start = page.paragraph_start(index, after)
    alone = start == index and not _TRAILING_TAGS.sub("", page.shown[index]).strip()
    return index - 1 if alone and index and page.heading_at(index - 1) else start


def _section_end(page: NotePage, start: int, heading: Heading) -> int:
    for index in range(start, len(page.shown)):
        below = page.heading_at(index)
        if (below and below.level <= heading.level) or page.rule(index) or _tagged(page, index):
            return index
        if not below and not page.blank(index) and page.parts(index):
            return index
    return len(page.shown)


def _paragraph_end(page: NotePage, start: int) -> int:
    ends = (index for index in range(start, len(page.shown)) if page.parts(index) or _tagged(page, index))
    return next(ends, len(page.shown))


def _tagged(page: NotePage, index: int) -> bool:
    shown = page.shown[index]
    return "#" in shown and _TAG.search(shown) is not None


def _front(page: NotePage, start: int, index: int) -> tuple[str, int]:
    """The question without its tags and without the heading's or list's mark, and the line it begins on."""
    lines = [_TRAILING_TAGS.sub("", line) if "#" in line else line for line in page.lines[start : index + 1]]
    if page.heading_at(start):
        lines[0] = lines[0].lstrip().lstrip("#").strip()
    elif lead := _LEAD.match(lines[0]):
        lines[0] = lines[0][lead.end() :]
    asked = next((at for at, line in enumerate(lines, start) if line.strip()), start)
    return "\n".join(lines).strip(), asked
