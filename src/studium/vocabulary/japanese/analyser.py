"""The words of a Japanese text, in their dictionary forms, as they are read where they stand."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from studium.core.text.word_lists import load_word_list
from studium.vocabulary.domain import PartOfSpeech, WordToken
from studium.vocabulary.japanese.compounds import Compounds, ReadingsOf, join_counters
from studium.vocabulary.japanese.homographs import SUFFIX_MARK, find_homograph, homograph_table
from studium.vocabulary.japanese.kana import has_kanji, hiragana, is_kana
from studium.vocabulary.japanese.segmentation import Segment, Segmenter, Sentence, split_sentences
from studium.vocabulary.japanese.speech import pronounce

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


_PLAIN_ENDING = dict(zip("えけげせてねべめれ", "うくぐすつぬぶむる", strict=True))
_POTENTIAL_ENDING = 2


def plain_form(dictionary_form: str, normalized_form: str) -> str:
    """The verb that a potential is made of: 会う for 会える; 信じる for the old 信ずる; the rest as it is (見える)."""
    if dictionary_form.endswith("ずる"):
        return dictionary_form.removesuffix("ずる") + "じる"
    ending = _PLAIN_ENDING.get(dictionary_form[-_POTENTIAL_ENDING:-1])
    if ending is None or not dictionary_form.endswith("る") or not normalized_form.endswith(ending):
        return dictionary_form
    if len(normalized_form) > len(dictionary_form) or normalized_form.endswith(dictionary_form[-_POTENTIAL_ENDING:]):
        return dictionary_form
    return dictionary_form[:-_POTENTIAL_ENDING] + ending


def lemma_reading(surface: str, reading: str, lemma: str) -> str:
    """How a word's dictionary form is read, if this form of it is read so; nothing if the one does not follow."""
    if lemma.endswith(("来る", "くる")) and surface[-1:] in {"来", "き", "こ"}:
        return reading[:-1] + "くる"
    shared = _shared(surface, lemma)
    tail = hiragana(surface[shared:])
    if not reading.endswith(tail):
        return ""
    return reading[: len(reading) - len(tail)] + hiragana(lemma[shared:])


def surface_reading(surface: str, lemma: str, read_lemma: str) -> str:
    """How a form is read, if its dictionary form is read so; nothing if the one does not follow."""
    shared = _shared(surface, lemma)
    tail = hiragana(lemma[shared:])
    if not read_lemma.endswith(tail):
        return ""
    return read_lemma[: len(read_lemma) - len(tail)] + hiragana(surface[shared:])


def _shared(surface: str, lemma: str) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(surface, lemma, strict=False)) if a != b), min(len(surface), len(lemma))
    )


_UNREAD = {"記号", "補助記号", "空白"}


@dataclass(frozen=True, slots=True)
class ReadSegment:
    """A segment with its dictionary form and the readings of both."""

    segment: Segment
    lemma: str
    reading: str
    lemma_reading: str


