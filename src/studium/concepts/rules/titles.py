"""Makes a title for the idea of a sentence, in the sentence's own words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from studium.concepts.rules.lexicon import QUOTE_MARKS, Lexicon, clauses, strong_clauses
from studium.concepts.rules.phrases import Definition, Phrase, find_phrases, stem_word, strip_opener, tokenize
from studium.core.text.tokens import count_words

STATEMENT = 9
CLAUSE = 13
CUT = 8
LEAST = 3
ENOUGH = 3
SIGNS = 40
LONGEST = 96
SENTENCE = 13
MAY_NAME_IT = 1.9
NAMES_AN_IDEA = 2.3
NAMES_IT_BETTER = 2.5
CARRIES_A_SAYING = 1.9
CARRIES_A_SENTENCE = 1.4
CARRIES_THE_IDEA = 0.6
DEFINED = 0.8
PROPOSITION = 15
MAX_NAME = 5
MAX_NAME_SIGNS = 60
_EDGES = QUOTE_MARKS + " .,;:—–-…([)]。"
_STOPS = " .,;:—–-…。'’‘"
_QUOTED = (("“", "”"), ("«", "»"))
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"), ("¿", "?"), ("¡", "!"))


@dataclass(frozen=True)
class AvoidedWords:
    """Words that make no title in this book: the names of its author and speakers."""

    stems: frozenset[str] = frozenset()

    def has(self, phrase: Phrase) -> bool:
        """Whether a phrase is made of such words only."""
        return all(each in self.stems for each in phrase.key)


def make_title(sentence: str, defined: Definition | None, lexicon: Lexicon, avoided: AvoidedWords) -> str:
    """The title for the idea of a sentence: what it defines, the sentence itself if it is short, or its best phrase."""
    plain = as_title(strip_opener(sentence.strip(_STOPS), lexicon))
    length = count_words(plain)
    if length <= STATEMENT:
        return plain
    if defined and defined.strict:
        return as_title(defined.term)
    best = best_phrase(sentence, lexicon, avoided)
    if best and best.score >= (NAMES_IT_BETTER if length <= SENTENCE else NAMES_AN_IDEA):
        return as_title(with_article(best, lexicon))
    if defined:
        return as_title(defined.term)
    return plain if length <= SENTENCE else _of_long(plain, best, lexicon)


Recurrence = Callable[[Phrase], float]
"""How much it says for a phrase that other quotes of the book have its words."""


def rank_titles(
    sentence: str,
    defined: Definition | None,
    phrases: Sequence[Phrase],
    lexicon: Lexicon,
    avoided: AvoidedWords,
    recurrence: Recurrence,
) -> list[str]:
    """The titles for the idea of a parsed sentence, the best first: what it defines, its phrases, itself."""
    strict = defined.key if defined and defined.strict else ()
    scores = {
        each.text: each.score + recurrence(each) + DEFINED * (each.key == strict)
        for each in phrases
        if not avoided.has(each)
    }
    length = count_words(sentence)
    found = [text for text, score in scores.items() if score >= _needed_score(length, count_words(text))]
    found.sort(key=lambda text: (-scores[text], -count_words(text)))
    if defined and defined.strict and length > STATEMENT:
        found.insert(0, defined.term)
    plain = as_title(strip_opener(sentence.strip(_STOPS), lexicon))
    statement = plain if count_words(plain) <= PROPOSITION else _of_long(plain, None, lexicon)
    return list(dict.fromkeys((*map(as_title, found), statement)))


def _needed_score(length: int, words: int) -> float:
    """The shorter a sentence, the better a title it is itself, and the more is asked of a phrase."""
    if length <= STATEMENT:
        return CARRIES_A_SAYING
    return (CARRIES_A_SENTENCE if length <= PROPOSITION else CARRIES_THE_IDEA) + 0.25 * (words == 1)


def _of_long(plain: str, best: Phrase | None, lexicon: Lexicon) -> str:
    """The title of a long sentence: an independent clause, else a phrase, else its beginning."""
    clause = _clause(plain, lexicon)
    if best and best.score >= MAY_NAME_IT and (clause is None or _hangs(clause, lexicon)):
        return as_title(with_article(best, lexicon))
    return as_title(clause or _beginning(plain.split(), lexicon))


def best_phrase(sentence: str, lexicon: Lexicon, avoided: AvoidedWords) -> Phrase | None:
    """The most specific phrase of a sentence."""
    found = [each for each in find_phrases(sentence, lexicon) if each.key and not avoided.has(each)]
    return max(found, key=lambda each: each.score, default=None)


def with_article(phrase: Phrase, lexicon: Lexicon) -> str:
    """A phrase as a title: with its article if the language needs one."""
    keeps = phrase.article and lexicon.order == "head_first" and phrase.subject
    joint = "" if phrase.article.endswith(("'", "’")) else " "
    return f"{phrase.article}{joint}{phrase.text}" if keeps else phrase.text


def as_title(text: str) -> str:
    """A text as a title: without unpaired marks at its ends, and with a capital at its beginning."""
    cut = " …" if text.endswith(" …") else ""
    plain = text.strip(_STOPS)
    for opening, closing in _PAIRS:
        while plain.count(opening) > plain.count(closing) and plain.startswith(opening):
            plain = plain[1:].lstrip(_STOPS)
        while plain.count(closing) > plain.count(opening) and plain.endswith(closing) and opening not in "¿¡":
            plain = plain[:-1].rstrip(_STOPS)
    if plain[:1] == plain[-1:] == '"' or plain.count('"') == 1 or (plain[:1], plain[-1:]) in _QUOTED:
        plain = plain.strip(QUOTE_MARKS)
    if len(plain) > LONGEST:
        plain, cut = (plain[:LONGEST].rsplit(" ", 1)[0] or plain[:SIGNS]).rstrip(_STOPS), " …"
    start = next((i for i, c in enumerate(plain) if c.isalpha()), 0)
    return plain[:start] + plain[start : start + 1].upper() + plain[start + 1 :] + cut


def _clause(plain: str, lexicon: Lexicon) -> str | None:
    """The most specific short clause of a long sentence."""
    whole = [strip_opener(each, lexicon) for each in (*strong_clauses(plain), *clauses(plain))]
    whole = [each for each in whole if LEAST <= count_words(each) <= CLAUSE]
    return max(whole, key=lambda each: _telling(each, plain, lexicon), default=None)


def _telling(clause: str, sentence: str, lexicon: Lexicon) -> float:
    """How specific a clause is; less if it depends on another, more if it starts the sentence."""
    opens = sentence.startswith(clause)
    said = tokenize(clause)
    telling = (each.word for each in said if lexicon.is_content(each.word) and each.word not in lexicon.weak)
    told = {stem_word(word, lexicon) for word in telling}
    return (
        min(len(told), ENOUGH)
        - _hangs(clause, lexicon) * (1.5 if opens else 2.5)
        - (len(told) < LEAST - 1)
        + 0.5 * opens
    )


def _hangs(clause: str, lexicon: Lexicon) -> bool:
    """Whether a clause starts with a connecting word, and the clause it connects to is missing."""
    said = tokenize(clause)
    ties = (lexicon.conjunctions | lexicon.prepositions) - lexicon.negations
    return said[0].word in ties and not any(each.marked for each in said[1:])


def _beginning(said: list[str], lexicon: Lexicon) -> str:
    """The beginning of a sentence, up to a conjunction."""
    plain = [each.lower().strip(_EDGES) for each in said]
    ties = (lexicon.conjunctions | lexicon.pronouns) - lexicon.determiners - lexicon.negations
    for breaks in (ties, lexicon.prepositions - lexicon.connectors):
        for end in range(min(CLAUSE, len(said) - 1), LEAST + 1, -1):
            if plain[end] in breaks and plain[end - 1] not in lexicon.binding - lexicon.copulas:
                return " ".join(said[:end])
    end = min(CUT, len(said))
    # A title does not end with a word that needs another after it.
    leading = lexicon.binding | lexicon.prepositions | lexicon.determiners | lexicon.conjunctions | lexicon.connectors
    while end > LEAST and plain[end - 1] in leading:
        end -= 1
    return (" ".join(said[:end]).rstrip(_EDGES) + " …") if len(said) > 1 else said[0][:SIGNS]


def is_name(text: str, lexicon: Lexicon) -> bool:
    """Whether a few words of a reader name an idea, as a title does."""
    said = tokenize(text)
    if not said or len(said) > MAX_NAME or any(mark in text for mark in "?!:/…@=#") or len(text) > MAX_NAME_SIGNS:
        return False
    first = said[0].word
    if first in lexicon.junk or first in lexicon.binding - lexicon.articles or lexicon.is_verb(first):
        return False
    if all(each.surface[0].isupper() for each in said) or any(each.word in lexicon.conjunctions for each in said):
        return False
    telling = [each.word for each in said if lexicon.is_content(each.word)]
    return len(telling) > 1 and not any(word in lexicon.weak or word in lexicon.junk for word in telling)
