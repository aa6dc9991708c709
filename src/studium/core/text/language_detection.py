"""Detect the language of a text: by script, by a statistical model, or, for a few words, by stop words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from studium.core.text.stop_words import STOP_WORD_LANGUAGES, stop_words
from studium.core.text.tokens import ARABIC, CYRILLIC, GREEK, HAN, HANGUL, HEBREW, KANA, THAI, has_signs

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier


class Language(NamedTuple):
    """An ISO 639-1 code, or `und` if the text is too short to tell; and the confidence, from 0 to 1."""

    code: str
    confidence: float


UNDETERMINED = Language("und", 0.0)
LEAST_CONFIDENCE = 0.35
LEAST_WEIGHT = 2
LONGEST = 20_000  # characters; the first pages decide

_NOT_PROSE = re.compile(
    r"(?P<fence>```|~~~).*?(?:(?P=fence)|\Z)"
    r"|`[^`\n]+`|\$\$.{0,2000}?\$\$|\$[^$\n]+\$|\\\(.{0,2000}?\\\)|\\\[.{0,2000}?\\\]|\\[a-zA-Z]+(?:\{[^}\n]{0,500}\})*"
    r"|https?://\S+|www\.\S+|(?<!\S)\S{1,300}?@\S+|<[^<>\n]+>|&\w+;|\{\{c\d+::|\}\}",
    re.DOTALL,
)
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]+(?:v\d)?s?\b")

# Characters that write a syllable or a word count more than letters.
_SCRIPTS = {
    name: (re.compile(f"[{signs}]"), weight)
    for name, signs, weight in (
        ("latin", "A-Za-z\xaa\xba\xc0-\u024f\u1e00-\u1eff", 1),
        ("kana", "\u3041-\u30fa\uff66-\uff9d", 3),
        ("han", "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff", 3),
        ("ko", "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3", 3),
        ("cyrillic", "\u0400-\u052f", 1),
        ("el", "\u0370-\u03ff\u1f00-\u1fff", 1),
        ("arabic", "\u0620-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc", 1),
        ("he", "\u05d0-\u05ea\ufb1d-\ufb4f", 1),
        ("th", "\u0e01-\u0e4e", 1),
        ("devanagari", "\u0904-\u097f", 1),
        ("hy", "\u0531-\u0587", 1),
        ("ka", "\u10a0-\u10ff", 1),
    )
}
_CANDIDATES = {
    "latin": (
        "en",
        "es",
        "fr",
        "de",
        "it",
        "pt",
        "nl",
        "pl",
        "sv",
        "da",
        "no",
        "fi",
        "cs",
        "tr",
        "ro",
        "hu",
        "vi",
        "id",
    ),
    "cyrillic": ("ru", "uk", "bg", "sr", "be", "mk"),
    "arabic": ("ar", "fa", "ur"),
    "devanagari": ("hi", "mr", "ne"),
}
# Letters that rule out a language when they occur; the model chooses among the others.
_FOREIGN_LETTERS = {
    "ru": "\u0456\u0457\u0454\u0491\u045e\u0458\u0459\u045a\u045b\u0452\u045f\u0453\u045c\u0455",
    "uk": "\u044b\u044d\u0451\u044a\u045e\u0458\u0459\u045a\u045b\u0452\u045f\u0453\u045c\u0455",
    "bg": "\u044b\u044d\u0451\u0456\u0457\u0454\u0491\u045e\u0458\u0459\u045a\u045b\u0452\u045f\u0453\u045c\u0455",
    "be": "\u0438\u0449\u044a\u0457\u0454\u0491\u0458\u0459\u045a\u045b\u0452\u045f\u0453\u045c\u0455",
    "sr": "\u0439\u0449\u044a\u044b\u044c\u044d\u044e\u044f\u0451\u0456\u0457\u0454\u0491\u045e\u0453\u045c\u0455",
    "mk": "\u0439\u0449\u044a\u044b\u044c\u044d\u044e\u044f\u0451\u0456\u0457\u0454\u0491\u045e\u045b\u0452",
    "ar": "\u067e\u0686\u0698\u06af\u06cc\u06a9\u0679\u0688\u0691\u06ba\u06d2",
    "fa": "\u0679\u0688\u0691\u06ba\u06d2\u0643\u064a\u0629",
}


def detect_language(text: str) -> Language:
    """The language of a text; code, formulas, addresses and acronyms do not count."""
    prose = _prose(text[:LONGEST])
    weights = {name: len(signs.findall(prose)) * weight for name, (signs, weight) in _SCRIPTS.items()}
    weights["japanese"] = weights["kana"] + weights["han"] if weights["kana"] else 0
    script = max(weights, key=lambda name: weights[name])
    total = sum(weights.values()) - weights["japanese"]
    if total < LEAST_WEIGHT:
        return UNDETERMINED
    if script in _CANDIDATES:
        return _by_model(prose, script)
    code = {"japanese": "ja", "kana": "ja", "han": "zh"}.get(script, script)
    return Language(code, weights[script] / total)


def _prose(text: str) -> str:
    prose = _NOT_PROSE.sub(" ", text)
    without_acronyms = _ACRONYM.sub(" ", prose)
    return without_acronyms if any(char.isalpha() for char in without_acronyms) else prose


def _by_model(prose: str, script: str) -> Language:
    letters = set(prose.lower())
    possible = [code for code in _CANDIDATES[script] if letters.isdisjoint(_FOREIGN_LETTERS.get(code, ""))]
    signs, _ = _SCRIPTS[script]
    words = " ".join(word for word in prose.split() if signs.search(word))
    scores = {code: score for code, score in _identifier().rank(words) if code in (possible or _CANDIDATES[script])}
    best = max(scores, key=lambda code: scores[code])
    confidence = scores[best] / (sum(scores.values()) or 1.0)
    return Language(best, confidence) if confidence >= LEAST_CONFIDENCE else Language("und", confidence)


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


_LONGEST_SHORT = 4000
_LETTER = 0.5
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019](?=[^\W\d_]))?")
# The first of these scripts in a text decides; kana before Han, which Japanese and Chinese share.
_LANGUAGES_BY_SCRIPT = (
    (KANA, ("ja",)),
    (HANGUL, ("ko",)),
    (HAN, ("zh", "ja")),
    (CYRILLIC, ("ru", "uk", "bg", "sr", "be", "mk")),
    (GREEK, ("el",)),
    (ARABIC, ("ar", "fa", "ur")),
    (HEBREW, ("he",)),
    (THAI, ("th",)),
)
# Letters that only one of the languages uses, for texts without stop words.
_LETTERS = {
    "de": "äöüß",
    "es": "ñ¿¡",
    "fr": "œëîïûù",
    "it": "ìò",
    "pt": "ãõ",
}


@lru_cache(maxsize=4096)
def guess_language(text: str, among: Sequence[str] = STOP_WORD_LANGUAGES, default: str = "en") -> str:
    """The likeliest of some languages for a text of any length; the default if nothing decides.

    A script decides where only one of them is written in it. Else the small words do: one that several languages have
    counts for less. `among` must be a tuple.
    """
    if not text.isascii() and (found := _by_script(text, among)):
        return found
    words = [word.casefold() for word in _WORD.findall(text[:_LONGEST_SHORT])]
    scores = dict.fromkeys(among, 0.0)
    for word in words:
        spoken = _speakers(word.replace("\u2019", "'"), tuple(among))
        for language in spoken:
            scores[language] += 1 / len(spoken)
    for language in among:
        scores[language] += _LETTER * sum(letter in text for letter in _LETTERS.get(language, ""))
    best = max(scores.values(), default=0.0)
    leading = [language for language in among if scores[language] == best]
    return leading[0] if best and default not in leading else default


def count_stop_words(words: Iterable[str], among: Sequence[str] = STOP_WORD_LANGUAGES) -> Counter[str]:
    """How many of some case-folded words are stop words of each language."""
    counts: Counter[str] = Counter(dict.fromkeys(among, 0))
    for word in words:
        counts.update(_speakers(word.replace("\u2019", "'"), tuple(among)))
    return counts


def _by_script(text: str, among: Sequence[str]) -> str:
    """The language of the first script found that one of the languages is written in; empty if none."""
    for signs, languages in _LANGUAGES_BY_SCRIPT:
        if has_signs(text, signs):
            return next((language for language in languages if language in among), "")
    return ""


@cache
def _by_word(among: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The languages that each stop word belongs to."""
    every = {word for language in among for word in stop_words(language)}
    return {word: tuple(language for language in among if word in stop_words(language)) for word in every}


def _speakers(word: str, among: tuple[str, ...]) -> tuple[str, ...]:
    return _by_word(among).get(word, ())
