"""Language: concepts are written in the language of the quotes."""

from collections.abc import Iterator

from studium.core.text.language_detection import detect_language
from studium.workflows.concepts.judging.words import lexicon, stop_words, words_of
from studium.workflows.concepts.skills import CritiqueGiven, Idea, Remark

FEWEST_WORDS = 6
SURE = 0.95
FEWEST_SIGNS = 2

_UNSPACED = {"ja", "zh", "th"}


def language(given: CritiqueGiven) -> Iterator[Remark]:
    """The concepts in another language than the one given; names and loan words are no other language."""
    wanted = given.language.replace("_", "-").split("-")[0].casefold()
    if wanted in ("", "und"):
        return
    for idea in given.concepts:
        found = {part: other for part, text in _parts(idea) if (other := _other(text, wanted))}
        if found:
            what = " and ".join(f"the {part}" for part in found)
            seems = " and ".join(dict.fromkeys(found.values()))
            message = f"{idea.key}: {what} should be in {wanted}, but seems to be in {seems}: write it in {wanted}."
            yield Remark(message=message, concepts=(idea.key,))


def _parts(idea: Idea) -> tuple[tuple[str, str], ...]:
    return (("title", idea.title), ("text", idea.concept))


def _other(text: str, wanted: str) -> str:
    """The language that a text is in for sure, when it is not the wanted one."""
    code, confidence = detect_language(text)
    if code == wanted:
        return ""
    if code in _UNSPACED:
        return code if confidence >= SURE else ""
    words = words_of(text)
    if len(words) < FEWEST_WORDS or code == "und" or confidence < SURE:
        return _by_small_words(words, wanted)
    # Kindred languages are told apart by their small words: the other must have more of them, where they are known.
    theirs, ours = (sum(word in stop_words(each) for word in words) for each in (code, wanted))
    return code if theirs > ours or not stop_words(code) else ""


def _by_small_words(words: list[str], wanted: str) -> str:
    """The language of a short text, where one that is not the wanted one has clearly more of its small words."""
    signs = {code: sum(word in stop_words(code) for word in words) for code in lexicon()["stop"]}
    if wanted not in signs:
        return ""
    best = max(signs, key=lambda code: signs[code])
    alone = all(signs[code] < signs[best] for code in signs if code != best)
    return best if alone and signs[best] >= signs[wanted] + FEWEST_SIGNS else ""
