"""How the readings of a form and of its dictionary form follow from each other: いった and いく for 行った and 行く."""

from studium.languages.japanese.kana import hiragana

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
