"""`search`: the lines in which a string or a regular expression is found."""

import re

from pydantic import Field

from studium.core.domain.document import Document
from studium.core.domain.skill import ToolReply
from studium.core.domain.value import Value
from studium.workflows.questions.toolkit.excerpts import Excerpts, excerpts
from studium.workflows.questions.toolkit.matching import InvalidPattern, Matches, match_literally, match_regex

_REGEX_SIGNS = re.compile(r"[\\^$.|?*+()\[\]{}]")


class Search(Value):
    """What to look for."""

    pattern: str = Field(
        min_length=1, max_length=1000, description="A string or a regular expression; case makes no difference."
    )
    context_lines: int = Field(default=2, ge=0, le=20, description="How many lines to show around each match.")
    regex: bool | None = Field(
        default=None,
        description="Whether the pattern is a regular expression. If not said, it is taken as it stands, and as a "
        "regular expression only if it is not found so.",
    )


def search(document: Document, wanted: Search) -> ToolReply:
    """The lines that match with those around them, or why there are none."""
    try:
        found = _matches(document.text, wanted)
    except InvalidPattern as error:
        what = "is not" if wanted.regex else "is not found, and it is not"
        return ToolReply(
            f"`{wanted.pattern}` {what} a usable regular expression: {error}. Correct it and search again."
        )
    except TimeoutError:
        return ToolReply(f"The search for `{wanted.pattern}` took too long and was stopped. Give a simpler pattern.")
    if not found.spans:
        return ToolReply(f"`{wanted.pattern}` is not found. Try fewer or other words.")
    shown = excerpts(document, found.spans, wanted.context_lines)
    return ToolReply(f"{_summary(found, shown)}\n\n{shown.text}")


def _matches(text: str, wanted: Search) -> Matches:
    if wanted.regex:
        return match_regex(text, wanted.pattern)
    found = match_literally(text, wanted.pattern)
    if found.spans or wanted.regex is False or not _REGEX_SIGNS.search(wanted.pattern):
        return found
    return match_regex(text, wanted.pattern)


def _summary(found: Matches, shown: Excerpts) -> str:
    count = _counted(len(found.spans), "match", "matches")
    if not found.complete:
        count = f"At least {count}; the search was stopped there"
    if found.complete and shown.lines_shown == shown.lines_found:
        return f"{count}."
    lines = _counted(shown.lines_shown, "matching line", "matching lines")
    return f"{count}. Not all are shown here, only {lines}; a more exact pattern finds fewer."


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
