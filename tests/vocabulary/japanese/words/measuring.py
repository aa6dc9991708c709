"""How many of the labelled words are found and read right."""

from pathlib import Path

FOLDER = Path(__file__).parent


def rows(name):
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line]


def reading_of(words, sentence, surface):
    """How the words that a span lies in are read, and whether they end where it ends."""
    start = sentence.index(surface)
    end = start + len(surface)
    around = [word for word in words if word.start < end and word.start + len(word.surface) > start]
    exact = around[0].start == start and around[-1].start + len(around[-1].surface) == end
    return "".join(word.reading for word in around), exact


def homographs_missed(finder, name):
    missed = []
    for sentence, surface, expected in rows(name):
        read, exact = reading_of(finder.words(sentence), sentence, surface)
        if read != expected if exact else expected not in read:
            missed.append((sentence, surface, expected, read))
    return missed


def running_text_missed(finder, name):
    """The content words not found, those misread, what is found beyond them, and how many there are."""
    unfound, misread, extra, total = [], [], [], 0
    for line, labels in rows(name):
        expected = dict((label if "/" in label else f"{label}/{label}").split("/") for label in labels.split())
        found = {word.lemma: word.lemma_reading for word in finder.words(line) if word.is_content}
        total += len(expected)
        unfound += [(line, word) for word in expected if word not in found]
        misread += [
            (line, word, found[word])
            for word, reading in expected.items()
            if word in found and _hiragana(found[word]) != _hiragana(reading)
        ]
        extra += [(line, word) for word in found if word not in expected]
    return unfound, misread, extra, total


def _hiragana(kana):
    return "".join(chr(ord(sign) - 0x60) if "ァ" <= sign <= "ヶ" else sign for sign in kana)
