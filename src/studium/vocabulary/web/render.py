"""What the browser is told about a song, as plain text and numbers."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any

from studium.vocabulary.song_library import OpenSong
from studium.vocabulary.song_reader import MAX_CHARACTERS, ReaderLine, ReaderSpan, SongReader, word_key


def render_lines(reader: SongReader) -> list[dict[str, Any]]:
    """The lines, part by part."""
    return [_line(line) for line in reader.lines]


def render_marks(reader: SongReader, is_known: Callable[[str], bool]) -> dict[str, dict[str, Any]]:
    """The level of each word, and whether it is known."""
    keys = {word_key(word.lemma, word.lemma_reading) for word in reader.words if word.is_content}
    return {
        key: {"level": reader.items[key].jlpt if key in reader.items else None, "known": is_known(key)} for key in keys
    }


def render_words(reader: SongReader, known: AbstractSet[str], is_known: Callable[[str], bool]) -> list[dict[str, Any]]:
    """The words to choose from, those first that unlock most, those last that are known."""
    turns = {word_key(each.word, each.reading): (turn, each) for turn, each in enumerate(reader.unlocking(known))}
    keys = sorted(reader.items, key=lambda key: turns[key][0] if key in turns else len(turns))
    told = []
    for key in keys:
        item = reader.items[key]
        unlocking = turns[key][1] if key in turns else None
        told.append(
            {
                "key": key,
                "written": item.kanji,
                "reading": item.reading,
                "english": item.english,
                "level": item.jlpt,
                "count": item.count,
                "known": is_known(key),
                "unlocks": unlocking.unlocks if unlocking else 0,
                "readable": f"{unlocking.readable} of {unlocking.lines} lines by then" if unlocking else "",
            }
        )
    return told


def song_remarks(opened: OpenSong) -> list[str]:
    """What a reader should know about this song before trusting it."""
    remarks = list(opened.remarks)
    if opened.is_cut:
        remarks.append(f"The text is long: its first {MAX_CHARACTERS:,} characters were read.")
    if not opened.is_whole:
        remarks.append("The lyrics were not kept: these are the lines in which the words stand first.")
    if opened.reader.is_translated:
        remarks.append("This song is in another language: its words are shown as the words you would learn for them.")
    if opened.reader.may_be_chinese:
        remarks.append("There is no kana in this text. If it is not Japanese, its readings are wrong.")
    return remarks


def format_time(seconds: float | None) -> str:
    """When a line is sung, in minutes and seconds."""
    return "" if seconds is None else f"{int(seconds // 60)}:{int(seconds % 60):02}"


def _line(each: ReaderLine) -> dict[str, Any]:
    line = each.line
    return {
        "n": line.number,
        "t": format_time(line.time),
        "sung": line.is_sung,
        "parts": [_part(stretch) for stretch in each.stretches],
    }


def _part(stretch: ReaderSpan) -> dict[str, Any]:
    part: dict[str, Any] = {"signs": stretch.signs}
    if stretch.word:
        part["w"] = stretch.word
    if not stretch.is_sure:
        part["unsure"] = True
    return part
