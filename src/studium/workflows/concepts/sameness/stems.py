"""Words without what grammar adds to them, so that forms of one word are one."""

import unicodedata

_SHORTEST_STEM = 3


def fold(text: str) -> str:
    """Small letters without accents."""
    return "".join(mark for mark in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(mark))


def english_stem(word: str) -> str:
    """The stem of an English word, folded."""
    if word.endswith("ies") and len(word) > len("flies"):
        word = f"{word[:-3]}y"
    return _without(word, _ENGLISH).rstrip("e")


def spanish_stem(word: str) -> str:
    """The stem of a Spanish word, folded."""
    return _without(word, _SPANISH)


def _endings(listed: str) -> tuple[str, ...]:
    return tuple(sorted(listed.split(), key=len, reverse=True))


_ENGLISH = _endings(
    "s es ed ing ly er ers or ors ness ment ments ation ations ion ions ity ive al ally ful ism ist ists y"
)
_SPANISH = _endings(
    "a as o os e es s ar er ir an en amos emos imos aba aban ia ian ado ada ados adas ido ida idos idas"
    " ando iendo yendo arse erse irse arlo erlo irlo arla erla irla arlos erlos irlos arnos ernos irnos arte erte"
    " arles erles ara era ira aran eran iran are ere ire aria eria iria arian erian irian aremos eremos iremos aste"
    " iste io aron ieron yeron ase iese asen iesen mente amente cion ciones acion aciones"
)


def _without(word: str, endings: tuple[str, ...]) -> str:
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word
