"""Whether a person would ask an English question: understood on its own, said well, and with a whole answer."""

import re
from collections.abc import Sequence

from studium.core.text.english.tree import ROOT, ParsedText, Word
from studium.questions.rules.generation.english_words import word_list
from studium.questions.rules.generation.facts import QuestionDraft, QuestionFamily
from studium.questions.rules.generation.ranking import Topics

_POINTING = word_list("pointing")
_VAGUE = word_list("vague")
_GENERIC = word_list("generic")
_LIGHT = word_list("light") | word_list("moving")
_PERSONS = word_list("persons")
# Verbs that say little of what is done.
_WEAK = word_list("light") | {"use", "provide", "offer", "support", "deserve", "allow"}
_CONTENT = ("NOUN", "PROPN", "ADJ", "NUM", "VERB")
_OWN = word_list("own")
_OF_PEOPLE = word_list("of_people")
_FIRST_PERSON = word_list("first_person")
_EMPTY = word_list("empty")
_OPEN_ENDS = word_list("open_ends")
_MAY_END = {"by", "for", "as", "of", "to", "with", "from", "in", "on"}
_NO_BEGINNING = ("even", "as", "and", "or", "but", "than", "except", "nor")
_SHORTEST, _LONGEST = 4, 23
_LONGEST_ANSWER = 26
_ENOUGH = 2
# Here the verb, too, says what the question is about: `How are submodules cloned?`
_OF_ACTIONS = (
    QuestionFamily.REASON,
    QuestionFamily.PURPOSE,
    QuestionFamily.WAY,
    QuestionFamily.INSTRUCTION,
    QuestionFamily.TIME,
    QuestionFamily.PLACE,
)
_SHORTEST_CONSEQUENCE = 4
_BROKEN = re.compile(r"-\s|-$|[a-z0-9)][.!?] \w")
_JOINS = re.compile(r"[-\u2010\u2011/]\w|[\w(\[]|[-\u2010\u2011/]$")
_BRACKETED = re.compile(r"(?<=\s)\([^()]*\)")
_LAST_PRONOUNS = {"it", "them", "him", "her", "this", "that"}
_QUANTIFIERS = ("all", "any", "each", "every", "many", "most", "several", "some")
_EMPTY_TIME = re.compile(r"^(?:when|once|after|before|if) (?:that|this|it|they|these|those)\b", re.IGNORECASE)
_MOST_COMMAS = 2
CERTAIN = 0.86
"""How sure the parser has to be of a sentence that is asked about, and of the question."""
# Nobody asks with these words, or about these names.
_UNSAID = re.compile(
    r"(?<!the )\bonly\b|\b(?:even|though|otherwise|merely|just|foo|bar|baz|foobar|spam|eggs|so)\b"
    r"|[.,]\?|\bone [a-z]|\bno other\b"
    r"|\b(?:does|do|did|can|will|is|are|was|were|may|should|must|has|have) the"
    r" (?:same|next|other|first|second|third|last|resulting|given|corresponding|two|three|four)\b"
)
_ANOTHER_PLACE = re.compile(
    r"\b(?:previous|next|preceding|last|present|current)"
    r" (?:section|chapter|paragraph|example|page|document|paper|article)\b"
)
_REASONS = re.compile(r"\b(?:because|so that|although|whereas)\b")
_COMPARED = re.compile(r"\b(?:more|less|fewer|other|rather|worse|better|different|\w+er)\b")
_CERTAIN_IF_SHORT, _SHORT = 0.72, 7


def is_natural(draft: QuestionDraft, source: ParsedText, question: ParsedText | None, topics: Topics) -> bool:
    """Whether a person would ask this of another who knows the document but does not have it at hand."""
    if question is None or not _SHORTEST <= len(question.words) <= _LONGEST:
        return False
    if draft.family is QuestionFamily.FACT and draft.predicate in _WEAK and len(question.words) <= _SHORT:
        return False  # `What does it provide?`: many things
    # A name that the parser has never seen weighs much in a short question.
    if question.certainty < (_CERTAIN_IF_SHORT if len(question.words) <= _SHORT else CERTAIN):
        return False
    return (
        _reads_well(draft)
        and _is_asked_as_meant(draft, question)
        and _stands_alone(draft, question, topics)
        and _is_whole_answer(draft)
        and _is_uncut(draft.answer, source.text)
    )


def _reads_well(draft: QuestionDraft) -> bool:
    text = draft.question.replace("()", "")
    if _UNSAID.search(text) or (draft.family is not QuestionFamily.REASON and _REASONS.search(text)):
        return False
    if re.search(r"[()\[\];:\u2014\u2026]|--+ |\s-\w+/|\b(\w+) \1\b|,,|^\W", text) or text.count(",") > _MOST_COMMAS:
        return False
    if _ANOTHER_PLACE.search(text) or _ANOTHER_PLACE.search(draft.answer):
        return False
    for marks in ('"', "\u201c\u201d"):
        if sum(text.count(mark) for mark in marks) % 2 or sum(draft.answer.count(mark) for mark in marks) % 2:
            return False
    if " than " in text and not _COMPARED.search(text):
        return False
    last = text.rstrip("?").split()[-1].lower()
    return last not in _OPEN_ENDS or last in _MAY_END


def _is_asked_as_meant(draft: QuestionDraft, question: ParsedText) -> bool:
    """Whether the question, read by itself, has the predicate that it was made with."""
    root = question.root
    if root is None or draft.family in (QuestionFamily.INSTRUCTION, QuestionFamily.NAME, QuestionFamily.PROPERTY):
        return root is not None
    return draft.predicate in {root.lemma, *(word.lemma for word in question.children(root, "cop", "aux", "xcomp"))}


