"""The hand-labelled pairs of concepts are what they promise to be."""

import csv
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COLUMNS = ["label", "languages", "title1", "text1", "title2", "text2"]
LABELS = {"same": 0.45, "related": 0.35, "different": 0.20}
PROMISED = {
    "pairs.tsv": {"en": 60, "es": 60, "en-es": 20},
    "held_out.tsv": {"en": 43, "es": 43, "en-es": 16},
    "natural.tsv": {"en": 65, "es": 65, "en-es": 20},
    "natural_held_out.tsv": {"en": 48, "es": 48, "en-es": 14},
}

Side = tuple[str, str]


def rows(name: str) -> list[list[str]]:
    """The lines of a labelled file, its header first."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def pairs(name: str) -> list[frozenset[Side]]:
    """Each pair as its two concepts, whichever comes first."""
    return [frozenset({(row[2], row[3]), (row[4], row[5])}) for row in rows(name)[1:]]


def concepts(name: str) -> list[Side]:
    """All concepts that occur in a file."""
    return [concept for pair in pairs(name) for concept in pair]


@pytest.mark.parametrize("name", PROMISED)
def test_every_line_has_six_filled_columns(name: str) -> None:
    header, *lines = rows(name)
    assert header == COLUMNS
    broken = [
        at for at, row in enumerate(lines, 2) if len(row) != len(COLUMNS) or any(c != c.strip() or not c for c in row)
    ]
    assert broken == []


@pytest.mark.parametrize("name", PROMISED)
def test_as_many_pairs_of_each_language_as_promised(name: str) -> None:
    assert Counter(row[1] for row in rows(name)[1:]) == PROMISED[name]


@pytest.mark.parametrize("name", PROMISED)
def test_every_language_has_the_promised_mix_of_labels(name: str) -> None:
    lines = rows(name)[1:]
    assert {row[0] for row in lines} == set(LABELS)
    for languages, total in PROMISED[name].items():
        found = Counter(row[0] for row in lines if row[1] == languages)
        shares = {label: found[label] / total for label in LABELS}
        assert shares == pytest.approx(LABELS, abs=0.08), languages


@pytest.mark.parametrize("name", PROMISED)
def test_no_pair_occurs_twice_and_none_is_one_concept_with_itself(name: str) -> None:
    all_pairs = pairs(name)
    assert [pair for pair, times in Counter(all_pairs).items() if times > 1 or len(pair) != len(("one", "other"))] == []


@pytest.mark.parametrize(("known", "new"), [("pairs.tsv", "held_out.tsv"), ("natural.tsv", "natural_held_out.tsv")])
def test_the_held_out_pairs_share_no_title_and_no_text_with_the_others(known: str, new: str) -> None:
    seen = {part for concept in concepts(known) for part in concept}
    assert seen.isdisjoint(part for concept in concepts(new) for part in concept)
