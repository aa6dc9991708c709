"""The page on the very command that was typed, abbreviated or not."""

import re
from collections.abc import Iterable, Sequence

from studium.core.domain.document import Passage
from studium.workflows.tutor.knowledge.commands import is_grammar

MOST_PAGES = 2
_ASIDE = re.compile(r"\s*\([^)]*\)$")


class CommandPages:
    """The pages of a command reference by the command in their headings."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        # What a writer explains comes before a device's grammar.
        self._pages = sorted(
            ((_command(passage), passage) for passage in passages if passage.kind == "command_ref"),
            key=lambda page: is_grammar(page[1]),
        )

    def on(self, keywords: str) -> list[Passage]:
        """The pages whose commands say most of these words: `sh ip int br` is `show ip interface brief`."""
        typed = keywords.casefold().split()
        lengths = [(len(command), page) for command, page in self._pages if _stands_for(typed, command)]
        longest = max((length for length, _ in lengths), default=0)
        return [page for length, page in lengths if length == longest][:MOST_PAGES]


def _command(passage: Passage) -> list[str]:
    """The command that a page is about: `network (OSPF)` is on `network`."""
    return _ASIDE.sub("", passage.heading.rpartition(" > ")[2]).casefold().split()


def _stands_for(typed: Sequence[str], command: Sequence[str]) -> bool:
    return 0 < len(command) <= len(typed) and all(
        word.startswith(short) for short, word in zip(typed, command, strict=False)
    )