@dataclass(frozen=True)
class SentenceReader:
    """Reads the words of one sentence."""

    sentence: Sentence
    segments: list[Segment]
    readings_of: ReadingsOf

    def read(self) -> list[ReadSegment]:
        """Every segment, read."""
        return [self._read(segment) for segment in self._with_given()]

    def _read(self, segment: Segment) -> ReadSegment:
        lemma = plain_form(segment.dictionary_form, segment.normalized_form)
        if (given := self._given(segment)) is not None:
            return _as_read(segment, lemma, given)
        if segment.classes[0] in _UNREAD:
            return ReadSegment(segment, lemma, segment.surface, lemma)
        if segment.classes[1] == "数詞":
            return _as_read(segment, lemma, self._as_spoken(segment))
        if not has_kanji(segment.surface) or segment.classes[1] == "固有名詞":
            return _as_read(segment, lemma, segment.reading)
        return self._by_table(segment, lemma) or self._by_dictionary(segment, lemma)

    def _by_table(self, segment: Segment, lemma: str) -> ReadSegment | None:
        mark = SUFFIX_MARK if segment.classes[0] == "接尾辞" else ""
        word = next((word for word in (mark + segment.surface, mark + lemma) if word in homograph_table()), None)
        if word is None:
            return None
        found = find_homograph(word, self.sentence.text, segment.start, segment.end)
        if found is None:
            return _as_read(segment, lemma, self._as_spoken(segment))
        decided = found.lemma or lemma
        reading = surface_reading(segment.surface, decided, found.reading)
        return ReadSegment(segment, decided, reading, found.reading) if reading else None

    def _by_dictionary(self, segment: Segment, lemma: str) -> ReadSegment:
        """As Sudachi reads it; but if the dictionary knows the word and not this reading, as it is spoken."""
        read = _as_read(segment, lemma, segment.reading)
        known = {hiragana(kana) for kana in self.readings_of(lemma)}
        if not known or read.lemma_reading in known:
            return read
        spoken = _as_read(segment, lemma, self._as_spoken(segment))
        if spoken.lemma_reading in known:
            return spoken
        if len(known) == 1 and (only := surface_reading(segment.surface, lemma, *known)):
            return ReadSegment(segment, lemma, only, *known)
        return read

    def _as_spoken(self, segment: Segment) -> str:
        return self._spoken.get((segment.start, segment.end), segment.reading)

    def _given(self, segment: Segment) -> str | None:
        """The reading that the writer gave this word or the kanji that it begins with."""
        for (start, end), kana in self.sentence.given.items():
            if start == segment.start and end <= segment.end:
                return hiragana(kana + segment.surface[end - start :])
        return None

    def _with_given(self) -> list[Segment]:
        """The segments, those joined that a given reading spans."""
        segments = list(self.segments)
        for start, end in self.sentence.given:
            spanned = [s for s in segments if start <= s.start and s.end <= end]
            if len(spanned) > 1 and spanned[0].start == start and spanned[-1].end == end:
                word = self.sentence.text[start:end]
                at = segments.index(spanned[0])
                whole = replace(spanned[-1], surface=word, dictionary_form=word, normalized_form=word, start=start)
                segments[at : at + len(spanned)] = [whole]
        return segments

    @cached_property
    def _spoken(self) -> dict[tuple[int, int], str]:
        """The readings of pyopenjtalk, for the spans of the segments whose ends it shares."""
        starts, ends, kana = {}, {}, ""
        place, in_gap = 0, False
        for piece in pronounce(self.sentence.text):
            at = self.sentence.text.find(unicodedata.normalize("NFKC", piece.written), place)
            if at < 0 and not in_gap:
                # It writes 10 as 十: what is not in the text stands for what is next in it.
                starts[place], in_gap = len(kana), True
            elif at >= 0:
                if in_gap:
                    ends[at], in_gap = len(kana), False
                starts[at] = len(kana)
                place = at + len(piece.written)
            # A counter is written as it sounds after its number: 三本 is さんぼん.
            kana += hiragana(piece.pronunciation if piece.is_counted else piece.reading)
            ends[place] = len(kana) if not in_gap else ends.get(place, len(kana))
        return {
            (s.start, s.end): kana[starts[s.start] : ends[s.end]]
            for s in self.segments
            if s.start in starts and s.end in ends
        }


def _as_read(segment: Segment, lemma: str, reading: str) -> ReadSegment:
    return ReadSegment(segment, lemma, reading, _lemma_reading(segment, lemma, reading))


def _lemma_reading(segment: Segment, lemma: str, reading: str) -> str:
    if segment.surface == lemma:
        return reading
    return lemma_reading(segment.surface, reading, lemma) or reading


class JapaneseAnalyser:
    """Finds the words of a text; safe to share between threads.

    `readings_of` says how a dictionary reads a word, in kana; nothing for a word that it does not have. Words are then
    cut where the dictionary has them, and a reading that it does not have gives way to one that it has.
    """

    def __init__(self, readings_of: ReadingsOf | None = None) -> None:
        self._segmenter = Segmenter()
        self._readings_of = lru_cache(50_000)(readings_of or _no_readings)
        self._compounds = Compounds(self._readings_of, self._segmenter) if readings_of else None

    def words(self, text: str) -> list[WordToken]:
        """Every word of the text in order, those that only serve others included; white space is none."""
        return [word for sentence in split_sentences(text) for word in self._words(text, sentence)]

    def _words(self, text: str, sentence: Sentence) -> Iterator[WordToken]:
        before: Segment | None = None
        segments = self._segmenter.segments(sentence.text)
        if self._compounds:
            segments = self._compounds.settle(segments)
        segments = join_counters(segments)
        for read in SentenceReader(sentence, segments, self._readings_of).read():
            segment = read.segment
            if segment.surface.isspace():
                continue
            kind = part_of_speech(segment, before)
            start = sentence.offsets[segment.start]
            yield WordToken(
                surface=_as_written(text[start : sentence.offsets[segment.end]], segment.surface),
                lemma=read.lemma,
                reading=read.reading,
                lemma_reading=read.lemma_reading,
                part_of_speech=kind,
                is_content=is_content(segment, kind),
                start=start,
                line=sentence.line,
            )
            before = segment


def _no_readings(_word: str) -> Collection[str]:
    return ()


def _as_written(written: str, plain: str) -> str:
    """The word as it is written, without the reading that its writer gave or the signs that do not show."""
    shown = "".join(sign for sign in written if sign.isprintable()).rstrip()
    return shown if unicodedata.normalize("NFKC", shown) == plain else plain
