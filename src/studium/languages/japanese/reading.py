"""How words are read where they stand: as their writer says, as the table of homographs decides, as they are spoken."""

import unicodedata
from dataclasses import dataclass, replace
from functools import cached_property

from studium.languages.japanese.compounds import ReadingsOf
from studium.languages.japanese.homographs import SUFFIX_MARK, homograph, table
from studium.languages.japanese.inflection import lemma_reading, plain_form, surface_reading
from studium.languages.japanese.kana import has_kanji, hiragana
from studium.languages.japanese.segmenting import Segment
from studium.languages.japanese.sentences import Sentence
from studium.languages.japanese.speaking import pieces

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
        word = next((word for word in (mark + segment.surface, mark + lemma) if word in table()), None)
        if word is None:
            return None
        found = homograph(word, self.sentence.text, segment.start, segment.end)
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
        for piece in pieces(self.sentence.text):
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
