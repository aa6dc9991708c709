"""What kind of word a word is, and whether it carries meaning of its own."""

import re

from studium.core.text.word_lists import load_word_list
from studium.vocabulary.domain import PartOfSpeech
from studium.vocabulary.japanese.kana import hiragana, is_kana
from studium.vocabulary.japanese.segmentation import Segment

_CLASSES: dict[str, PartOfSpeech] = {
    "名詞": "noun",
    "代名詞": "pronoun",
    "動詞": "verb",
    "形容詞": "i-adjective",
    "形状詞": "na-adjective",
    "副詞": "adverb",
    "感動詞": "interjection",
    "接続詞": "conjunction",
    "接頭辞": "prefix",
    "接尾辞": "suffix",
    "助詞": "particle",
    "助動詞": "auxiliary",
    "記号": "symbol",
    "補助記号": "symbol",
    "空白": "symbol",
}
_FINE_CLASSES: dict[str, PartOfSpeech] = {
    "固有名詞": "name",
    "数詞": "number",
    "助動詞語幹": "auxiliary",
    "フィラー": "interjection",
}
_CONTENT: frozenset[PartOfSpeech] = frozenset(
    {"noun", "verb", "i-adjective", "na-adjective", "adverb", "pronoun", "expression", "other"}
)
_JAPANESE = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u3400-\u9fff々]")
_LENGTH = re.compile(r"[ーっ〜～ぁぃぅぇぉ]")
_REPEATED = re.compile(r"(.)\1{2,}.?|(..)\2{2,}")
_TE = {"て", "で", "ちゃ", "じゃ"}


def part_of_speech(segment: Segment, before: Segment | None) -> PartOfSpeech:
    """What kind of word this is after that one."""
    coarse, fine = segment.classes[:2]
    if _helps(segment, before):
        return "auxiliary"
    if segment.dictionary_form in _listed("greetings.txt"):
        return "expression"
    if coarse == "感動詞" or _is_filler(segment):
        return "interjection"
    return _FINE_CLASSES.get(fine) or _CLASSES.get(coarse, "other")


def is_content(segment: Segment, kind: PartOfSpeech) -> bool:
    """Whether a learner would look this word up."""
    if kind not in _CONTENT or not _JAPANESE.search(segment.surface):
        return False
    if segment.dictionary_form in _listed("function_words.txt"):
        return False
    if is_kana(segment.surface):
        if segment.normalized_form in _listed("function_words.txt"):
            return False
        return len(segment.dictionary_form) > 1 and not (segment.is_unknown and segment.surface == segment.reading)
    return True


def _helps(segment: Segment, before: Segment | None) -> bool:
    """Whether a verb or adjective only helps the word before it: 歩いて いる, 減り 続ける, 飲んで ほしい."""
    if before is None:
        return False
    if before.surface == "に" and before.classes[0] == "助詞" and segment.classes[0] == "動詞":
        return segment.surface in _listed("particles_after_ni.txt")
    if segment.classes[1] != "非自立可能":
        return False
    if before.classes[1] == "接続助詞" and before.surface in _TE:
        return segment.dictionary_form in _listed("helping_after_te.txt")
    if before.classes[0] == "形容詞":
        return before.classes[5].startswith("語幹")
    return before.classes[0] == "動詞" and before.classes[5].startswith("連用形") and before.end == segment.start


def _is_filler(segment: Segment) -> bool:
    if not is_kana(segment.surface):
        return False
    sound = hiragana(segment.surface)
    if _REPEATED.fullmatch(sound):
        return True
    return segment.is_unknown and _LENGTH.sub("", sound) in _listed("fillers.txt")


def _listed(name: str) -> frozenset[str]:
    return load_word_list("studium.vocabulary.japanese", f"tables/{name}")
