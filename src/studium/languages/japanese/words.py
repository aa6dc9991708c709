"""The words of a Japanese text, in their dictionary forms, as they are read where they stand."""

import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache

from studium.domain.word import SungWord
from studium.languages.japanese.compounds import Compounds, ReadingsOf
from studium.languages.japanese.counting import with_counters
from studium.languages.japanese.reading import SentenceReader
from studium.languages.japanese.segmenting import Segment, Segmenter
from studium.languages.japanese.sentences import Sentence, sentences
from studium.languages.japanese.word_classes import is_content, part_of_speech


class WordFinder:
    """Finds the words of a text; safe to share between threads.

    `readings_of` says how a dictionary reads a word, in kana; nothing for a word that it does not have. Words are then
    cut where the dictionary has them, and a reading that it does not have gives way to one that it has.
    """

    def __init__(self, readings_of: ReadingsOf | None = None) -> None:
        self._segmenter = Segmenter()
        self._readings_of = lru_cache(50_000)(readings_of or _no_readings)
        self._compounds = Compounds(self._readings_of, self._segmenter) if readings_of else None

    def words(self, text: str) -> list[SungWord]:
        """Every word of the text in order, those that only serve others included; white space is none."""
        return [word for sentence in sentences(text) for word in self._words(text, sentence)]

    def _words(self, text: str, sentence: Sentence) -> Iterator[SungWord]:
        before: Segment | None = None
        segments = self._segmenter.segments(sentence.text)
        if self._compounds:
            segments = self._compounds.settle(segments)
        segments = with_counters(segments)
        for read in SentenceReader(sentence, segments, self._readings_of).read():
            segment = read.segment
            if segment.surface.isspace():
                continue
            kind = part_of_speech(segment, before)
            start = sentence.offsets[segment.start]
            yield SungWord(
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
