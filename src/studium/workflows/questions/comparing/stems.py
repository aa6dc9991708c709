"""Words without their inflection, so that `networks` is `network` and `puertos` is `puerto`."""

import re
from functools import lru_cache
from unicodedata import category, normalize

from studium.workflows.questions.comparing.lexicon import lexicon

_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bdfgmnprt])\1$")
_RUSSIAN = re.compile(
    r"(?<=.{3})(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|ая|яя|ое|ее|ые|ие|ый|ий|ой|ей|ом|ем|ах|ях|ов|ев|ам|ям|ую|юю"
    r"|ия|ии|ию|ет|ют|ит|ат|ят|ся|сь|ть|[аеиоуыьюяй])$"
)
_IRREGULAR = {
    form: word for word, forms in lexicon("comparing").by_language("irregular_forms").items() for form in forms
}
_LONG_ENOUGH = 4


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A word without case, accents and inflection; what is written without spaces stays as it is."""
    folded = normalize("NFKC", word).casefold().removesuffix("'s").removesuffix("’s")
    if _UNSPACED.search(folded):
        return folded
    if _CYRILLIC.search(folded):
        return _RUSSIAN.sub("", folded.replace("ё", "е"))
    plain = "".join(char for char in normalize("NFD", folded) if category(char) != "Mn")
    return _latin(_IRREGULAR.get(plain, plain))


def _latin(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _LONG_ENOUGH - 1 and _VOWEL.search(rest):
            return _short_end(_DOUBLED.sub(r"\1", rest))
    if word.endswith("ies") and len(word) > _LONG_ENOUGH:
        return word[:-3] + "y"
    if re.search(r"(?:x|ch|sh|ss|z)es$", word):
        return word[:-2]
    if word.endswith("s") and len(word) > _LONG_ENOUGH - 1 and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _short_end(word)


def _short_end(word: str) -> str:
    """Without the vowel, or the German `-en`, that only inflects."""
    if word.endswith("en") and len(word) > _LONG_ENOUGH + 1:
        return word[:-2]
    return word[:-1] if len(word) > _LONG_ENOUGH and word[-1] in "aeo" else word
