"""What vocabulary does without a model: the agent's steps by rules, and the check of what a model claims."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from studium.core.domain.finding import Finding, Severity
from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule
from studium.core.text.stems import share_stem
from studium.core.text.stop_words import stop_words
from studium.core.text.tokens import split_words
from studium.vocabulary.domain import LyricLine, Lyrics, VocabularyItem
from studium.vocabulary.lexicon import Lexicon
from studium.vocabulary.skills import AGENT, EXTRACT, Claim, Claims, LyricsGiven, SongGiven

_LONG_VOWELS = str.maketrans({"ā": "aa", "ī": "ii", "ū": "uu", "ē": "ee", "ō": "ou"})
# Words that most glosses have in common.
_EMPTY_WORDS = frozenset({"one", "s", "something", "someone"})
_SHORTEST_PREFIX = 3


def rules(lexicon: Callable[[], Lexicon]) -> dict[str, Rule]:
    """Return the rules of this feature; the lexicon is opened on first use."""

    async def agent(_given: SongGiven, tools: Sequence[Tool]) -> Claims:
        by_name = {tool.name: tool for tool in tools}
        for name in ("get_lyrics", "extract_vocabulary"):
            reply = by_name[name].run(by_name[name].arguments())
            if hasattr(reply, "__await__"):
                await reply
        return Claims()

    def extract(given: LyricsGiven, _tools: Sequence[Tool]) -> Claims:
        lines = tuple(LyricLine(text, number) for number, text in enumerate(given.lyrics.splitlines(), 1))
        items = lexicon().items_in(Lyrics(lines))[: given.count]
        return Claims(vocabulary=tuple(Claim(kanji=i.kanji, romaji=i.romaji, english=i.english) for i in items))

    return {AGENT.name: agent, EXTRACT.name: extract}


@dataclass(frozen=True)
class CheckedClaim:
    """The song's word that a model claimed, or `None` if there is no such word, and what was wrong with the claim."""

    item: VocabularyItem | None
    findings: tuple[Finding, ...] = ()


def check_claim(claim: Claim, items: Sequence[VocabularyItem]) -> CheckedClaim:
    """Find the claimed word among the song's words, and compare reading and meaning with the dictionary's."""
    word = claim.kanji.strip()
    item = next((each for each in items if word in (each.kanji, each.sung, each.reading)), None)
    if item is None:
        message = f"“{word}” is not in the song, or not in the dictionary; it is left out."
        return CheckedClaim(None, (_warning("word.unknown", message),))
    findings = []
    if claim.romaji and _plain_romaji(claim.romaji) not in (_plain_romaji(item.romaji), _plain_romaji(item.sung)):
        findings.append(_warning("word.reading", f"{item.kanji} is read {item.romaji}, not {claim.romaji}."))
    if claim.english and not _share_a_word(claim.english, (item.english, *item.meanings)):
        findings.append(_warning("word.gloss", f"{item.kanji} means {item.english}, not {claim.english}."))
    return CheckedClaim(item, tuple(findings))


def _plain_romaji(romaji: str) -> str:
    """Spell a reading one way: `Tōkyō`, `toukyou` and `tokyo` are the same."""
    folded = romaji.casefold().translate(_LONG_VOWELS)
    letters = "".join(char for char in unicodedata.normalize("NFKD", folded) if char.isalpha())
    return re.sub(r"(?<=o)u|([aeiou])\1", lambda found: found[1] or "", letters)


def _share_a_word(claimed: str, meanings: Sequence[str]) -> bool:
    words = _meaningful_words(claimed)
    return not words or any(
        _are_alike(word, other) for other in _meaningful_words(" ".join(meanings)) for word in words
    )


def _are_alike(one: str, other: str) -> bool:
    """Tell whether two words are forms of one (`running`, `run`), or one begins with the other (`sunny`, `sun`)."""
    shorter, longer = sorted((one, other), key=len)
    return share_stem(one, other, "en") or (longer.startswith(shorter) and len(shorter) >= _SHORTEST_PREFIX)


def _meaningful_words(text: str) -> set[str]:
    return set(split_words(text.casefold())) - stop_words("en") - _EMPTY_WORDS


def _warning(code: str, message: str) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, message=message)
