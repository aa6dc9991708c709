"""Scores the vocabulary: words and readings of a treebank, and expressions in lines like those of songs."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.material import Material, Score, share
from studium.vocabulary.domain import VocabularyItem
from studium.vocabulary.lyrics.parser import parse_lyrics
from studium.vocabulary.setup import build_lexicon
from studium.vocabulary.use_cases import ensure_dictionary

_CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV"})
_KANJI = re.compile("[一-鿿々]")
_HIRAGANA = {katakana: katakana - 0x60 for katakana in range(0x30A1, 0x30F7)}
_ROWS = {
    "あ": "あかさたなはまやらわがざだばぱゃ",
    "い": "いきしちにひみりぎじぢびぴえけせてねへめれげぜでべぺ",
    "う": "うくすつぬふむゆるぐずづぶぷゅおこそとのほもよろをごぞどぼぽょ",
}
_LONG = {kana: vowel for vowel, row in _ROWS.items() for kana in row}

ListWords = Callable[[str], Sequence[VocabularyItem]]


@dataclass(frozen=True)
class _Word:
    """A word of the treebank: its base form, its form in the sentence, its readings and its position."""

    base: str
    surface: str
    readings: frozenset[str]
    start: int
    end: int


def score_gsd(material: Material) -> Score:
    """The share of words listed, of words listed or part of a listed word, and of right readings among the listed.

    A word counts that is a noun, verb, adjective or adverb with a kanji. Part of a listed word is one that stands
    inside a longer one that the dictionary explains.
    """
    files = material.find_all("*.conllu")
    list_words = _lister(material)
    count: Counter[str] = Counter()
    wrong = []
    for text, words in (sentence for file in files for sentence in _sentences(file)):
        items = list_words(text)
        places = list(_places(text, items))
        for word in words:
            listed = [item for item in items if item.kanji == word.base]
            listed = listed or [item for item in items if item.kanji == word.surface]
            verdict = _verdict(word, listed, places)
            count[verdict] += 1
            if verdict in ("misread", "missed"):
                read = " ".join(item.reading for item in listed)
                wrong.append(f"{verdict} {word.base} {'/'.join(sorted(word.readings))} {read} in {text}")
    found = count["right"] + count["misread"]
    figures = {
        "strict": share(found, count.total()),
        "covered": share(found + count["covered"], count.total()),
        "readings": share(count["right"], found),
    }
    return Score(figures, wrong)


def score_expressions(material: Material) -> Score:
    """For how many lines the expected word is listed, with its reading and a word of its meaning."""
    with material.find("expressions.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    list_words = _lister(material)
    wrong = []
    for row in rows:
        items = list_words(row["line"])
        if not any(_is_expected(row, item) for item in items):
            listed = " ".join(f"{item.kanji}[{item.reading}] {item.english}" for item in items)
            wrong.append(f"{row['line']}: {row['headword']}[{row['reading']}] {row['gloss']}, listed {listed}")
    return Score({"right": len(rows) - len(wrong), "of": len(rows)}, wrong)


def _lister(material: Material) -> ListWords:
    """Lists the words of a text; the dictionary is prepared once."""
    settings = material.settings("vocabulary")
    ensure_dictionary(settings)
    lexicon = build_lexicon(settings)
    return lambda text: lexicon.items_in(parse_lyrics(text))


def _sentences(file: Path) -> Iterator[tuple[str, list[_Word]]]:
    """The sentences of a treebank in CoNLL-U with UniDic's readings, each with its words."""
    for block in re.split(r"\n\n+", file.read_text("utf-8").strip()):
        lines = block.splitlines()
        text = next(line.removeprefix("# text = ") for line in lines if line.startswith("# text = "))
        words, end = [], 0
        for line in lines:
            number, form, lemma, kind, *_, misc = line.split("\t") if line[0].isdigit() else ("", *[""] * 9)
            if not number.isdigit():
                continue
            start = text.index(form, end)
            end = start + len(form)
            if kind in _CONTENT and _KANJI.search(form) and "UnidicInfo=" in misc:
                reading, _, _, base, sound, *_ = misc.split("UnidicInfo=")[1].split("|")[0].split(",")
                base = base or lemma
                readings = {_loose(reading)} | ({_loose(_without_bars(sound))} if base == form else set())
                words.append(_Word(base, form, frozenset(readings), start, end))
        yield text, words


def _verdict(word: _Word, listed: Sequence[VocabularyItem], places: Sequence[tuple[int, int]]) -> str:
    if listed:
        return "right" if any(_loose(item.reading) in word.readings for item in listed) else "misread"
    length = word.end - word.start
    inside = any(start <= word.start and word.end <= end and end - start > length for start, end in places)
    return "covered" if inside else "missed"


def _places(text: str, items: Sequence[VocabularyItem]) -> Iterator[tuple[int, int]]:
    """The spans of a sentence that the dictionary explains."""
    for item in items:
        if item.english or item.meanings:
            sung = item.sung or item.kanji
            # Search at every position, to find overlapping ones.
            yield from ((at, at + len(sung)) for at in range(len(text)) if text.startswith(sung, at))


def _is_expected(row: Mapping[str, str], item: VocabularyItem) -> bool:
    meanings = "\n".join((item.english, *item.meanings)).casefold()
    return (
        item.kanji in row["headword"].split("/")
        and _hiragana(item.reading) in map(_hiragana, row["reading"].split("/"))
        and any(word.casefold() in meanings for word in row["gloss"].split("/"))
    )


def _hiragana(text: str) -> str:
    return text.translate(_HIRAGANA)


def _without_bars(sound: str) -> str:
    """A pronunciation in hiragana, with every long-vowel bar written as a vowel."""
    written = ""
    for sign in _hiragana(sound):
        written += _LONG.get(written[-1], "ー") if sign == "ー" and written else sign
    return written


def _loose(reading: str) -> str:
    """A reading with one spelling for long vowels and for voiced pairs that sound the same."""
    text = _hiragana(reading).replace("づ", "ず").replace("ぢ", "じ")
    text = re.sub("(?<=[えけせてねへめれげぜでべぺ])え", "い", text)
    return re.sub("(?<=[おこそとのほもよろをごぞどぼぽょ])お", "う", text)


SETS = {"gsd": score_gsd, "expressions": score_expressions}
