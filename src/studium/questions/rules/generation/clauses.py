"""The clauses of a parsed English sentence: who does what, and when, where, why, how and on what condition."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from studium.core.text.english.tree import ParsedText, Word
from studium.core.text.word_pieces import is_known_word
from studium.questions.rules.generation.english_words import word_list

_CONNECTIVES = word_list("connectives")
_FIRST_WORDS = word_list("first_words")
_PHRASES = word_list("phrases")
_FILLERS = word_list("fillers")
_CONTRASTS = word_list("contrasts")
_NOT_ANY = ("no", "neither", "few", "little")
_COLLECTIVE = word_list("containers") | {"family", "half", "pair", "percent", "third", "quarter", "rest", "data"}
_SHORT = 4
_ARTICLES = ("A", "An", "The")
_NAMING = ("NOUN", "PROPN", "ADJ")
_SET_PHRASES = (
    "in other words",
    "as a result",
    "as a consequence",
    "for this reason",
    "of course",
    "as well",
    "in general",
    "in turn",
    "at all",
    "in fact",
    "by the way",
    "as usual",
    "first of all",
    "needless to say",
    "on the other hand",
    "contrary to intuition",
)
_ASIDES = ("discourse", "parataxis", "vocative", "dislocated", "reparandum", "list")
_NOT_OWN = ("aux", "cop", "nsubj", "csubj", "advmod", "obl", "advcl", "punct", "mark", "cc", "expl")
_DO = {"VBZ": "does", "VBP": "do", "VBD": "did"}
_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_SHORT_END = re.compile(r"[aeiou][bcdfghklmnpqrstvz]$")
_NUMBERS = ("VBZ", "VBP", "VBD")
_SHORTENED = {"'s": "", "\u2019s": "", "'ll": "will", "\u2019ll": "will", "'ve": "have", "\u2019ve": "have"}


@dataclass(frozen=True)
class Clause:
    """A predicate with its subject in a sentence; the predicate is a verb, or what comes after `is`."""

    tree: ParsedText
    predicate: Word
    subject: Word | None

    @cached_property
    def parts(self) -> tuple[Word, ...]:
        """What depends on the predicate."""
        return self.tree.children(self.predicate)

    @cached_property
    def auxiliaries(self) -> tuple[Word, ...]:
        """`must be` in `must be installed`, and `is` in `is a tool`, in order."""
        return tuple(word for word in self.parts if word.is_("aux", "cop"))

    @cached_property
    def copula(self) -> Word | None:
        """`is` in `is a tool`."""
        return next((word for word in self.parts if word.is_("cop")), None)

    @cached_property
    def is_negated(self) -> bool:
        """Whether the clause says `not` or `never`."""
        return any(word.lemma in ("not", "n't", "never", "no") and word.is_("advmod", "det") for word in self.parts)

    @property
    def is_passive(self) -> bool:
        """Whether something is done to the subject."""
        return any(word.relation == "aux:pass" for word in self.parts)

    @property
    def is_perfect(self) -> bool:
        """Whether the clause says what has happened, so that `since` says since when."""
        return any(word.lemma == "have" for word in self.auxiliaries)

    @property
    def modal(self) -> str:
        """`must`, `should`, `can` …, if the clause has one."""
        return next((word.lower for word in self.auxiliaries if word.tag == "MD"), "")

    @cached_property
    def dropped(self) -> frozenset[int]:
        """The words that no question repeats: connectives, asides, other clauses, and marks around them."""
        out: set[int] = set()
        for word in self.parts:
            other_clause = word.is_("conj") and self.tree.child(word, "nsubj", "csubj", "expl", "cop") is not None
            leads_over = self._is_connective(word) or self._is_attribution(word) or self._is_contrast(word)
            if word.is_("cc", *_ASIDES) or other_clause or leads_over:
                out |= self.tree.subtree(word)
        last = self.tree.words[-1]
        if last.text in ".!?;:":
            out.add(last.index)
        return frozenset(out)

    def _is_connective(self, word: Word) -> bool:
        """Whether a word only leads over from what was said before: `also`, `in this case`."""
        if word.is_("obl", "advcl") and word.lemma in _PHRASES and len(self.tree.subtree(word)) <= _SHORT:
            return True
        alone = all(child.is_("punct") for child in self.tree.children(word))
        first = word.index == 0 and (word.lower in _FIRST_WORDS or word.lower.endswith("ly"))
        leads = word.lower in _CONNECTIVES or first
        filler = word.lower in _FILLERS and word.index < self.predicate.index
        return (word.is_("advmod") and (leads or filler) and alone) or self.tree.phrase(word).lower() in _SET_PHRASES

    def _is_contrast(self, word: Word) -> bool:
        """Whether a part is `whereas …`, `unlike …`, or a participle about the subject: `Born in Oslo, …`."""
        if word.is_("advcl") and word.index < self.predicate.index and word.tag in ("VBN", "VBG"):
            return not self.tree.children(word, "mark", "nsubj") and word.lower != "using"
        first = self.tree.words[min(self.tree.subtree(word))]
        return word.is_("advcl", "obl") and first.lower in _CONTRASTS and not self._is_time(word, first)

    def _is_time(self, word: Word, first: Word) -> bool:
        """`while the job runs` is when; `While autism is heritable, …` is not."""
        return first.lower == "while" and word.is_("advcl") and word.index > self.predicate.index

    def _is_attribution(self, word: Word) -> bool:
        """Whether a word begins `as critics have noted`."""
        mark = self.tree.child(word, "mark")
        return word.is_("advcl") and mark is not None and mark.lower == "as" and bool(self.tree.children(word, "nsubj"))

    @cached_property
    def complements(self) -> tuple[Word, ...]:
        """What comes after the predicate, in order: objects, places, reasons."""
        return tuple(word for word in self.parts if word.index > self.predicate.index and self._is_said(word))

    @cached_property
    def fronted(self) -> tuple[Word, ...]:
        """What comes before the subject: `In 1993, Ian Murdock founded …`."""
        if self.subject is None:
            return tuple(word for word in self.parts if word.index < self.predicate.index and self._is_said(word))
        begins = min(self.tree.subtree(self.subject))
        return tuple(
            word
            for word in self.parts
            if (word.index < begins or (word.index < self.predicate.index and word.is_("obl", "advcl")))
            and self._is_said(word)
        )

    @cached_property
    def inner(self) -> tuple[Word, ...]:
        """The adverbs between the subject and the predicate."""
        if self.subject is None:
            return ()
        return tuple(
            word
            for word in self.parts
            if self.subject.index < word.index < self.predicate.index and word.is_("advmod") and self._is_said(word)
        )

    def _is_said(self, word: Word) -> bool:
        return (
            word.index not in self.dropped
            and word != self.subject
            and not word.is_("aux", "cop", "punct", "mark", "cc")
        )

    @property
    def adjuncts(self) -> tuple[Word, ...]:
        """What may be asked for with when, where, why or how."""
        return tuple(word for word in (*self.complements, *self.fronted) if word.is_("obl", "advcl", "advmod"))

    def verb_phrase(self, without: frozenset[int] = frozenset(), *, base: bool = False, singular: bool = False) -> str:
        """The predicate and what comes after it; with `base` the verb is in its base form, or else in the singular."""
        words = {self.predicate.index, *self._own_words}
        for word in (*self.inner, *self.complements):
            if word.index not in without and not self.is_added(word):
                words |= trimmed(self.tree, word)
        words -= self.dropped

        def spelled(word: Word) -> str:
            if word != self.predicate:
                return word.text
            return word.lemma if base else third_person(word.lemma) if singular and word.tag == "VBP" else word.text

        said = self.tree.text_of(words, spelled)
        return said if self.subject is None else self._with_fronted(said, without)

    @cached_property
    def _own_words(self) -> set[int]:
        """Words that belong to the predicate itself: those of a noun or an adjective after `is`."""
        before = [word for word in self.parts if word.index < self.predicate.index and word not in self.fronted]
        own = [word for word in before if not word.is_(*_NOT_OWN)]
        return {index for word in own for index in self.tree.subtree(word)} - self.dropped

    def is_added(self, word: Word) -> bool:
        """Whether something only follows after a comma: `…, making it slow`."""
        return word.is_("advcl", "xcomp", "acl", "appos", "obl") and _after_comma(self.tree, word)

    def _with_fronted(self, said: str, without: frozenset[int]) -> str:
        """What was said first comes last in a question."""
        for word in self.fronted:
            if word.index not in without and not word.is_("conj"):
                said = f"{said} {lowered(self.tree, self.tree.subtree(word) - self.dropped)}"
        return said

    def question(self, asked: str, without: frozenset[int] = frozenset(), *, subject: str) -> str:
        """A question that begins with the word asked: `What` + `does` + subject + verb phrase without the answer."""
        if not self.auxiliaries:
            helper = _DO.get("VBP" if self._is_bare_plural else self.predicate.tag)
            if helper is None or self.predicate.pos != "VERB" or self._is_guessed:
                return ""
            return f"{asked} {helper} {subject} {self.verb_phrase(without, base=True)}?"
        first, *others = self.auxiliaries
        helper = _SHORTENED.get(first.text, first.lower)
        if not helper:
            return ""
        # `can now be given` → `can they now be given`: adverbs before another auxiliary stay there.
        last = max((word.index for word in others), default=-1)
        early = [word for word in self.inner if word.lemma in ("not", "n't", "never") or word.index < last]
        said = sorted((*early, *others), key=lambda word: word.index)
        between = " ".join("not" if word.lemma in ("not", "n't") else word.lower for word in said)
        rest = self.verb_phrase(without | {word.index for word in early})
        return " ".join(f"{asked} {helper} {subject} {between} {rest}?".split()).replace(" ?", "?")

    @property
    def _is_guessed(self) -> bool:
        """Whether the base form of the verb may lack an `e`: `conven`, `defused`."""
        verb = self.predicate
        return verb.tag == "VBD" and not is_known_word(verb.lemma) and bool(_SHORT_END.search(verb.lemma))

    @property
    def _is_bare_plural(self) -> bool:
        """`Weavers soak the yarn`: the tag of such a verb is often that of the base form, which is the same word."""
        return self.predicate.tag == "VB" and self.subject is not None and self.subject.tag in ("NNS", "NNPS", "PRP")

    def predicate_question(self, asked: str) -> str:
        """A question for the subject: `Which tool` + the rest of the clause as it is; `Who` is always singular."""
        if asked in ("Who", "What"):
            said = self.verb_phrase(singular=not self.auxiliaries)
            verbs = " ".join(_SINGULAR.get(word.lower, word.lower) for word in self.auxiliaries)
            return " ".join(f"{asked} {verbs} {said}?".split()).replace(" ?", "?")
        verbs = " ".join(
            word.lower for word in self.auxiliaries if not word.is_("cop") or word.index < self.predicate.index
        )
        if any(word.text in _SHORTENED for word in self.auxiliaries):
            return ""
        return " ".join(f"{asked} {verbs} {self.verb_phrase()}?".split()).replace(" ?", "?")


def third_person(verb: str) -> str:
    """`need` → `needs`."""
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


def clauses_of(tree: ParsedText) -> Iterator[Clause]:
    """The main clauses of a sentence; a second verb may share the subject of the first: `It reads A and writes B`."""
    root = tree.root
    if root is None:
        return
    shared = tree.children(root, "nsubj")
    for head in (root, *tree.children(root, "conj")):
        subjects = tree.children(head, "nsubj")
        if head != root and not subjects:
            subjects = shared if _is_finite(tree, head) else ()
            if not subjects:
                continue
        if (
            len(subjects) <= 1
            and not tree.children(head, "csubj", "expl")
            and all(_is_whole(tree, each) and _agrees(tree, head, each) for each in subjects)
        ):
            yield Clause(tree, head, subjects[0] if subjects else None)


def _is_finite(tree: ParsedText, word: Word) -> bool:
    """Whether a verb has its own tense: `writes`, `is used`."""
    return word.pos == "VERB" and (word.tag in _NUMBERS or tree.child(word, "aux") is not None)


def _agrees(tree: ParsedText, predicate: Word, subject: Word) -> bool:
    """Whether a subject can be asked about: not `no animal`, and in number as its verb, or else the parser misread."""
    determiner = tree.child(subject, "det")
    if determiner is not None and determiner.lower in _NOT_ANY:
        return False
    finite = next((word for word in (*tree.children(predicate, "aux", "cop"), predicate) if word.tag in _NUMBERS), None)
    if finite is None or tree.child(subject, "conj") or subject.lemma in _COLLECTIVE or subject.pos == "PRON":
        return True
    plural = finite.tag == "VBP" or finite.lower == "were"
    return not (plural and subject.tag == "NN") and not (finite.tag == "VBZ" and subject.tag == "NNS")


def _is_whole(tree: ParsedText, word: Word) -> bool:
    """Whether the words of a phrase stand together; where they do not, the parser guessed."""
    words = tree.subtree(word)
    return max(words) - min(words) + 1 == len(words)


def trimmed(tree: ParsedText, word: Word) -> set[int]:
    """A noun phrase without what is only added to it: brackets, appositions, and clauses after a comma."""
    out: set[int] = set()
    for index in tree.subtree(word):
        part = tree.words[index]
        added = (part.is_("appos") and not _is_part_of_name(tree, part)) or part.is_("parataxis")
        if added or (part.is_("acl", "advcl", "amod") and _comes_after(tree, part)) or _in_brackets(tree, part):
            out |= tree.subtree(part)
    kept = tree.subtree(word) - out
    return kept if word.index in kept else tree.subtree(word)


def _is_part_of_name(tree: ParsedText, word: Word) -> bool:
    """`Ireland` in `Rosslare, Ireland`; not `Debconf8` in `the ninth DebConf, Debconf8`."""
    head = tree.head(word)
    return (
        word.pos == "PROPN"
        and head is not None
        and head.pos == "PROPN"
        and tree.child(head, "det") is None
        and all(child.is_("punct") for child in tree.children(word))
        and not _in_brackets(tree, word)
    )


def _comes_after(tree: ParsedText, word: Word) -> bool:
    """Whether something follows its noun after a comma."""
    return word.head < word.index and _after_comma(tree, word)


def _after_comma(tree: ParsedText, word: Word) -> bool:
    begins = min(tree.subtree(word))
    return (begins > 0 and tree.words[begins - 1].text in (",", "\u2014", "\u2013", "--")) or tree.words[
        begins
    ].text == ","


def _in_brackets(tree: ParsedText, word: Word) -> bool:
    begins = min(tree.subtree(word))
    return tree.words[begins].text in ("(", "[") and begins != word.index


def lowered(tree: ParsedText, indices: set[int]) -> str:
    """Some words of a sentence as they stand inside one: without the capital that only its start gave them."""
    first = tree.words[0]
    # `Quality of Service`: a name whose next word has a capital, too, keeps its first.
    after = [tree.words[index] for index in (1, 2, 3) if index in indices and tree.words[index].pos in _NAMING]
    titled = first.pos in _NAMING and bool(after) and after[0].text.istitle() and len(after[0].text) > 1

    def spelled(word: Word) -> str:
        return decapitalised(word) if word == first and not titled else word.text

    return tree.text_of(indices, spelled)


def decapitalised(word: Word) -> str:
    """A word without its capital, unless it is a name, `I` or an abbreviation."""
    is_name = word.pos == "PROPN" or not (word.text[1:].islower() and word.text.isalpha())
    return word.text.lower() if word.text in _ARTICLES or not is_name else word.text
