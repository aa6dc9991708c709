"""What an English question asks, by its grammar: the gap that the answer fills, the predicate, and its other words.

How often are the archives updated?    →    gap: frequency, predicate: update, terms: archives (object)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from studium.core.text.english.parser import parse
from studium.core.text.english.tree import ParsedText, Word
from studium.questions.rules.comparison.lemmas import is_content
from studium.questions.rules.comparison.predicates import Argument, Predicate, Role, is_predicate, read_predicate
from studium.questions.rules.comparison.quantities import numbers_in
from studium.questions.rules.validation.question_analysis import LEXICON

Gap = Literal[
    "polar",
    "thing",
    "person",
    "quantity",
    "measure",
    "time",
    "place",
    "reason",
    "manner",
    "purpose",
    "action",
    "outcome",
    "name",
]
_QUESTION_WORDS = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "why", "how"})
_ADVERBS: dict[str, Gap] = {"when": "time", "where": "place", "why": "reason", "how": "manner"}
_KINDS = frozenset({"kind", "type", "sort", "name"})
_TIMES = frozenset({"year", "date", "day", "month", "time", "century", "decade", "season", "hour", "week"})
_PLACES = frozenset({"place", "location", "city", "town", "country", "directory", "folder", "village", "region"})
_PURPOSES = frozenset({"purpose", "aim", "goal", "function", "role", "use"})
_MEANT_FOR = frozenset({"use", "mean", "intend", "design", "good", "make", "serve"})
_LIGHT = frozenset({"be", "have", "do", "take", "make", "get", "give", "call", "happen", "occur", "use", "exist"})
_PRONOUNS = frozenset(
    {"it", "they", "he", "she", "this", "these", "those", "that", "them", "him", "her", "its", "their"}
)
_SOFT = LEXICON.words("soft_terms")
SHORTEST_WITH_DO = 4
NAME_WEIGHT, SOFT_WEIGHT, LIGHT_WEIGHT = 1.5, 0.25, 0.4


@dataclass(frozen=True)
class Term:
    """A word of the question that the answer's place must have, with the role of its phrase."""

    word: Word
    role: Role | None
    is_main: bool
    weight: float
    marker: str = ""

    @property
    def is_firm(self) -> bool:
        """Whether nothing else may stand in its place: a number, a name."""
        named = self.word.pos == "PROPN" and self.word.text[:1].isupper()
        return named or self.word.pos == "NUM" or self.has_number

    @property
    def has_number(self) -> bool:
        """`E12`, `first`, `two`."""
        return any(sign.isdigit() for sign in self.word.text) or bool(numbers_in(self.word.text, "en"))


@dataclass(frozen=True)
class EnglishQuestion:
    """A question by its grammar; `focus` is the noun that is asked for (`which GATE`), `role` the gap's role."""

    tree: ParsedText
    gap: Gap
    role: Role | None
    marker: str
    focus: Word | None
    predicate: Predicate | None
    terms: tuple[Term, ...]
    unresolved: str = ""

    @property
    def asks_what_it_is(self) -> bool:
        """`What is a turbine?`, `Who is the mayor?`: all but the gap is one noun phrase."""
        return (
            self.gap in ("thing", "person") and (self.predicate is None or self.predicate.linking) and bool(self.terms)
        )


@lru_cache(maxsize=1024)
def read_english_question(text: str) -> EnglishQuestion | None:
    """The grammar of a question; none if it has no tree or no question word that is understood."""
    tree = parse(text[:1].upper() + text[1:])
    if tree is None or tree.root is None:
        return None
    asking = _question_word(tree)
    if asking is None:
        return _polar(tree) if tree.words[0].pos == "AUX" else None
    focus = _focus(tree, asking)
    gap_words = _gap_words(tree, asking, focus)
    predicate, role, marker = _gap_role(tree, asking, focus, gap_words)
    if (
        predicate
        and role in ("complement", "subject")
        and not focus
        and (described := _described(tree, predicate, gap_words))
    ):
        predicate, role, marker, gap_words, focus = described
    gap = _gap(tree, asking, focus, predicate)
    terms = tuple(_terms(tree, predicate, gap_words))
    return EnglishQuestion(tree, gap, role, marker, focus, predicate, terms, _unresolved(tree, gap_words))


def _polar(tree: ParsedText) -> EnglishQuestion | None:
    main = tree.root
    if main is None:
        return None
    if main.pos == "AUX" and main.index == 0 and (other := tree.child(main, "nsubj", "xcomp", "ccomp")):
        main = other
    predicate = read_predicate(tree, main)
    return EnglishQuestion(
        tree,
        "polar",
        None,
        "",
        None,
        predicate,
        tuple(_terms(tree, predicate, frozenset({0}))),
        _unresolved(tree, frozenset()),
    )


