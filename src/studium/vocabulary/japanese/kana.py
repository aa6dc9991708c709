"""Kana and kanji: normal forms, and what kind of character a character is."""

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
_KANA_RANGES = r"\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"
_KANJI_RANGES = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々〆\u3007"
_KANA = re.compile(f"[{_KANA_RANGES}]+")
_KANJI = re.compile(f"[{_KANJI_RANGES}]")
_JAPANESE = re.compile(f"[{_KANA_RANGES}{_KANJI_RANGES}\uff66-\uff9f]")

# A kana takes its small kana and vowel marks along; letters and digits form runs.
_CHARACTERS = re.compile(
    f"[{_KANA_RANGES}][ぁぃぅぇぉゃゅょゎァィゥェォャュョヮー]*|[{_KANJI_RANGES}]|[^{_KANA_RANGES}{_KANJI_RANGES}]+"
)


def normalise_kana(text: str) -> str:
    """Normalise kana: full width, composed voicing marks, and `〜` as the vowel mark `ー`."""
    composed = unicodedata.normalize("NFKC", text.translate(_SPACED_MARKS).translate(_LENGTHENED))
    return composed.translate(_STRAY_MARKS)


def hiragana(text: str) -> str:
    """Convert kana to hiragana, with repetition marks (ゝ, ヾ) written out; other characters stay."""
    written = normalise_kana(text).translate(_TO_HIRAGANA)
    if "ゝ" not in written and "ゞ" not in written:
        return written
    kana: list[str] = []
    for char in written:
        before = kana[-1] if kana else ""
        kana.append({"ゝ": unvoiced(before) or char, "ゞ": voiced(before) or char}.get(char, char))
    return "".join(kana)


def voiced(kana: str) -> str:
    """Voice the first kana: か becomes が; one without a voiced form stays."""
    return kana[:1].translate(_VOICED) + kana[1:]


def unvoiced(kana: str) -> str:
    """Unvoice the first kana: が becomes か."""
    return kana[:1].translate(_VOICELESS) + kana[1:]


def is_kanji(char: str) -> bool:
    """Tell whether a character is read like a kanji; 々, 〆 and the round zero are, too."""
    return _KANJI.fullmatch(char) is not None


def has_kanji(text: str) -> bool:
    """Tell whether a text contains kanji."""
    return _KANJI.search(text) is not None


def is_kana(text: str) -> bool:
    """Tell whether a text is only kana."""
    return _KANA.fullmatch(text) is not None


def split_characters(written: str) -> tuple[str, ...]:
    """Split a word into kanji, kana with their small kana and vowel marks, and runs of other characters."""
    return tuple(_CHARACTERS.findall(written))


def count_japanese_characters(text: str) -> int:
    """Count the kana (half-width ones too) and kanji of a text."""
    return len(_JAPANESE.findall(text))
