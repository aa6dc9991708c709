"""A model's claim about a word against the dictionary: where they disagree the dictionary wins, and it is said."""

import re
import unicodedata
from collections.abc import Sequence

from studium.core.domain.finding import Finding, Severity
from studium.domain.word import VocabularyItem
from studium.workflows.vocabulary.lexicon import Checked
from studium.workflows.vocabulary.skills import Claim

_LONG = str.maketrans({"ā": "aa", "ī": "ii", "ū": "uu", "ē": "ee", "ō": "ou"})
_WORD = re.compile(r"[a-z]+")
_EMPTY = frozenset({"a", "an", "the", "to", "of", "be", "is", "one", "s", "something", "someone"})


def checked(claim: Claim, items: Sequence[VocabularyItem]) -> Checked:
    """The word of the song that is claimed, as the dictionary has it; or that there is none."""
    wanted = claim.kanji.strip()
    item = next((each for each in items if wanted in (each.kanji, each.sung, each.reading)), None)
    if item is None:
        message = f"“{wanted}” stands neither in the song nor in the dictionary as a word of it; it is left out."
        return Checked(None, (_finding("word.unknown", message),))
    findings = []
    if claim.romaji and _bare(claim.romaji) not in (_bare(item.romaji), _bare(item.sung)):
        findings.append(_finding("word.reading", f"{item.kanji} is read {item.romaji}, not {claim.romaji}."))
    if claim.english and not _share_a_word(claim.english, (item.english, *item.meanings)):
        findings.append(_finding("word.gloss", f"{item.kanji} means {item.english}, not {claim.english}."))
    return Checked(item, tuple(findings))


def _bare(romaji: str) -> str:
    """A reading however it is spelt: `Tōkyō`, `toukyou` and `tokyo` are one."""
    folded = romaji.casefold().translate(_LONG)
    letters = "".join(char for char in unicodedata.normalize("NFKD", folded) if char.isalpha())
    return re.sub(r"(?<=o)u|([aeiou])\1", lambda found: found[1] or "", letters)


def _share_a_word(one: str, others: Sequence[str]) -> bool:
    said = _words(one)
    return not said or any(_alike(word, other) for other in _words(" ".join(others)) for word in said)


def _alike(one: str, other: str) -> bool:
    """`dreams` and `dream`, `running` and `run`."""
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and len(shorter) > 2  # noqa: PLR2004 - shorter stems agree with anything


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold())) - _EMPTY


def _finding(code: str, message: str) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, message=message)