def _question_word(tree: ParsedText) -> Word | None:
    """The word that asks; `who` and `which` in a relative clause do not."""
    if tree.words[0].pos == "AUX" and tree.words[0].lower not in _QUESTION_WORDS:
        return None
    return next((word for word in tree.words if word.lower in _QUESTION_WORDS), None)


def _focus(tree: ParsedText, asking: Word) -> Word | None:
    """The noun of the question word: `how many ROUTERS`, `which PROTOCOL`, `what kind of PROGRAM`."""
    start = asking.index + 1
    if asking.lower == "how":
        if start >= len(tree.words) or tree.words[start].lower not in ("many", "much"):
            return None
        start += 1
    elif asking.lower not in ("which", "what", "whose"):
        return None
    noun: Word | None = None
    for word in tree.words[start:]:
        if word.pos in ("NOUN", "PROPN"):
            noun = word
        elif word.pos not in ("ADJ", "NUM", "SYM", "X") and word.text != "-":
            break
    if noun is not None and noun.lemma in _KINDS and (kind := tree.child(noun, "nmod")) and kind.index > noun.index:
        return kind
    return noun


def _gap_words(tree: ParsedText, asking: Word, focus: Word | None) -> frozenset[int]:
    """The words of the gap: the preposition before it, the question word, and up to the noun asked for."""
    last = focus.index if focus else asking.index
    following = tree.words[asking.index + 1 : asking.index + 2]
    if asking.lower == "how" and not focus and following and following[0].pos in ("ADJ", "ADV"):
        last = following[0].index
    first = asking.index
    while first and tree.words[first - 1].pos in ("ADP", "ADV"):
        first -= 1
    return frozenset(range(first, last + 1))


def _gap_role(
    tree: ParsedText, asking: Word, focus: Word | None, gap_words: frozenset[int]
) -> tuple[Predicate | None, Role | None, str]:
    """The predicate that the gap belongs to, the gap's role and its preposition."""
    if passive := _agent_asked(tree):
        return read_predicate(tree, passive), "subject", "by"
    place = focus or asking
    stranded = _stranded(tree)
    word: Word | None = place
    while word is not None and not (is_predicate(tree, word) and word.index not in gap_words):
        word = tree.head(word)
    if word is None:
        return _without_predicate(tree, gap_words)
    predicate = read_predicate(tree, word)
    for argument in predicate.arguments:
        if argument.word.index in gap_words or (
            argument.word != word and place.index in tree.subtree(argument.word, {word.index})
        ):
            marker = argument.marker or (stranded.lower if stranded else "")
            role: Role = "oblique" if stranded and argument.role == "object" else argument.role
            return predicate, "subject" if marker == "by" and predicate.passive else role, marker
    return predicate, "oblique" if stranded else None, stranded.lower if stranded else ""


def _described(
    tree: ParsedText, predicate: Predicate, gap_words: frozenset[int]
) -> tuple[Predicate, Role, str, frozenset[int], Word | None] | None:
    """`What is the tool that lists packages?` asks what `Which tool lists packages?` asks."""
    if not predicate.linking:
        return None
    known = next(
        (each.word for each in predicate.of("subject", "complement") if each.word.index not in gap_words), None
    )
    clause = tree.child(known, "acl:relcl") if known else None
    if known is None or clause is None:
        return None
    inner = read_predicate(tree, clause)
    own = next((each for each in inner.arguments if each.word == known), None)
    if own is None:
        return None
    described = {known.index, *(child.index for child in tree.children(known, "det", "amod"))}
    focus = None if known.lemma in ("thing", "person", "one") else known
    return inner, own.role, own.marker, gap_words | described, focus


def _without_predicate(tree: ParsedText, gap_words: frozenset[int]) -> tuple[Predicate | None, Role | None, str]:
    """`What is a beacon?`: the gap itself is what follows `be`."""
    root = tree.root
    if verb := _verb_taken_for_a_noun(tree):
        subject = tree.words[verb.index - 1]
        return Predicate(verb, (Argument("subject", subject),), negated=False, modal=""), "object", ""
    if root is not None and root.index in gap_words:
        return (read_predicate(tree, root) if tree.child(root, "cop") else None), "complement", ""
    asked = root is not None and (
        is_predicate(tree, root) or any(word.lemma == "do" and word.pos == "AUX" for word in tree.words)
    )
    return (read_predicate(tree, root) if root and asked else None), "object" if asked else None, ""


