"""Japanese spoken by pyopenjtalk: how a sentence is pronounced, and its sound."""

import io
import wave
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

from studium.core.domain.errors import BadInput, MissingExtra
from studium.languages.japanese.segmenting import JAPANESE_EXTRA

SPOKEN_LIMIT = 500
_DEVOICED = "’"
# What it would ask Sudachi again is known to us, and it asks in a way that Sudachi deprecates.
_WITHOUT_SUDACHI = {"use_sudachi_kanji_yomi": False}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a sentence as pyopenjtalk cuts it: in katakana, its accent, if it leans on the last."""

    written: str
    reading: str
    pronunciation: str
    accent: int
    is_chained: bool
    is_counted: bool


def pieces(sentence: str) -> list[Piece]:
    """How a sentence is pronounced."""
    return [
        Piece(
            found["string"],
            found["read"],
            found["pron"].replace(_DEVOICED, ""),
            found["acc"],
            found["chain_flag"] == 1,
            found["pos_group1"] == "数" or found["pos_group2"] == "助数詞",
        )
        for found in _openjtalk().run_frontend(sentence, revert_long_vowels=True, **_WITHOUT_SUDACHI)
    ]


def speak(text: str) -> bytes:
    """The text, spoken: a WAV file, mono, 16 bit, 48 kHz."""
    if not text.strip() or len(text) > SPOKEN_LIMIT:
        raise BadInput(f"Only a text of 1 to {SPOKEN_LIMIT} signs can be spoken; this has {len(text.strip())}.")
    samples, rate = _openjtalk().tts(text, **_WITHOUT_SUDACHI)
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(samples.clip(-32768, 32767).astype("<i2").tobytes())
    return file.getvalue()


@cache
def _openjtalk() -> ModuleType:
    try:
        return import_module("pyopenjtalk")
    except ModuleNotFoundError as error:
        raise MissingExtra("Spoken Japanese needs pyopenjtalk-plus: not installed.", remedy=JAPANESE_EXTRA) from error
