"""Compare answers as cuts of a sentence: yes or no, without brackets, longer and shorter cuts of a phrase."""

import re

from studium.core.text.english.parser import parse
from studium.core.text.english.tree import ParsedText, Word
from studium.core.text.stop_words import is_negation
from studium.questions.rules.comparison.lemmas import likeness

_REFERENCE = re.compile(r"\s*[(\[]?\u00b6+\s*\d+[)\]]?|\s*\[\d+(?:,\s*\d+)*\]")
_EMPHASIS = re.compile(r"^(?:only|also|just|simply)\s+(?=\S+\s)", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_YES = re.compile(r"^\W*(?:yes|ja|sí|oui|да)\b", re.IGNORECASE)
_NO = re.compile(r"^\W*(?:no|never|nein|non|нет)\b(?!\.?\s*\d)", re.IGNORECASE)
_BARE = re.compile(r"^\W*(?:yes|no|ja|nein|sí|oui|non|да|нет)\W*$", re.IGNORECASE)
_CODE = re.compile(r"(?<!\S)[\"'\u2018\u201c]?((?:--?|[#@$/~])[A-Za-z][\w./-]*|\w+(?:_\w+)+|\w+\(\)|\w+\.[A-Za-z]\w*)")
_QUANTIFIER = re.compile(
    r"(?<!at )\b(?:few|most|all|some|many|several|every|each|little|rarely|always)\b(?! of the time)"
)
_EXPLANATION = re.compile(r",? (?:that is|i e|which|who|whose|where|such as|including|namely)\b")
_SHORTEST = 2


def strip_references(text: str) -> str:
    """The text without marks of paragraphs and footnotes: `¶ 14`, `[3]`."""
    return _EMPHASIS.sub("", _REFERENCE.sub("", text)).strip() or text


def without_brackets(text: str) -> str:
    """The text without what stands in brackets."""
    return _BRACKETS.sub("", text).strip()


def compare_wording(one: str, other: str) -> bool | None:
    """Whether two answers are the same by yes and no, by names of code or to the letter; none if that does not tell."""
    if (polar := same_polarity(one, other)) is not None:
        return polar
    codes, others = set(codes_in(one)), set(codes_in(other))
    if (codes and others and codes != others) or has_other_quantifier(one, other):
        return False
    only_code = codes == others and bool(codes) and (is_only_code(one) or is_only_code(other))
    letters = _letters(one)
    to_the_letter = bool(letters) and letters == _letters(other) and not any(map(str.isdigit, one))
    return True if only_code or to_the_letter else None


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def same_polarity(one: str, other: str) -> bool | None:
    """Whether both say yes or both say no; none if neither is only that."""
    if not (_BARE.match(one) or _BARE.match(other)):
        return None
    mine, theirs = _polarity(one), _polarity(other)
    return None if mine is None or theirs is None else mine == theirs


def says_yes_or_no(answer: str) -> bool:
    """Whether an answer begins with yes or no: the question cannot give it away."""
    return bool(_YES.match(answer) or _NO.match(answer))


def codes_in(text: str) -> list[str]:
    """The options, paths and names of code in a text, as written: `--kernel`, `#debian`, `read_lines`."""
    return _CODE.findall(text)


def _polarity(text: str) -> bool | None:
    """True for yes, false for no; a sentence without either says yes, unless it is negated."""
    if _YES.match(text):
        return True
    if _NO.match(text):
        return False
    words = text.split()
    if len(words) <= _SHORTEST:
        return None
    return not any(is_negation(word.strip(".,;:!"), "en") for word in words)


def is_same_place(one: str, other: str, quote: str) -> bool:
    """Whether both are cuts of one phrase of a sentence, the one inside the other."""
    shorter, longer = sorted((_folded(one), _folded(other)), key=len)
    inside = f" {shorter} " in f" {longer} " and f" {longer} " in f" {_folded(quote)} "
    return inside and bool(shorter.strip()) and _has_main_word(shorter, longer)


def only_explains(one: str, other: str, quote: str) -> bool:
    """Whether one is the other with an explanation, as the quote has it: `…, that is, …`, `…, which means …`."""
    shorter, longer = sorted((_folded(one, keep=","), _folded(other, keep=",")), key=len)
    written = longer.replace(",", "") in _folded(quote)
    return written and longer.startswith(shorter) and bool(_EXPLANATION.match(longer[len(shorter) :]))


def _has_main_word(shorter: str, longer: str) -> bool:
    """Whether the shorter cut has the main word of the longer, or is the name beside it."""
    tree = parse(longer)
    main = tree.root if tree else None
    if tree is None or main is None:
        return False
    names = [child for child in tree.children(main, "appos", "flat", "nmod") if child.pos in ("PROPN", "NUM")]
    words = shorter.split()
    return any(word.lower in words for word in (main, *names))


def is_only_code(text: str) -> bool:
    """Whether an answer is nothing but a name of code: `lmBenchmark.R`."""
    return codes_in(text) == [text.strip(" .\"'")]


def without(longer: str, shorter: str) -> str:
    """What the longer text has beside the shorter one."""
    return _folded(longer, keep=",;:").replace(_folded(shorter, keep=",;:"), " ", 1)


def has_other_quantifier(one: str, other: str) -> bool:
    """`few sites` is not `most sites`; and `few` is never left out."""
    mine, theirs = (set(_QUANTIFIER.findall(text.casefold())) for text in (one, other))
    return bool(mine ^ theirs) and (bool(mine and theirs) or bool((mine ^ theirs) & {"few", "little", "rarely"}))


def first_clause(text: str) -> str:
    """The first of several clauses: `the job stops` of `the job stops and an alarm is raised`."""
    tree = parse(text)
    if tree is None or tree.root is None or tree.root.pos not in ("VERB", "AUX", "ADJ"):
        return text
    others = [child for child in tree.children(tree.root, "conj", "parataxis") if tree.child(child, "nsubj")]
    if not others or not tree.child(tree.root, "nsubj"):
        return text
    return tree.text_of(index for index in tree.subtree(tree.root) if index < min(map(min, map(tree.subtree, others))))


def has_same_head(one: str, other: str) -> bool:
    """Whether the main words of two answers are alike."""
    mine, theirs = parse(one), parse(other)
    if mine is None or theirs is None:
        return False
    heads, others = _heads(mine), _heads(theirs)
    return any(likeness(head, word) for head in heads for word in others)


def _heads(tree: ParsedText) -> list[Word]:
    return [tree.root, *tree.children(tree.root, "obj", "xcomp")] if tree.root else []


def _folded(text: str, keep: str = "") -> str:
    return " ".join(re.sub(rf"[^\w{keep}]+", " ", text).casefold().split())
