"""Dictionary forms of English words: irregular ones by a table, the others by their endings."""

import re

from studium.languages.english.lists import irregular, listed

_DOUBLED = re.compile(r"([bdgkmnprtvz])\1$")
_SIBILANT = re.compile(r"(?:ss|x|zz|ch|sh)es$")
_NO_PLURAL = re.compile(r"(?:ss|us|is)$")
_NEEDS_E = re.compile(r"(?:[^aeiou][aiou]|[aeiou]{2})?[cgsvuz]$|[^aeiou][aiou][bdkmpt]$|[^aeiouw]l$")
_HAS_VOWEL = re.compile(r"[aeiouy]")
_ONLY_AS_IT_STANDS = 4


def as_verb(form: str) -> str | None:
    """The verb this is a form of; `None` if it does not look like one."""
    if known := irregular().get((form, "verb")):
        return known
    verbs = listed("verbs.txt") | listed("nouns_too.txt")
    stems = list(_verb_stems(form))
    for stem in stems:
        if stem in verbs:
            return stem
    is_formed = form.endswith(("ing", "ed")) and len(form) > _ONLY_AS_IT_STANDS + 1
    return stems[-1] if is_formed and _HAS_VOWEL.search(stems[-1]) and form not in listed("adjectives.txt") else None


def as_noun(form: str) -> str:
    """The noun this would be a form of."""
    if known := irregular().get((form, "noun")):
        return known
    if len(form) < _ONLY_AS_IT_STANDS or not form.endswith("s") or _NO_PLURAL.search(form):
        return form
    if form.endswith("ies"):
        return form[:-3] + "y"
    return form[:-2] if _SIBILANT.search(form) else form[:-1]


def as_adjective(form: str) -> str | None:
    """The adjective this is a form of; `None` if it is none we know."""
    adjectives = listed("adjectives.txt")
    if known := irregular().get((form, "i-adjective")):
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
