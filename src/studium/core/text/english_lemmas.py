"""Dictionary forms of English words, by rules and by the lists in `data/english`."""

import re
from functools import cache
from importlib.resources import files


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(_read(name).split())


@cache
def irregular_forms() -> dict[tuple[str, str], str]:
    """Dictionary forms by irregular form and part of speech."""
    rows = (line.split("\t") for line in _read("irregular.tsv").splitlines())
    return {(form, kind): lemma for form, lemma, kind in rows}


def _read(name: str) -> str:
    return files("studium.core.text").joinpath("data", "english", name).read_text(encoding="utf-8")


_DOUBLED = re.compile(r"([bdgkmnprtvz])\1$")
_SIBILANT = re.compile(r"(?:ss|x|zz|ch|sh)es$")
_NO_PLURAL = re.compile(r"(?:ss|us|is)$")
_NEEDS_E = re.compile(r"(?:[^aeiou][aiou]|[aeiou]{2})?[cgsvuz]$|[^aeiou][aiou][bdkmpt]$|[^aeiouw]l$")
_HAS_VOWEL = re.compile(r"[aeiouy]")
_ONLY_AS_IT_STANDS = 4


def verb_lemma(form: str) -> str | None:
    """The verb this is a form of; `None` if it does not look like one."""
    if known := irregular_forms().get((form, "verb")):
        return known
    verbs = word_list("verbs.txt") | word_list("nouns_too.txt")
    stems = list(_verb_stems(form))
    for stem in stems:
        if stem in verbs:
            return stem
    is_formed = form.endswith(("ing", "ed")) and len(form) > _ONLY_AS_IT_STANDS + 1
    return stems[-1] if is_formed and _HAS_VOWEL.search(stems[-1]) and form not in word_list("adjectives.txt") else None


def noun_lemma(form: str) -> str:
    """The noun this would be a form of."""
    if known := irregular_forms().get((form, "noun")):
        return known
    if len(form) < _ONLY_AS_IT_STANDS or not form.endswith("s") or _NO_PLURAL.search(form):
        return form
    if form.endswith("ies"):
        return form[:-3] + "y"
    return form[:-2] if _SIBILANT.search(form) else form[:-1]


def adjective_lemma(form: str) -> str | None:
    """The adjective this is a form of; `None` if it is unknown."""
    adjectives = word_list("adjectives.txt")
    if known := irregular_forms().get((form, "i-adjective")):
        return known
    if form in adjectives:
        return form
    for ending in ("er", "est"):
        if form.endswith(ending):
            stem = form.removesuffix(ending)
            forms = (stem, stem + "e", _DOUBLED.sub(r"\1", stem), re.sub(r"i$", "y", stem))
            return next((known for known in forms if known in adjectives), None)
    return None


def _verb_stems(form: str) -> list[str]:
    """What a form may come from; the last is the likeliest for a verb we do not know."""
    for ending in ("ing", "ed"):
        if form.endswith(ending):
            stem = form.removesuffix(ending)
            undoubled = _DOUBLED.sub(r"\1", stem)
            likely = undoubled if undoubled != stem else stem + "e" if _NEEDS_E.search(stem) else stem
            return [form, re.sub(r"i$", "y", stem), stem, stem + "e", undoubled, likely]
    if form.endswith("ies"):
        return [form, form[:-3] + "y"]
    if form.endswith("s") and not _NO_PLURAL.search(form):
        return [form, form[:-1], form[:-2]]
    return [form]
