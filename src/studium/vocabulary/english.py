"""The words of English lyrics: nouns, verbs and adjectives in their dictionary form."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from studium.core.text.stop_words import spoken_words, stop_words
from studium.core.text.word_lists import load_text, load_word_list
from studium.vocabulary.domain import PartOfSpeech, WordToken


def word_list(name: str) -> frozenset[str]:
    """The words of a list in `word_lists/english`."""
    return load_word_list("studium.vocabulary", f"word_lists/english/{name}")


@cache
def irregular_forms() -> dict[tuple[str, str], str]:
    """Dictionary forms by irregular form and part of speech."""
    rows = (
        line.split("\t") for line in load_text("studium.vocabulary", "word_lists/english/irregular.tsv").splitlines()
    )
    return {(form, kind): lemma for form, lemma, kind in rows}


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


_TOKEN = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)*['’]?")
_SHORTENED = re.compile(r"(?:n['’]t|['’](?:s|m|re|ve|ll|d|em|all))$|['’]$")
_DROPPED_G = re.compile(r"in['’]$")
_REPEATED = re.compile(r"(.)\1+")
_VOCALISE = re.compile(r"(la|na|ta|da|ba|fa|do|du|wo|sha|ya|ha|oh?|ah|uh|eh|h?m|yeah?|whoa|woah|hey)\1*")
_BEFORE_NOUN = re.compile(
    r"a|an|the|this|that|these|those|my|your|his|her|our|their|its|every|each|no|some|any|all|of|in|with|without|by|from|"
    r"into|on|at|like|for|[a-z]+['’]s"
)
_BEFORE_VERB = re.compile(
    r"to|i|you|we|they|will|would|can|could|should|shall|may|might|must|do|does|did|don['’]t|doesn['’]t|didn['’]t|won['’]t|"
    r"can['’]t|couldn['’]t|wouldn['’]t|never|let['’]s|gonna|wanna|gotta|please|just|always|[a-z]+['’]ll|[a-z]+['’]d"
)
_BEFORE_THIRD_PERSON = re.compile(r"he|she|it|who|that|which|nobody|somebody|everybody|everyone|someone")
_CAPITALS = 0.6


@dataclass(frozen=True)
class _Token:
    """A word of a line, and the word before it."""

    text: str
    before: str
    start: int
    line: int


def english_words(text: str) -> list[WordToken]:
    """Return every word of a text, in order; names, small words and "la la la" are not content."""
    tokens = [token for number, line in enumerate(text.splitlines(), start=1) for token in _tokens(line, number)]
    names = _names(text)
    return [_word(token, names) for token in tokens]


def _tokens(line: str, number: int) -> Iterator[_Token]:
    before = ""
    for found in _TOKEN.finditer(line):
        yield _Token(found[0], before, found.start(), number)
        before = found[0].lower()


def _names(text: str) -> frozenset[str]:
    """Find the words that have a capital inside a line, and never occur without it."""
    inside: set[str] = set()
    for line in text.splitlines():
        words = _TOKEN.findall(line)
        if sum(word[0].isupper() for word in words) < _CAPITALS * len(words):
            inside.update(word for word in words[1:] if word[0].isupper() and not word.isupper())
    lower = {word for word in _TOKEN.findall(text) if word.islower()}
    return frozenset(_plain(name) for name in inside if name.lower() not in lower)


def _word(token: _Token, names: frozenset[str]) -> WordToken:
    plain = _plain(token.text)
    kind: PartOfSpeech
    if plain in _small_words() or not plain[1:]:
        lemma, kind, is_content = plain, "particle", False
    elif _VOCALISE.fullmatch(_REPEATED.sub(r"\1", plain)):
        lemma, kind, is_content = plain, "interjection", False
    elif plain in names:
        lemma, kind, is_content = token.text, "name", False
    else:
        lemma, kind = _lemma_and_kind(plain, token.before)
        is_content = lemma not in _small_words() and kind != "adverb"
    return WordToken(token.text, lemma, plain, lemma, kind, is_content, token.start, token.line)


@cache
def _small_words() -> frozenset[str]:
    return (
        stop_words("en") | spoken_words("en") | load_word_list("studium.vocabulary", "word_lists/english_too_easy.txt")
    )


def _plain(text: str) -> str:
    return _SHORTENED.sub("", _DROPPED_G.sub("ing", text.lower()))


def _lemma_and_kind(plain: str, before: str) -> tuple[str, PartOfSpeech]:
    """Find the dictionary form and part of speech of a word, by its ending and the word before it."""
    verb, noun, adjective = verb_lemma(plain), noun_lemma(plain), adjective_lemma(plain)
    if adjective and not (verb and _BEFORE_VERB.fullmatch(before)):
        return adjective, "i-adjective"
    if verb and _is_rather_verb(plain, verb, noun, before):
        return verb, "verb"
    if plain.endswith("ly") and adjective_lemma(plain[:-2]):
        return plain, "adverb"
    return noun, "noun"


def _is_rather_verb(plain: str, verb: str, noun: str, before: str) -> bool:
    """Tell verbs (`we dance`, `dancing`) from nouns (`the dance`, `dances`)."""
    if plain not in (verb, noun) and not plain.endswith("s"):
        return True
    if _BEFORE_NOUN.fullmatch(before):
        return False
    if _BEFORE_THIRD_PERSON.fullmatch(before) and plain.endswith("s"):
        return True
    return bool(_BEFORE_VERB.fullmatch(before)) or noun not in word_list("nouns_too.txt")