def _verb_taken_for_a_noun(tree: ParsedText) -> Word | None:
    """The last word of `What does the program format?`, which the parser reads as a noun."""
    asked = [word for word in tree.words if word.pos != "PUNCT"]
    does = any(word.lemma == "do" and word.pos == "AUX" for word in asked[:3])
    if not does or any(word.pos == "VERB" for word in asked) or len(asked) < SHORTEST_WITH_DO:
        return None
    return asked[-1] if asked[-1].pos == "NOUN" else None


def _agent_asked(tree: ParsedText) -> Word | None:
    """The participle in `Who was the company founded by?`, which reads as a noun with a participle, too."""
    stranded = _stranded(tree)
    if stranded is None or stranded.lower != "by":
        return None
    return next((word for word in reversed(tree.words[: stranded.index]) if word.tag == "VBN"), None)


def _stranded(tree: ParsedText) -> Word | None:
    """The preposition at the end: `What is it used FOR?`."""
    words = [word for word in tree.words if word.pos != "PUNCT"]
    last = words[-1] if words else None
    return last if last is not None and last.pos == "ADP" and not last.is_("compound") else None


def _gap(tree: ParsedText, asking: Word, focus: Word | None, predicate: Predicate | None) -> Gap:
    said = asking.lower
    if said == "how":
        following = tree.words[asking.index + 1 : asking.index + 2]
        if following and following[0].lower in ("many", "much"):
            return "quantity"
        measured = bool(following) and following[0].pos in ("ADJ", "ADV") and following[0].lower != "come"
        return "measure" if measured else "manner"
    if said in _ADVERBS:
        return _ADVERBS[said]
    if focus is not None and (focus.lemma in _TIMES or focus.lemma == "reason"):
        return "reason" if focus.lemma == "reason" else "time"
    if said in ("who", "whom", "whose"):
        return "person"
    return _gap_of_what(tree, focus, predicate)


def _gap_of_what(tree: ParsedText, focus: Word | None, predicate: Predicate | None) -> Gap:
    verb = predicate.word.lemma if predicate else ""
    stranded = _stranded(tree)
    if focus is None and verb == "do" and predicate and predicate.of("subject"):
        return "action"
    if focus is None and verb in ("happen", "occur"):
        return "outcome"
    if focus is None and verb == "call":
        return "name"
    if focus is None and stranded and stranded.lower == "for" and verb in _MEANT_FOR:
        return "purpose"
    if any(word.lemma in _PURPOSES and tree.child(word, "nmod") for word in tree.words) and not focus:
        return "purpose"
    return "place" if focus is not None and focus.lemma in _PLACES and focus.lemma in ("place", "location") else "thing"


def _terms(tree: ParsedText, predicate: Predicate | None, gap_words: frozenset[int]) -> Iterator[Term]:
    """The content words outside the gap, each with the role of the argument that it is in."""
    roles: dict[int, tuple[Role, Word, str]] = {}
    main = predicate.word.index if predicate else -1
    for argument in predicate.arguments if predicate else ():
        if argument.word.index == main and argument.word.index in gap_words:
            continue
        for index in tree.subtree(
            argument.word, predicate.apart if predicate and argument.word.index == main else {main}
        ):
            roles.setdefault(index, (argument.role, argument.word, argument.marker))
    for word in tree.words:
        if word.index in gap_words or not is_content(word) or (word.lower == "one" and word.is_("nsubj")):
            continue
        if predicate and word.index == main and not predicate.linking:
            continue
        role, head, marker = roles.get(word.index, (None, word, ""))
        is_main = head.index == word.index
        yield Term(word, role, is_main, _weight(word, is_main=is_main), marker if is_main else "")


def _weight(word: Word, *, is_main: bool) -> float:
    if word.lower in _SOFT:
        return SOFT_WEIGHT
    if word.lemma in _LIGHT:
        return LIGHT_WEIGHT
    if word.pos in ("PROPN", "NUM"):
        return NAME_WEIGHT
    return 1.0 if is_main or word.pos in ("NOUN", "VERB") else 0.6


def _unresolved(tree: ParsedText, gap_words: frozenset[int]) -> str:
    """A pronoun that refers to nothing in the question: `How often are THEY updated?`."""
    for word in tree.words:
        if word.pos != "PRON" or word.lower not in _PRONOUNS or word.is_("expl"):
            continue
        head = tree.head(word)
        expletive = word.lower == "it" and head is not None and tree.child(head, "xcomp", "csubj", "advcl", "ccomp")
        earlier = any(
            other.pos in ("NOUN", "PROPN") and other.index not in gap_words for other in tree.words[: word.index]
        )
        if not expletive and not earlier:
            return word.text
    return ""
