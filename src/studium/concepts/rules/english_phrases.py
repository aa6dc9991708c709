"""Finds the phrases that can name the idea of an English sentence, by its grammar."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from studium.concepts.rules.lexicon import Lexicon
from studium.concepts.rules.phrases import Definition, Phrase, stem_word
from studium.core.text.english.tree import ParsedText, Word
from studium.core.text.word_pieces import is_known_word

MAX_TITLE_WORDS = 5
_ENOUGH = 2
_PLURAL = ("NNS", "NNPS")
_COMPARED = ("JJR", "JJS")
_JOINED = ("conj", "parataxis")
_OF_MUCH = ("no", "some", "any", "much", "more", "all", "little")
_OF_NOUNS = ("of", "over", "between", "toward", "towards", "without")
_TELLING = ("NOUN", "ADJ", "VERB", "PROPN", "ADV")
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")


@dataclass(frozen=True)
class _Candidate:
    """A noun or a verb that may name the idea, and how much its place in the sentence says for it."""

    head: Word
    place: float
    subject: bool


def find_english_phrases(parsed: ParsedText, lexicon: Lexicon) -> tuple[Phrase, ...]:
    """The phrases of a sentence that can be a title, in the form of a title, in order."""
    found = {each.text: each for each in _pairs_of_clauses(parsed, lexicon)}
    for each in _candidates(parsed, lexicon):
        for indices in _forms(parsed, each.head, lexicon):
            phrase = _phrase(parsed, each, indices, lexicon)
            known = found.get(phrase.text)
            if phrase.key and (known is None or known.score < phrase.score):
                found[phrase.text] = phrase
    return tuple(found.values())


def _pairs_of_clauses(parsed: ParsedText, lexicon: Lexicon) -> Iterator[Phrase]:
    """The two qualities that a sentence brings together: `Money cannot buy happiness` is about money and happiness."""
    for verb in parsed.words:
        subjects, objects = parsed.children(verb, "nsubj"), parsed.children(verb, "obj")
        pair = (*subjects, *objects) if subjects and objects else parsed.children(verb, "obl")
        if verb.pos != "VERB" or len(pair) != _ENOUGH or not all(_is_quality(parsed, each) for each in pair):
            continue
        place = 1.8 * _clause(parsed, pair[0], lexicon)
        key = tuple(stem_word(each.lower, lexicon) for each in pair)
        text = " and ".join(each.lower for each in pair)
        yield Phrase(text, "", key, tuple(each.lower for each in pair), bool(subjects), place + 0.5)


def _is_quality(parsed: ParsedText, word: Word) -> bool:
    return word.pos == "NOUN" and _is_bare(parsed, word) and all(each.is_("case") for each in parsed.children(word))


def find_english_definition(parsed: ParsedText, lexicon: Lexicon) -> Definition | None:
    """The term that a sentence names (“we call X”), defines (“X is a …”) or is about."""
    root = parsed.root
    if root is None:
        return None
    named = _named(parsed, lexicon)
    if named is not None:
        return _defined(parsed, named, lexicon, strict=True)
    subject = parsed.child(root, "nsubj")
    if subject is None or not _is_noun(subject) or _is_weak(parsed, subject, lexicon):
        return None
    is_term = len(_modifiers(parsed, subject, lexicon)) + len(_complement(parsed, subject, lexicon)) <= MAX_TITLE_WORDS
    describes = (root.pos == "NOUN" and parsed.child(root, "det")) or parsed.child(root, "acl:relcl")
    says_what = describes and parsed.child(root, "cop")
    denied = any(each.lower in ("not", "n't", "never") for each in parsed.children(root, "advmod"))
    strict = is_term and bool(says_what or root.lemma in lexicon.defining) and not denied and not _is_asked(parsed)
    return _defined(parsed, subject, lexicon, strict=strict)


def is_noun_phrase(parsed: ParsedText) -> bool:
    """Whether a few words are a noun with what belongs to it, and say nothing of it."""
    root = parsed.root
    if root is None or not _is_noun(root) or any(word.is_("nsubj", "cop", "conj", "case") for word in _own(parsed)):
        return False
    return not any(word.pos in ("PRON", "SYM", "INTJ") for word in parsed.words)


def _own(parsed: ParsedText) -> Iterator[Word]:
    """The words that belong to the main word itself."""
    if parsed.root is not None:
        yield from parsed.children(parsed.root)


def _is_asked(parsed: ParsedText) -> bool:
    return parsed.text.rstrip("\"'”’)").endswith("?")


def _named(parsed: ParsedText, lexicon: Lexicon) -> Word | None:
    """What a sentence gives a name: `we call it X`, `known as X`, `the concept of X`."""
    for word in parsed.words:
        if word.pos != "VERB" or not _says_of_subject(parsed, word):
            continue
        named = [each for each in parsed.children(word, "obl") if _case(parsed, each) == "as" and word.tag == "VBN"]
        if word.lemma in lexicon.naming:
            named = [each for each in parsed.children(word, "obj", "xcomp") if each.index > word.index] or named
        elif word.lemma != "know":
            continue
        if named and _is_noun(named[-1]) and not _is_weak(parsed, named[-1], lexicon):
            return named[-1]
    return None


def _says_of_subject(parsed: ParsedText, verb: Word) -> bool:
    """Whether a verb is the main one, or in the subject: `What economists call … is …`."""
    above = parsed.head(verb)
    if above is None or (verb.is_(*_JOINED) and above.head < 0):
        return parsed.child(verb, "nsubj") is not None
    subject = verb if verb.is_("csubj") else above if verb.is_("acl") and above.is_("nsubj") else None
    return subject is not None and subject.head >= 0 and parsed.words[subject.head].head < 0


def _defined(parsed: ParsedText, head: Word, lexicon: Lexicon, *, strict: bool) -> Definition | None:
    indices = next(_forms(parsed, head, lexicon), None)
    if not indices:
        return None
    key = tuple(stem_word(word, lexicon) for word in _told(parsed, indices, lexicon))
    return Definition(_text(parsed, head, indices, lexicon), key, strict) if key else None


def _candidates(parsed: ParsedText, lexicon: Lexicon) -> Iterator[_Candidate]:
    for word in parsed.words:
        clause = _clause(parsed, word, lexicon)
        if _is_action(parsed, word):
            yield _Candidate(word, 1.8 * clause, subject=True)
        elif _is_wanted(parsed, word, lexicon):
            yield _Candidate(word, 1.3 * clause, subject=False)
        elif _is_noun(word) and not word.is_("compound", "flat") and not _is_place_or_time(parsed, word, lexicon):
            yield _Candidate(word, _place(parsed, word, lexicon), word.is_("nsubj") and clause == 1)


def _is_action(parsed: ParsedText, word: Word) -> bool:
    """Whether a word is what is done, as the subject: `To read well is …`, `To be awake is …`."""
    acts = word.pos in ("VERB", "ADJ") or parsed.child(word, "cop") is not None
    above = parsed.head(word)
    # `To read is to give …`: the parser takes the first of two infinitives for a condition.
    equals = word.is_("advcl") and word.tag == "VB" and above is not None and above.tag == "VB"
    equals = equals and above is not None and parsed.child(above, "cop") is not None and word.index < above.index
    return (word.is_("csubj") or equals) and acts and parsed.child(word, "nsubj") is None


def _is_wanted(parsed: ParsedText, verb: Word, lexicon: Lexicon) -> bool:
    """Whether a verb with more than itself is what somebody wants to do: `I wished to live deliberately`."""
    above = parsed.head(verb)
    if above is None or not verb.is_("xcomp") or verb.tag != "VB":
        return False
    if any(each.lower == "if" for each in parsed.children(above, "mark")):
        return False
    return above.lemma in lexicon.wanting and bool(parsed.children(verb, "advmod", "obj"))


def _is_noun(word: Word) -> bool:
    return word.pos in ("NOUN", "PROPN") and word.tag.startswith("NN") and word.text[:1].isalpha()


def _is_weak(parsed: ParsedText, word: Word, lexicon: Lexicon) -> bool:
    """Whether a noun says nothing of its own: `thing`, `way`; alone and without an article it does: `Time is …`."""
    if word.lemma not in lexicon.weak and word.lower not in lexicon.weak:
        return False
    return not (_is_bare(parsed, word) and word.is_("nsubj"))


def _is_bare(parsed: ParsedText, word: Word) -> bool:
    """Whether a noun stands in the singular without an article, as names of qualities do: `solitude`, `no joy`."""
    if word.tag != "NN" or parsed.children(word, "nmod:poss", "nummod"):
        return False
    return all(each.lower in _OF_MUCH for each in parsed.children(word, "det"))


def _is_kind(parsed: ParsedText, word: Word) -> bool:
    """Whether a noun stands for all of its kind: `Books must be read …`, `most of the luxuries`."""
    head = parsed.head(word)
    if word.is_("nmod") and head is not None and not _is_noun(head):
        return True
    limits = [each for each in parsed.children(word, "det") if each.lower not in ("every", "all", "each")]
    is_generic = word.tag in _PLURAL or bool(parsed.children(word, "det"))
    return is_generic and not limits and not parsed.children(word, "nmod:poss", "nummod")


def _is_place_or_time(parsed: ParsedText, word: Word, lexicon: Lexicon) -> bool:
    """Whether a noun only says when or where: `in the morning`, `for an instant`."""
    if word.relation in ("obl:tmod", "obl:npmod", "obl:unmarked"):
        return True
    return word.is_("obl") and word.lemma in lexicon.weak and not _is_bare(parsed, word)


def _place(parsed: ParsedText, word: Word, lexicon: Lexicon) -> float:
    """How much the place of a noun in its sentence says for it."""
    head = parsed.head(word)
    if head is None:
        is_said = parsed.child(word, "nsubj") is not None and _has_empty_subject(parsed, word, lexicon)
        return 1.5 if is_said else 0.8
    clause = _clause(parsed, word, lexicon)
    if word.is_("nsubj"):
        return 1.5 if word.relation == "nsubj:outer" else 1.5 * clause
    if word.is_("obj", "obl", "xcomp"):
        full = 1.5 if _has_empty_subject(parsed, head, lexicon) else 1.1
        return clause * full * (1.0 if word.is_("obj") else 0.6)
    if word.is_("nmod") and (_is_noun(head) or head.pos in ("DET", "ADJ", "NUM", "PRON")):
        above = _place(parsed, head, lexicon) if _is_noun(head) else _place_of_part(parsed, head)
        return above if head.lemma in lexicon.weak or not _is_noun(head) else 0.5 * above
    if word.is_("conj"):
        return 0.8 * _place(parsed, head, lexicon) if _is_noun(head) else 0.6 * clause
    return 0.7 * clause


def _place_of_part(parsed: ParsedText, word: Word) -> float:
    """The place of `most of the …`, which that of what follows is."""
    if not any(_case(parsed, each) == "of" for each in parsed.children(word, "nmod")):
        return 0.5
    return 1.5 if word.is_("nsubj") else 1.1 if word.is_("obj") else 0.5


def _has_empty_subject(parsed: ParsedText, verb: Word, lexicon: Lexicon) -> bool:
    """Whether a sentence says of nobody in particular what it says: `we`, `it`, `men`, or an imperative."""
    subject = parsed.child(verb, "nsubj")
    return subject is None or not _is_noun(subject) or subject.lemma in lexicon.weak


def _clause(parsed: ParsedText, word: Word, lexicon: Lexicon) -> float:
    """How near to the main statement the clause of a word is: 1 for the main clause and for what it says or thinks."""
    weight = 1.0
    at: Word | None = parsed.head(word)
    while at is not None and at.head >= 0:
        if at.is_(*_JOINED):
            weight *= 0.8
        elif at.is_("ccomp", "xcomp", "csubj"):
            above = parsed.head(at)
            weight *= 0.95 if above is not None and _has_empty_subject(parsed, above, lexicon) else 0.7
        elif at.is_("advcl", "acl"):
            weight *= 0.6
        at = parsed.head(at)
    return weight


def _forms(parsed: ParsedText, head: Word, lexicon: Lexicon) -> Iterator[tuple[int, ...]]:
    """The words of a phrase: with what it is of, if that is short, and without."""
    if _is_action(parsed, head) or not _is_noun(head):
        yield from _action(parsed, head)
        return
    own = _modifiers(parsed, head, lexicon)
    complement = _complement(parsed, head, lexicon)
    pair = _pair(parsed, head, lexicon)
    if pair and len(own) == 1:
        yield pair
    if complement and len(own) + len(complement) <= MAX_TITLE_WORDS:
        yield (*own, *complement)
    elif complement and len(complement) < MAX_TITLE_WORDS:
        yield (head.index, *complement)
    if not complement or not _is_weak(parsed, head, lexicon):
        yield own


def _pair(parsed: ParsedText, head: Word, lexicon: Lexicon) -> tuple[int, ...]:
    """Two bare nouns that are spoken of together: `vanity and pride`."""
    others = parsed.children(head, "conj")
    if len(others) != 1 or not head.is_("nsubj", "obj") or parsed.children(head, "nmod", "nmod:poss", "acl"):
        return ()
    if any(each.lower in lexicon.articles for each in parsed.children(head, "det")):
        return ()
    other = others[0]
    joint = parsed.child(other, "cc")
    alike = _is_noun(other) and other.tag == head.tag and len(parsed.children(other)) == 1
    return (head.index, joint.index, other.index) if joint is not None and alike and joint.lower == "and" else ()


def _action(parsed: ParsedText, head: Word) -> Iterator[tuple[int, ...]]:
    """What is done: `to read well`, `to be awake`."""
    kept = [*parsed.children(head, "cop", "det", "amod"), head]
    kept += [each for each in parsed.children(head, "advmod") if each.index == head.index + 1]
    objects = [each for each in parsed.children(head, "obj") if _is_noun(each)]
    around = [each for each in parsed.children(head, "obl") if _is_noun(each) and each.index > head.index]
    for nouns in ((*objects, *around), objects):
        own = [piece for each in nouns for piece in (each, *parsed.children(each, "compound", "amod", "det", "case"))]
        indices = sorted({each.index for each in (*kept, *own)})
        if len(indices) <= MAX_TITLE_WORDS:
            yield tuple(indices)
            return


def _modifiers(parsed: ParsedText, head: Word, lexicon: Lexicon) -> tuple[int, ...]:
    """A noun and the words before it that make it a term, without articles, numbers and what praises or compares."""
    kept = [head.index]
    for child in reversed(parsed.children(head)):
        if child.index > head.index:
            # The parser takes the second noun of a rare compound for what describes the first.
            kept += [child.index] if child.index == head.index + 1 and child.tag == "NN" and child.is_("amod") else []
            continue
        if child.is_("compound", "flat") and _is_plain(parsed, child) and child.lemma != head.lemma:
            kept += parsed.subtree(child)
        elif child.relation == "amod" and len(kept) <= _ENOUGH:
            kept += _adjective(parsed, child, lexicon)
        elif child.relation == "nmod:poss" and _is_noun(child) and child.lemma not in lexicon.weak:
            kept += [index for index in parsed.subtree(child) if parsed.words[index].is_("nmod", "case", "compound")]
    return tuple(sorted(set(kept)))


def _is_plain(parsed: ParsedText, word: Word) -> bool:
    return all(each.is_("compound", "punct", "flat", "amod") for each in parsed.children(word))


def _adjective(parsed: ParsedText, word: Word, lexicon: Lexicon) -> list[int]:
    said = [word, *parsed.children(word, "conj")]
    telling = [
        each
        for each in said
        if each.tag not in _COMPARED
        and each.lower not in lexicon.determiners
        and each.lemma not in lexicon.unspecific
        and each.text[:1].isalpha()
    ]
    if not telling:
        return []
    last = telling[-1]
    hyphen = [each for each in parsed.children(last, "punct") if each.text == "-"]
    parts = [each for each in parsed.children(last) if each.index < last.index and _is_hyphenated(parsed, each)]
    return [each.index for each in (*parts, *hyphen, *(piece for one in parts for piece in parsed.children(one)), last)]


def _is_hyphenated(parsed: ParsedText, word: Word) -> bool:
    after = parsed.words[word.index + 1] if word.index + 1 < len(parsed.words) else None
    return after is not None and after.text == "-" and after.start == word.end


def _case(parsed: ParsedText, word: Word) -> str:
    found = parsed.children(word, "case")
    return found[0].lower if len(found) == 1 else ""


def _complement(parsed: ParsedText, head: Word, lexicon: Lexicon) -> tuple[int, ...]:
    """What a noun is of, in or to: `cost of a thing`, `madness in love`, `impulse to punish`, `way of thinking`."""
    for child in parsed.children(head):
        if child.index < head.index:
            continue
        if child.relation == "nmod" and _is_noun(child) and _case(parsed, child) in lexicon.joining:
            says_more = _case(parsed, child) == "of" or child.lemma not in lexicon.weak or _is_bare(parsed, child)
            return _joined(parsed, child, lexicon) if says_more else ()
        if child.relation == "acl" and child.tag in ("VB", "VBG"):
            return _purpose(parsed, child, lexicon)
    return _following(parsed, head, lexicon)


def _following(parsed: ParsedText, head: Word, lexicon: Lexicon) -> tuple[int, ...]:
    """What stands right after an object and may be of it, or of the verb: `You have power over your mind`."""
    verb = parsed.head(head) if head.is_("obj") else None
    for child in parsed.children(verb, "obl") if verb is not None else ():
        cases = parsed.children(child, "case")
        if _is_noun(child) and len(cases) == 1 and cases[0].index == head.index + 1 and cases[0].lower in _OF_NOUNS:
            return _joined(parsed, child, lexicon)
    return ()


def _joined(parsed: ParsedText, noun: Word, lexicon: Lexicon) -> tuple[int, ...]:
    own = _modifiers(parsed, noun, lexicon)
    articles = [each for each in parsed.children(noun, "det") if each.lower in lexicon.articles]
    before = [each.index for each in (*parsed.children(noun, "case"), *articles)]
    return tuple(sorted((*before, *own, *_complement(parsed, noun, lexicon))))


def _purpose(parsed: ParsedText, verb: Word, lexicon: Lexicon) -> tuple[int, ...]:
    marks = parsed.children(verb, "mark")
    if len(marks) != 1 or marks[0].index + 1 != verb.index or marks[0].lower not in ("to", "of", "for"):
        return ()
    objects = [each for each in parsed.children(verb, "obj") if _is_noun(each) and each.lemma not in lexicon.weak]
    own = [index for each in objects for index in (each.index, *(c.index for c in parsed.children(each, "compound")))]
    found = (marks[0].index, verb.index, *sorted(own))
    needs = parsed.children(verb, "obj", "xcomp", "ccomp")
    return found if not needs or objects else ()


def _phrase(parsed: ParsedText, said: _Candidate, indices: Sequence[int], lexicon: Lexicon) -> Phrase:
    told = _told(parsed, indices, lexicon)
    key = tuple(stem_word(word, lexicon) for word in told)
    text = _text(parsed, said.head, indices, lexicon)
    return Phrase(text, "", key, told, said.subject, _score(parsed, said, indices, lexicon))


def _told(parsed: ParsedText, indices: Iterable[int], lexicon: Lexicon) -> tuple[str, ...]:
    lower = (parsed.words[index].lower.replace("’", "'") for index in indices)
    return tuple(word for word in lower if word[0].isalnum() and lexicon.is_content(word))


def _score(parsed: ParsedText, said: _Candidate, indices: Sequence[int], lexicon: Lexicon) -> float:
    """How well a phrase names the idea: by its place, and more if it names a quality or is specific."""
    head = said.head
    told = [parsed.words[index] for index in indices]
    telling = [word for word in told if word.pos in _TELLING and word.lemma not in lexicon.weak]
    weight = min(1.0, said.place)
    score = said.place + (0.5 if _is_noun(head) else 0.3) * weight * (len(telling) > 1)
    if _is_noun(head):
        has_more = _complement(parsed, head, lexicon) or (len(told) == 1 and parsed.children(head, "acl", "ccomp"))
        score -= 0.5 * (indices[-1] == head.index and bool(has_more))
        is_quality = head.lemma.endswith(lexicon.noun_endings)
        is_bare, is_kind = _is_bare(parsed, head), _is_kind(parsed, head)
        score += weight * min(0.7, 0.5 * is_quality + 0.5 * is_bare + 0.1 * is_kind)
        score -= 1.0 * (head.pos == "PROPN") + 0.8 * (head.lemma in lexicon.weak)
        if len(told) == 1 and not is_quality and not is_bare and not is_kind:
            score -= 0.25 if parsed.child(head, "nmod:poss") else 0.5
    return score if telling or _is_bare(parsed, head) else 0.0


def _text(parsed: ParsedText, head: Word, indices: Sequence[int], lexicon: Lexicon) -> str:
    after = [parsed.words[index] for index in indices if index > head.index]
    is_joined = _is_noun(head) and any(each.is_("cc", "case", "mark") for each in after)

    def spelled(word: Word) -> str:
        if word.index == head.index and not is_joined:
            return _base_form(parsed, word, lexicon)
        if word.is_("cop") and word.head == head.index:
            return "being"
        return word.text if word.pos == "PROPN" or word.text.isupper() else word.lower

    return parsed.text_of(indices, spelled)


def _base_form(parsed: ParsedText, word: Word, lexicon: Lexicon) -> str:
    if not _is_noun(word):
        return word.lower if parsed.child(word, "cop") else gerund(word.lemma)
    if word.pos == "PROPN" or parsed.child(word, "cop"):
        return word.text
    return _singular(word) if word.tag in _PLURAL and word.lower not in lexicon.plurals else word.lower


def _singular(word: Word) -> str:
    plural = word.lower
    if word.lemma != plural:
        return word.lemma
    likely = (f"{plural[:-3]}y",) if plural.endswith("ies") else (plural[:-1], plural[:-2])
    return next((each for each in likely if plural.endswith("s") and is_known_word(each)), plural)


def gerund(verb: str) -> str:
    """The `-ing` form of a verb: `make` → `making`, `run` → `running`."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return f"{verb[:-1]}ing"
    return f"{verb}{verb[-1]}ing" if _DOUBLED.fullmatch(verb) and len(verb) > _ENOUGH else f"{verb}ing"
