"""What stands between the sung lines: headings, repeat marks, credits, chords, and what lyrics sites leave behind."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import normalize

import yaml

# No heading or credit is longer; a longer line is sung, whatever it begins with.
_LONGEST = 120
_TAIL = 40

_BRACKETED = re.compile(r"[\[【\u3014{].*[\]】\u3015}]")
_IN_PARENTHESES = re.compile(r"[(<《〈](.*)[)>》〉]")
_AFTER_MARK = re.compile(r"[※△▲☆★◆◇○●□■*#](.+)")
_OPEN, _CLOSE = r"[(\uff08\[\uff3b]", r"[)\uff09\]\uff3d]"
_REPEATED = re.compile(
    rf"\s*{_OPEN}\s*(?:[x×*]\s*\d{{1,2}}|\d{{1,2}}\s*(?:x|×|times|回))\s*{_CLOSE}\s*\Z"
    r"|\s+[x×]\s*\d{1,2}\s*\Z|×\d{1,2}\s*\Z",
    re.IGNORECASE,
)
_COUNT = re.compile(r"(?:[x×*]\s*\d{1,2}|\d{1,2}\s*[x×])")

_CHORD = r"[A-G][#♯b♭]?(?:maj|min|dim|aug|sus|add|omit|[mMΔø°\d+\-()♯♭#b])*(?:/[A-G][#♯b♭]?)?"
_ONLY_CHORDS = re.compile(rf"(?:(?:{_CHORD}|N\.?C\.?|[|/%\-–>:])(?:\s+|(?=\|)|(?<=\|)|\Z))+")
_SURE_CHORD = re.compile(r"\||[A-G][#♯b♭]|[A-G]\S|\S {2,}\S")
_INLINE_CHORD = re.compile(rf"\[{_CHORD}\]")
_TABLATURE = re.compile(r"[eEBGDA]?[b#]?\s*\|[-\dhpbrx~/\\|\s]*-{3}[-\dhpbrx~/\\|\s]*")


def strip_marks(line: str) -> str:
    """A line without the chords in it and without how often it is to be repeated."""
    bare = _INLINE_CHORD.sub("", line)
    once = bare[:-_TAIL] + _REPEATED.sub("", bare[-_TAIL:])
    return once if once.strip() else bare


def is_not_sung(line: str) -> bool:
    """Whether a line is a heading, a direction, a credit or a leftover, or has no word at all."""
    if not any(map(str.isalnum, line)):
        return True
    plain = normalize("NFKC", line).strip()
    if len(plain) > _LONGEST:
        return False
    return _is_heading(plain) or _is_credit(plain) or _matches("leftovers", plain.casefold())


def is_chords(line: str, *, surely: bool) -> bool:
    """Whether a line holds nothing but chords; a line of single letters is one only where others surely are."""
    plain = normalize("NFKC", line).strip()
    if not plain or len(plain) > _LONGEST:
        return False
    if _TABLATURE.fullmatch(plain):
        return True
    return bool(_ONLY_CHORDS.fullmatch(plain)) and (not surely or bool(_SURE_CHORD.search(plain)))


def _is_heading(line: str) -> bool:
    folded = line.casefold()
    if _BRACKETED.fullmatch(line) or _COUNT.fullmatch(folded) or _matches("parts", folded):
        return True
    inside = _IN_PARENTHESES.fullmatch(folded) or _AFTER_MARK.fullmatch(folded)
    return inside is not None and _matches("directions", inside[1].strip(" ()※"))


def _is_credit(line: str) -> bool:
    return _matches("labels", line.casefold()) or bool(_patterns()["verbs"].match(line))


def _matches(kind: str, folded: str) -> bool:
    return bool(_patterns()[kind].fullmatch(folded))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    words: dict[str, Any] = yaml.safe_load(files(__package__).joinpath("unsung.yaml").read_text("utf-8"))
    parts, bare = _any_of(words["parts"]), _any_of(words["credits"]["bare"])
    label = _any_of([*words["credits"]["bare"], *words["credits"]["labels"]])
    told = _any_of([*words["parts"], *words["directions"]])
    return {
        "parts": re.compile(rf"[-=~*#\s]*(?:{parts})(?:\s*[\divx]{{1,4}})?\s*:?[-=~*#\s]*"),
        "directions": re.compile(rf"(?:{_COUNT.pattern}|(?:{told})|\d|[-\s:,.&/])+"),
        "labels": re.compile(
            rf"(?:{label})(?:\s*[・&/、,と+]\s*(?:{label}))*\s*:.*|(?:{bare})(?:[・&/、](?:{bare}))*(?:[\s/|].*)?"
        ),
        "verbs": re.compile(rf"(?i:{_any_of(words['credits']['verbs'])})\s+(?i:by)[\s:]+[^a-z\s]"),
        "leftovers": re.compile("|".join(f"(?:{pattern})" for pattern in words["leftovers"])),
    }


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