def _stands_alone(draft: QuestionDraft, question: ParsedText, topics: Topics) -> bool:
    nouns: list[Word] = []
    for word in question.words:
        if word.pos in ("PRON", "DET") and not (_is_understood(word, nouns) and _is_in_place(question, word)):
            return False
        if word.lower in _POINTING and not (word.lower == "that" and word.pos in ("SCONJ", "PRON")):
            return False
        if word.pos in ("NOUN", "PROPN") or (word.text.isupper() and len(word.text) > 1):
            nouns.append(word)
            if not _is_specific(question, word, topics):
                return False
    return _says_enough(draft, question, nouns)


def _says_enough(draft: QuestionDraft, question: ParsedText, nouns: Sequence[Word]) -> bool:
    """Whether there is a name, a compound or at least two things to know the matter by."""
    told = [
        word
        for word in question.words
        if word.pos in _CONTENT
        and word.lemma not in _VAGUE
        and (word.head != ROOT or (draft.family in _OF_ACTIONS and word.lemma not in _LIGHT))
    ]
    named = any(word.pos == "PROPN" or word.is_("compound") or not word.text.islower() for word in nouns)
    defined = draft.family is QuestionFamily.DEFINITION and not any(
        determiner.lower == "the" for noun in nouns for determiner in question.children(noun, "det")
    )
    return bool(nouns) and (named or defined or len(told) >= _ENOUGH)


def _is_in_place(question: ParsedText, word: Word) -> bool:
    """Whether `it` stands in a clause of its own, after what it stands for; `its` may stand anywhere."""
    if word.lower not in ("it", "they", "them", "itself", "themselves"):
        return True
    above = question.head(word)
    while above is not None and above.head != ROOT:
        if above.is_("advcl", "acl", "ccomp", "xcomp"):
            return True
        above = question.head(above)
    return False


def _is_understood(word: Word, nouns: Sequence[Word]) -> bool:
    """Whether a pronoun has something before it in the question that it can stand for."""
    if word.lower in _FIRST_PERSON or word.lower in _EMPTY or word.lower in ("this", "these", "those", "such"):
        return False
    if word.lower in _OWN:
        plural = word.lower.startswith("the")
        return any((noun.tag in ("NNS", "NNPS")) == plural for noun in nouns)
    return word.lower not in _OF_PEOPLE or any(noun.lemma in _PERSONS for noun in nouns)


def _is_specific(question: ParsedText, noun: Word, topics: Topics) -> bool:
    """Whether readers know which one is meant: `the cookie` needs to be what the document is about."""
    determiner = question.child(noun, "det")
    telling = [
        child
        for child in question.children(noun)
        if child.is_("amod", "compound", "nmod", "acl", "nummod", "flat", "appos")
    ]
    if telling or noun.pos == "PROPN":
        return True
    is_main = noun.head == ROOT or (noun.is_("nsubj") and question.words[noun.head].head == ROOT)
    if is_main and noun.lemma in _VAGUE:
        return False
    definite = determiner is not None and determiner.lower == "the"
    return not definite or (topics.is_often_said(noun) and noun.lemma not in _GENERIC)


def _is_whole_answer(draft: QuestionDraft) -> bool:
    answer = draft.answer
    words = [word.lower().strip(".,;:\"'") for word in answer.split()]
    if not re.search(r"[^\W\d_]{2}|\d", answer) or _BROKEN.search(answer) or answer.count("(") != answer.count(")"):
        return False
    if not words or len(words) > _LONGEST_ANSWER or words[-1] in _OPEN_ENDS:
        return False
    if len(words) <= _SHORT and words[-1] in _LAST_PRONOUNS:  # a longer answer has what it stands for
        return False
    if draft.family is QuestionFamily.CONSEQUENCE:
        if len(words) < _SHORTEST_CONSEQUENCE:
            return False
        words = words[1:] if words[0] in ("it", "they") else words  # what the condition is about
    return not _is_empty(draft, words)


def _is_uncut(answer: str, source: str) -> bool:
    """Whether an answer is one piece of its sentence, brackets apart, and no part of a longer word."""
    said = _squeezed(answer.removeprefix("that "))
    text = _squeezed(source)
    at = text.find(said)
    while at >= 0:
        end = at + len(said)
        if not _JOINS.match(text[end : end + 2]) and (at == 0 or not _JOINS.match(text[at - 1])):
            return True
        at = text.find(said, at + 1)
    return False


def _squeezed(text: str) -> str:
    """A text in lower case without its brackets and double spaces."""
    return " ".join(_BRACKETED.sub(" ", text).lower().split()).replace(" ,", ",").replace(" .", ".")


def _is_empty(draft: QuestionDraft, words: Sequence[str]) -> bool:
    """Whether an answer begins in the middle, points at another place, or names nothing."""
    if words[0] in {*_NO_BEGINNING, *_OWN, *_OF_PEOPLE, *_FIRST_PERSON} or _EMPTY_TIME.search(draft.answer):
        return True
    if draft.family is QuestionFamily.NAME and words[0] in _QUANTIFIERS:
        return True
    pointing = {word for word in words if word in _POINTING and word not in ("that", "there", "said")}
    alone = len(words) == 1 and (words[0] in _EMPTY or words[0] in _VAGUE)
    return alone or bool(pointing) or bool(set(words) & _FIRST_PERSON)
