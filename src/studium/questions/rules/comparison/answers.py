"""Whether two answers say the same: by their words, and strictly by numbers, dates, units, names and negation."""

import re
from unicodedata import normalize

from studium.core.domain.ports import Similarity
from studium.questions.rules.comparison.lexicon import load_lexicon
from studium.questions.rules.comparison.statements import Statement, items_of, parse_statement, same_items
from studium.questions.rules.comparison.words import guess_language, opposites, words_in

MIN_LEADING_SHARE = 0.2
MIN_DESCRIPTION_WORDS = 3  # words that are no names: so much is a description, to which a name may be added
MIN_SHARED = 0.5
SURELY_ALIKE = 0.93
_OFFERS = re.compile(r"\b(?:or|oder|ou|или)\b|\b\w+ [ou] \w+\?|それとも", re.IGNORECASE)
_ADDS_AN_ITEM = re.compile(
    rf"\s*(?:[,;、]\s*)?(?:{load_lexicon('comparison').any_of('list_joins')}|と|や)\b", re.IGNORECASE
)
_EXPLAINS = re.compile(r",?\s*(?:that|which|who|whose|where|used|die|das|der|que|qui|dont|котор\w+)\s", re.IGNORECASE)
_CLOSING = re.compile(r"(?:のこと)?(?:です|である|だ|でした|であった)?$")


def same_answer(one: str, other: str, similarity: Similarity | None = None) -> bool:
    """Whether one answer states the facts of the other and no others.

    Numbers, dates, units, names and negations must agree; a longer wording may add words, but no facts. `similarity`
    may only accept a rewording whose facts agree.
    """
    language = guess_language(f"{one} {other}")
    if language == "ja":
        return _same_signs(one, other)
    mine, theirs = parse_statement(one, language), parse_statement(other, language)
    if not mine.agrees(theirs):
        return False
    if mine.keys == theirs.keys:
        return bool(mine.keys) or mine.has_facts or _bare(one) == _bare(other) != ""
    if items_of(one, language) or items_of(other, language):
        return same_items(one, other, language)
    shorter, longer = sorted((mine, theirs), key=lambda statement: len(statement.keys))
    if shorter.keys <= longer.keys:
        return _only_longer(shorter, longer)
    return similarity is not None and _reworded(mine, theirs, similarity)


def gives_answer_away(question: str, answer: str) -> bool:
    """Whether the question already says everything the answer says, other than as one of the answers to choose from."""
    language = guess_language(f"{question} {answer}")
    if language == "ja":
        return _bare(answer) != "" and _bare(answer) in _bare(question)
    asked, said = parse_statement(question, language), parse_statement(answer, language)
    if not (said.keys or said.dates or said.quantities):
        return False
    told = said.keys <= asked.keys and said.facts_stand_in(asked)
    return told and not _OFFERS.search(question)


def terms(text: str) -> set[str]:
    """The words that carry meaning, and the numbers."""
    return {word.key for word in words_in(text) if word.telling}


def words(text: str) -> set[str]:
    """The words that carry meaning, without their inflection; negations are counted on their own."""
    return {word.key for word in words_in(text) if word.telling and not word.text[0].isdigit()}


def _only_longer(shorter: Statement, longer: Statement) -> bool:
    """Whether the longer statement is the shorter one, told with more words but without another name or item."""
    leads = bool(shorter.keys) and longer.begins_with(shorter)
    rest = longer.after(shorter) if leads else ""
    if not shorter.keys:
        return shorter.has_facts and not longer.names
    share = len(shorter.keys) / len(longer.keys)
    described = len(shorter.keys - shorter.names) >= MIN_DESCRIPTION_WORDS and share >= MIN_SHARED
    if longer.names - shorter.names - shorter.keys and not (described or _EXPLAINS.match(rest)):
        return False
    return share >= MIN_LEADING_SHARE and not _ADDS_AN_ITEM.match(rest) if leads else share >= MIN_SHARED


def _reworded(mine: Statement, theirs: Statement, similarity: Similarity) -> bool:
    only_mine, only_theirs = mine.keys - theirs.keys, theirs.keys - mine.keys
    if any(opposites(key) & only_theirs for key in only_mine) or mine.names ^ theirs.names:
        return False
    shared = len(mine.keys & theirs.keys) / max(len(mine.keys), len(theirs.keys), 1)
    return shared >= MIN_SHARED and similarity(mine.text, theirs.text) >= SURELY_ALIKE


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", normalize("NFKC", text)).casefold()


def _same_signs(one: str, other: str) -> bool:
    """Without spaces between words, the signs themselves are compared; the copula at the end says nothing."""
    mine, theirs = parse_statement(one, "ja"), parse_statement(other, "ja")
    if not mine.agrees(theirs):
        return False
    if mine.quantities and mine.keys == theirs.keys:
        return True
    shorter, longer = sorted((_CLOSING.sub("", _bare(one)), _CLOSING.sub("", _bare(other))), key=len)
    if shorter == longer:
        return shorter != ""
    return bool(shorter) and shorter in longer and len(shorter) >= MIN_SHARED * len(longer)
