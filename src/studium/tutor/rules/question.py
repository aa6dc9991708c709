"""What an English question asks, by its grammar: in which way, about what, with which verb, and whether that is denied.

what is route poisoning          definition   route poisoning
how do i bring an interface up   procedure    interface                 bring
why is r3 not a neighbour        reason       r3, neighbour             be, denied
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from studium.core.text.english.tree import ROOT, ParsedText, Word
from studium.core.text.language_detection import guess_language
from studium.core.text.sentences import split_sentences

QuestionKind = Literal[
    "definition", "difference", "procedure", "reason", "amount", "choice", "yes_no", "explanation", "request", "report"
]
LONGEST = 2000
"""How many characters of a question are read: longer ones are pasted logs."""
_MOST_SENTENCES = 8

_APOSTROPHES = str.maketrans("’‘`", "'''")
_CLIPPED = re.compile(
    r"\b(don|doesn|didn|isn|aren|won|can|couldn|shouldn|wouldn|wasn|weren|hasn|haven)t\b", re.IGNORECASE
)
_WHATS = re.compile(r"\b(what|where|how|who|that|there)s(?= )", re.IGNORECASE)
_RIP = re.compile(r"\brip\b")  # else an exclamation
_CLITIC = re.compile(r"'\w+")  # one letter of it would be a word of another language
_DEVICE = re.compile(r"(?:r|s|sw|h|pc|host|router|switch)\d*")
_INTERFACE = re.compile(r"(?:gi|gig|gigabitethernet|fa|fastethernet|se|serial|eth|lo|loopback)\d[\d/.]*")

_THINGS = ("NOUN", "PROPN", "NUM", "X", "SYM")
_TELLING = ("NOUN", "PROPN", "NUM", "VERB", "ADJ", "X", "SYM")
_WHOLE_CLAUSE = ("root", "conj", "parataxis", "ccomp", "xcomp", "advcl", "acl", "csubj", "list", "appos", "dep")
_ASIDE = ("advcl", "acl", "csubj")
_OUTSIDE_PHRASE = (
    "det", "case", "cop", "nsubj", "punct", "cc", "parataxis", "aux", "mark", "advcl", "acl", "discourse", "advmod",
    "nmod:poss", "obl", "expl", "csubj", "vocative",
)  # fmt: skip
# Nouns that stand before the thing itself: `the purpose of X`, `an example of X`.
_FRAMES = frozenset([
    "concept", "definition", "description", "example", "explanation", "function", "idea", "information", "intro",
    "introduction", "kind", "meaning", "name", "overview", "point", "purpose", "question", "recap", "role", "sort",
    "summary", "term", "tip", "type", "use",
])  # fmt: skip
_KNOWING = frozenset(["understand", "know", "learn", "wonder", "remember"])
_PERCEIVING = frozenset(["get", "see"])  # `i don't get masks`, but `i get an error`
_WISHING = frozenset(["want", "like", "love", "need", "wish"])
_COMPARING = frozenset(["differ", "compare", "distinguish", "vs", "versus"])
_TYPED = frozenset(["command", "syntax", "line", "form", "way"])
_FEELING = frozenset(["curious", "confused", "confuse", "sure", "unsure"])
_MINE = frozenset(["my", "mine", "our", "ours", "here", "this", "these"])
_DENIALS = frozenset(["not", "never", "no", "nothing", "nowhere", "none", "neither", "nobody", "unable", "cannot"])


@dataclass(frozen=True)
class Question:
    """A clause of a question: its kind, the things it is about, and its main verb.

    `content` are the lemmas without those of small words; `is_own` says that it is about what the student did
    or has, not about networks at large.
    """

    kind: QuestionKind
    about: tuple[str, ...]
    verb: str
    is_denied: bool
    is_own: bool
    lemmas: frozenset[str]
    content: frozenset[str]


@lru_cache(maxsize=256)
def read_question(text: str) -> tuple[Question, ...]:
    """The questions and reports in a text, one a clause, in order; none if it is not English."""
    from studium.core.text.english.parser import parse_all  # commands that ask nothing do without it

    plain = plain_question(text)
    if guess_language(_CLITIC.sub("", plain)) != "en":
        return ()
    sentences = split_sentences(plain, "en")[:_MOST_SENTENCES]
    return tuple(each for parsed in parse_all(sentences) if parsed for each in _read(parsed))


def main_question(text: str) -> Question | None:
    """The clause that asks for something, the first of several; none if nothing is asked, or not in English."""
    return next((clause for clause in read_question(text) if clause.kind != "report"), None)


def plain_question(text: str) -> str:
    """The beginning of a text with its apostrophes where they belong: `don't` for `dont`, `what's` for `whats`."""
    plain = " ".join(text[:LONGEST].translate(_APOSTROPHES).split())
    return _RIP.sub("RIP", _WHATS.sub(r"\1's", _CLIPPED.sub(r"\1't", plain)))


def is_device(word: str) -> bool:
    """Whether a word names a device of a lab."""
    return bool(_DEVICE.fullmatch(word.lower()))


def _read(parsed: ParsedText) -> list[Question]:
    heads = _clause_heads(parsed)
    return [_question(parsed, head, {other.index for other in heads if other is not head}) for head in heads]


def _clause_heads(parsed: ParsedText) -> list[Word]:
    """The main word, and those joined to it with a clause of their own: `what is NAT and why does it drop`."""
    return [
        word
        for word in parsed.words
        if word.head == ROOT or (word.is_("conj", "parataxis", "list") and _is_clause(parsed, word))
    ]


def _is_clause(parsed: ParsedText, word: Word) -> bool:
    head = parsed.head(word)
    of_verb = head is not None and (head.pos in ("VERB", "AUX") or parsed.child(head, "cop") is not None)
    has_subject = parsed.child(word, "nsubj", "cop", "expl") is not None
    asks = any(_is_wh(child) for child in (word, *parsed.children(word)))
    return has_subject or asks or (word.pos == "VERB" and of_verb and not parsed.child(word, "mark"))


def _is_wh(word: Word) -> bool:
    return word.tag.startswith("W") and word.lower not in ("that", "while")


def _question(parsed: ParsedText, head: Word, others: set[int]) -> Question:
    words = [parsed.words[index] for index in sorted(parsed.subtree(head, others))]
    wh = next((word for word in words if _is_wh(word) and not _is_relative(parsed, word)), None)
    verb = _clause_of(parsed, wh) if wh else _wished(parsed, head)
    kind = _kind(parsed, words, verb, wh)
    about = _about(parsed, kind, verb)
    return Question(
        kind=kind,
        about=tuple(dict.fromkeys(filter(None, about))),
        verb=verb.lemma if verb.pos == "VERB" else "be",
        is_denied=any(_denies(parsed, word) for word in words),
        is_own=any(_is_mine(parsed, word, kind) for word in words),
        lemmas=frozenset(word.lemma.lower() for word in words),
        content=frozenset(word.lemma.lower() for word in words if word.pos in _TELLING and not _is_wh(word)),
    )


def _clause_of(parsed: ParsedText, word: Word) -> Word:
    """The main word of the clause that a word is in."""
    if inside := parsed.child(word, "acl"):  # `i don't get what a mask is`
        return inside
    while word.head != ROOT and not word.is_(*_WHOLE_CLAUSE):
        word = parsed.words[word.head]
    return word


def _is_relative(parsed: ParsedText, word: Word) -> bool:
    """Whether a `which` or `when` begins a clause beside the question: `what happens when a link fails`."""
    clause = _clause_of(parsed, word)
    head = parsed.head(clause)
    is_asked = head is not None and (head is word or head.lemma in _KNOWING | _FEELING | _FRAMES)
    return clause.is_(*_ASIDE) and not is_asked


def _wished(parsed: ParsedText, head: Word) -> Word:
    """What somebody wants to do, or wants others to do."""
    inner = parsed.child(head, "xcomp", "ccomp")
    return inner if inner and (head.lemma in _WISHING or head.lemma in ("help", "let", "try")) else head


def _kind(parsed: ParsedText, words: list[Word], verb: Word, wh: Word | None) -> QuestionKind:
    if _compares(words):
        return "difference"
    if wh:
        return _kind_of_wh(parsed, words, verb, wh)
    first = next((word for word in words if not word.is_("punct", "cc", "discourse", "vocative", "advmod")), words[0])
    subject = parsed.child(verb, "nsubj")
    by_you = subject is not None and subject.lower == "you"
    is_inverted = subject is not None or verb is first or parsed.child(verb, "cop", "expl") is not None
    if (first.pos == "AUX" or first.lemma in ("be", "have")) and is_inverted and not by_you:
        return "yes_no"
    if _is_typed(parsed.child(verb, "obj")) and (by_you or subject is None):
        return "procedure"
    if by_you or _is_request(parsed, verb, subject) or _is_wish(parsed, words):
        return "request"
    return "report"


def _compares(words: list[Word]) -> bool:
    between = any(word.lower == "between" and word.is_("case", "mark") for word in words)
    return any(word.lemma in _COMPARING for word in words) or (
        between and any(word.lemma.startswith("diff") for word in words)
    )


def _kind_of_wh(parsed: ParsedText, words: list[Word], verb: Word, wh: Word) -> QuestionKind:
    asked, head = wh.lemma.lower(), parsed.head(wh)
    if asked == "why" or (
        asked == "how" and any(word.lemma == "come" and word.index == wh.index + 1 for word in words)
    ):
        return "reason"
    if asked == "how" and head is not None and head.pos in ("ADJ", "ADV"):
        return "amount"
    subject = parsed.child(verb, "nsubj")
    is_to_do = parsed.child(verb, "mark") is not None or (
        subject is not None and subject.lower in ("i", "we", "you", "one")
    )
    typed = any(map(_is_typed, (head, verb, subject)))
    if (asked == "how" and is_to_do) or (asked in ("what", "which") and (typed or (is_to_do and wh.is_("obj")))):
        return "procedure"
    if asked == "what" and not wh.is_("det") and _is_copular(parsed, verb):
        return "definition"
    return "choice" if asked in ("what", "which") else "explanation"


def _is_typed(word: Word | None) -> bool:
    return word is not None and word.lemma in _TYPED


def _is_copular(parsed: ParsedText, verb: Word) -> bool:
    """Whether `what` is said to be, to mean or to do something."""
    return (
        verb.lemma in ("mean", "stand", "do", "be", "use")
        or _is_wh(verb)
        or parsed.child(verb, "cop") is not None
        or verb.pos != "VERB"
    )


def _is_request(parsed: ParsedText, verb: Word, subject: Word | None) -> bool:
    """Whether something is demanded: `explain ARP`, `any tips for …`, `last address of the pool?`."""
    if verb.pos == "VERB":
        # `show ip route is empty` is what a command said.
        following = parsed.words[verb.index + 1].pos if verb.index + 1 < len(parsed.words) else ""
        is_command = verb.lemma == "show" and following in ("NOUN", "PROPN") and not parsed.child(verb, "iobj")
        return subject is None and verb.tag in ("VB", "VBP") and not is_command and not parsed.child(verb, "aux")
    return verb.lemma in _FRAMES or (
        parsed.text.rstrip().endswith("?") and parsed.child(verb, "nmod", "nsubj") is not None
    )


def _is_wish(parsed: ParsedText, words: list[Word]) -> bool:
    """Whether the student says that she wants to know: `i never understood masks`."""
    return any(
        word.lemma in _KNOWING | _WISHING | _FEELING or (word.lemma in _PERCEIVING and _is_negated(parsed, word))
        for word in words
        if _is_of_student(parsed, word)
    )


def _is_of_student(parsed: ParsedText, verb: Word) -> bool:
    return any(child.lower == "i" for child in parsed.children(verb, "nsubj"))


def _is_negated(parsed: ParsedText, verb: Word) -> bool:
    return any(child.lemma in _DENIALS or child.lower.endswith("n't") for child in parsed.children(verb))


def _denies(parsed: ParsedText, word: Word) -> bool:
    """Whether a word denies the clause; `i don't understand` is no symptom of a network."""
    if word.lemma.lower() not in _DENIALS and not word.lower.endswith("n't"):
        return False
    head = parsed.head(word)
    return head is None or head.lemma not in _KNOWING | _PERCEIVING | _FEELING or not _is_of_student(parsed, head)


def _is_mine(parsed: ParsedText, word: Word, kind: QuestionKind) -> bool:
    if word.lower in _MINE or (is_device(word.text) and word.text[-1].isdigit()) or _INTERFACE.fullmatch(word.lower):
        return True
    if word.lower == "i":
        # `how do i`, `when would i`: anybody.
        verb = parsed.head(word) or word
        helped = {child.tag for child in parsed.children(verb, "aux") if child.lemma != "should" or kind != "yes_no"}
        is_past = "VBD" in helped
        return is_past or _is_negated(parsed, verb) or (kind in ("report", "yes_no", "reason") and "MD" not in helped)
    if word.lower in ("it", "that") and word.pos == "PRON" and not _is_wh(word):
        # `what is NAT and why does it drop`: it has been named.
        return not any(before.pos in ("NOUN", "PROPN") for before in parsed.words[: word.index])
    return word.is_("expl") and word.lower == "there" and kind in ("report", "yes_no", "reason")


def _about(parsed: ParsedText, kind: QuestionKind, verb: Word) -> list[str]:
    """The things that are asked about, the first one foremost."""
    if kind == "definition":
        named = [verb] if verb.pos != "VERB" and not _is_wh(verb) else parsed.children(verb, "nsubj", "obj", "appos")
        return [_phrase(parsed, _inner(parsed, each)) for each in named if not _is_wh(each)][:1]
    if kind == "difference" and (sides := _sides(parsed, verb)):
        return [_phrase(parsed, side, "conj", "nmod") for side in sides]
    roles = ("obj", "nsubj", "iobj", "obl", "nmod", "xcomp", "ccomp", "conj")
    found = [verb] if verb.pos in _THINGS and not _is_wh(verb) else []
    found += [child for role in roles for child in parsed.children(verb, role) if child.pos in _THINGS]
    inner = [_inner(parsed, each) for each in found]
    parts = [part for each in inner for part in (each, *parsed.children(each, "nmod")) if part.pos in _THINGS]
    return [_phrase(parsed, part, "nmod") for part in parts]


def _sides(parsed: ParsedText, verb: Word) -> list[Word]:
    """What is compared: `a hub` and `a bridge` in `the difference between a hub and a bridge`."""
    named = next((word for word in parsed.words if word.lemma.startswith("diff") and word.pos == "NOUN"), verb)
    first = parsed.children(named, "nmod", "obj", "nsubj", "obl")
    return [
        side
        for each in first
        if not _is_wh(each) and each is not named
        for side in (each, *parsed.children(each, "conj", "nmod"))
    ]


def _inner(parsed: ParsedText, noun: Word) -> Word:
    """The thing itself: `ARP` in `an explanation of ARP`."""
    while noun.lemma in _FRAMES and (inside := parsed.child(noun, "nmod")):
        noun = inside
    return noun


def _phrase(parsed: ParsedText, noun: Word, *without: str) -> str:
    """A noun with what belongs to it, without articles, owners and clauses."""
    outside = {
        word.index
        for word in parsed.words
        if word is not noun
        and (
            word.is_(*_OUTSIDE_PHRASE, *without)
            or word.relation in _OUTSIDE_PHRASE
            or _is_wh(word)
            or (word.is_("conj") and _is_clause(parsed, word))
        )
    }
    return parsed.phrase(noun, outside)
