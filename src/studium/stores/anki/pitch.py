"""Pitch accent, drawn over a word's kana: a line over what is high, a hook where the voice falls."""

import re
from html import escape

# A small kana belongs to the sign before it; っ, ん and ー are beats of their own.
_MORA = re.compile(r".[ぁぃぅぇぉゃゅょゎァィゥェォャュョヮ]?", re.DOTALL)


def pitch_html(reading: str, nucleus: int) -> str:
    """The reading with its pitch, by the mora after which the voice falls (0: it never does): 2 gives は￣し￢."""
    moras = _MORA.findall(reading)
    if nucleus > len(moras):
        return ""
    drawn = (
        f'<span class="{_height(place, nucleus)}">{escape(mora)}</span>' for place, mora in enumerate(moras, start=1)
    )
    return f'<span class="pitch">{"".join(drawn)}</span>'


def _height(place: int, nucleus: int) -> str:
    if place == nucleus:
        return "high fall"
    is_high = place > 1 and (nucleus == 0 or place < nucleus)
    return "high" if is_high else "low"
