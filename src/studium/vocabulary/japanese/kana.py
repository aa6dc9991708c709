"""Kana: its signs made plain, and what kind of sign a sign is."""

import re
import unicodedata

VOWEL_MARK = "ー"
SMALL_TSU = "っ"
N = "ん"

_TO_HIRAGANA = {code: code - 0x60 for code in (*range(0x30A1, 0x30F7), 0x30FD, 0x30FE)}
_SPACED_MARKS = str.maketrans({"゛": "\u3099", "゜": "\u309a"})
_LENGTHENED = str.maketrans({"〜": VOWEL_MARK, "\uff5e": VOWEL_MARK})
_STRAY_MARKS = str.maketrans({"\u3099": None, "\u309a": None})
_VOICED = str.maketrans("かきくけこさしすせそたちつてとはひふへほ", "がぎぐげござじずぜぞだぢづでどばびぶべぼ")
_VOICELESS = str.maketrans("がぎぐげござじずぜぞだぢづでどばびぶべぼ", "かきくけこさしすせそたちつてとはひふへほ")
_KANA_SIGNS = r"\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"
_KANJI_SIGNS = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々〆\u3007"
_KANA = re.compile(f"[{_KANA_SIGNS}]+")
_KANJI = re.compile(f"[{_KANJI_SIGNS}]")
_JAPANESE = re.compile(f"[{_KANA_SIGNS}{_KANJI_SIGNS}\uff66-\uff9f]")

# A sign goes with the small signs and the vowel marks that change how it sounds; letters and digits go in runs.
_SIGNS = re.compile(
    f"[{_KANA_SIGNS}][ぁぃぅぇぉゃゅょゎァィゥェォャュョヮー]*|[{_KANJI_SIGNS}]|[^{_KANA_SIGNS}{_KANJI_SIGNS}]+"
)


def normalise_kana(text: str) -> str:
    """The text with full-width kana, composed marks, and a wave after kana written as the vowel mark it stands for."""
    composed = unicodedata.normalize("NFKC", text.translate(_SPACED_MARKS).translate(_LENGTHENED))
    return composed.translate(_STRAY_MARKS)


def hiragana(text: str) -> str:
    """The text in hiragana, sign for sign, with repetition marks (ゝ, ヾ) written out; what is no kana stays."""
    written = normalise_kana(text).translate(_TO_HIRAGANA)
    if "ゝ" not in written and "ゞ" not in written:
        return written
    signs: list[str] = []
    for sign in written:
        before = signs[-1] if signs else ""
        signs.append({"ゝ": unvoiced(before) or sign, "ゞ": voiced(before) or sign}.get(sign, sign))
    return "".join(signs)


def voiced(kana: str) -> str:
    """The kana with its first sign voiced: か becomes が; what has no voiced form stays."""
    return kana[:1].translate(_VOICED) + kana[1:]


def unvoiced(kana: str) -> str:
    """The kana with its first sign unvoiced: が becomes か."""
    return kana[:1].translate(_VOICELESS) + kana[1:]


def is_kanji(sign: str) -> bool:
    """Whether a sign is read as a kanji is: kanji, 々, 〆 and the round zero."""
    return _KANJI.fullmatch(sign) is not None


def has_kanji(text: str) -> bool:
    """Whether there is a kanji in the text."""
    return _KANJI.search(text) is not None


def is_kana(text: str) -> bool:
    """Whether the text is kana and nothing else."""
    return _KANA.fullmatch(text) is not None


def split_characters(written: str) -> tuple[str, ...]:
    """The signs of a word: each kanji; each kana with its small ones and its vowel mark; runs of letters or digits."""
    return tuple(_SIGNS.findall(written))


def count_japanese_characters(text: str) -> int:
    """How many kana (half-width ones too) and kanji there are in a text."""
    return len(_JAPANESE.findall(text))
