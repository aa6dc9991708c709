"""The critique checklist: six points checked by code, joined with a model's answer."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from studium.concepts.domain import RelationType
from studium.concepts.rules.compound_titles import check_edge_cases, find_two_ideas
from studium.concepts.rules.content_words import (
    LANGUAGES,
    fold_text,
    in_quote_marks,
    join_with_and,
    word_lists,
    words_of,
)
from studium.concepts.skills import POINTS, ChecklistPoint, ConceptView, CritiqueInput, PointName, RelationView, Remark
from studium.core.text.language_detection import count_stop_words, detect_language
from studium.core.text.sentences import split_sentences
from studium.core.text.stop_words import stop_words

MAX_ATOMIC_SENTENCES = 3
MIN_CLAIMS = 2

_LISTED = re.compile(r"(?:^|\n)[ \t]*(?:[-*•–]|\(?\d{1,2}[.)]|\(?[a-h]\))[ \t]+\S|(?<=\s)\(?[1-9]\)\s+\w")


def check_atomicity(given: CritiqueInput) -> Iterator[Remark]:
    """The concepts with more than one idea."""
    texts = {quote.key: quote.text for quote in given.quotes}
    for idea in given.concepts:
        yield from _two_titles(idea, texts)
        yield from _many_claims(idea)


def _two_titles(idea: ConceptView, texts: Mapping[str, str]) -> Iterator[Remark]:
    parts = find_two_ideas(idea.title, [texts[key] for key in idea.quotes if key in texts])
    if parts:
        left, right = in_quote_marks(parts.left), in_quote_marks(parts.right)
        message = f"The title of {idea.key} joins two ideas. Split {idea.key} into {left} and {right}."
        yield Remark(message=message, concepts=(idea.key,), quotes=tuple(key for key in idea.quotes if key in texts))


def _many_claims(idea: ConceptView) -> Iterator[Remark]:
    claims, told = len(_LISTED.findall(idea.concept)), split_sentences(idea.concept)
    ordinals = "|".join(map(re.escape, word_lists()["ordinals"]))
    claims = max(claims, sum(bool(re.match(rf"(?:{ordinals})\b[,:]?\s", each, re.IGNORECASE)) for each in told))
    if claims >= MIN_CLAIMS:
        message = f"{idea.key} lists {claims} claims: keep one in it, and make the others concepts of their own."
    elif len(told) > MAX_ATOMIC_SENTENCES:
        message = f"{idea.key} takes {len(told)} sentences: say its one idea in {MAX_ATOMIC_SENTENCES} at most."
    else:
        return
    yield Remark(message=message, concepts=(idea.key,))


SameIdea = Callable[[ConceptView, ConceptView], bool]


def check_distinctness(given: CritiqueInput, same: SameIdea) -> Iterator[Remark]:
    """The duplicates, each with the first concept that it equals, so that no chain joins different concepts."""
    groups: list[tuple[str, list[ConceptView]]] = []
    for idea in given.concepts:
        title = fold_text(idea.title)
        known = next((group for name, group in groups if (title and name == title) or same(group[0], idea)), None)
        if known is None:
            groups.append((title, [idea]))
        else:
            known.append(idea)
    for _, group in groups:
        if len(group) > 1:
            keys = tuple(idea.key for idea in group)
            named = join_with_and(keys)
            yield Remark(message=f"{named} hold one idea. Merge {named}.", concepts=keys)


def check_quote_coverage(given: CritiqueInput) -> Iterator[Remark]:
    """The concepts without quotes, and the quotes that are nowhere, or in two places that exclude each other."""
    known = {quote.key for quote in given.quotes}
    for idea in given.concepts:
        yield from _resting(idea, known)
    carrying = {key for idea in given.concepts for key in idea.quotes}
    listed = set(given.unattributed)
    for key in (quote.key for quote in given.quotes):
        if key not in carrying and key not in listed:
            message = f"{key} supports no concept and is not listed as unattributed: give it a concept, or list it."
            yield Remark(message=message, quotes=(key,))
        elif key in carrying and key in listed:
            holders = tuple(idea.key for idea in given.concepts if key in idea.quotes)
            message = (
                f"{key} is listed as unattributed, but {join_with_and(holders)} rests on it: take it off the list."
            )
            yield Remark(message=message, concepts=holders, quotes=(key,))
    for key in given.unattributed:
        if key not in known:
            yield Remark(message=f"{key} is listed as unattributed, but there is no such quote: take it off the list.")


def _resting(idea: ConceptView, known: set[str]) -> Iterator[Remark]:
    missing = tuple(dict.fromkeys(key for key in idea.quotes if key not in known))
    if all(key in missing for key in idea.quotes):
        yield Remark(message=f"{idea.key} rests on no quote. Reject {idea.key}.", concepts=(idea.key,))
    elif missing:
        named = join_with_and(missing)
        message = f"There is no quote {join_with_and(missing)}. Remove {named} from {idea.key}."
        yield Remark(message=message, concepts=(idea.key,))


_TURNED = {RelationType.SPECIFIC_OF, RelationType.HAS_PART, RelationType.SUPPORTED_BY}
_ORDERED = (RelationType.GENERALIZES, RelationType.PART_OF)
_AGAINST_OPPOSES = {RelationType.SIMILAR_TO, RelationType.SUPPORTS, RelationType.GENERALIZES}


class CanonicalRelation(NamedTuple):
    """A relation in its canonical direction."""

    type: RelationType
    source: str
    target: str


def canonical_relation(relation: RelationView) -> CanonicalRelation:
    """What a relation says, in either direction."""
    kind, ends = relation.type, (relation.source, relation.target)
    if kind in _TURNED:
        kind, ends = kind.inverse, ends[::-1]
    elif kind.inverse is kind:
        ends = (min(ends), max(ends))
    return CanonicalRelation(kind, *ends)


class _AcceptedRelations:
    """The relations accepted so far, by their pair of concepts and by direction."""

    def __init__(self) -> None:
        self.beside: defaultdict[frozenset[str], list[RelationView]] = defaultdict(list)
        self.onward: defaultdict[tuple[RelationType, str], list[str]] = defaultdict(list)

    def keep(self, relation: RelationView) -> None:
        kind, source, target = canonical_relation(relation)
        self.beside[frozenset((source, target))].append(relation)
        self.onward[kind, source].append(target)


def check_relation_accuracy(given: CritiqueInput) -> Iterator[Remark]:
    """The relations that are wrong; of two that exclude each other, the first is kept."""
    known = {idea.key for idea in given.concepts}
    kept = _AcceptedRelations()
    # The vaguest last, so that it never displaces a more specific one.
    for relation in sorted(given.relations, key=lambda each: each.type is RelationType.RELATES_TO):
        fault = _fault_of_ends(relation, known) or _fault_beside(relation, kept) or _cycle(relation, kept)
        if fault:
            ends = tuple(key for key in dict.fromkeys((relation.source, relation.target)) if key in known)
            yield Remark(message=f"{fault} {_instruction(relation, kept, known)}", concepts=ends)
        else:
            kept.keep(relation)


def _relation_label(relation: RelationView) -> str:
    return f"{relation.source} {relation.type.value} {relation.target}"


def _instruction(relation: RelationView, kept: _AcceptedRelations, known: set[str]) -> str:
    """What to do: remove an exact duplicate and add it once."""
    drop = f"Drop the relation {_relation_label(relation)}."
    twice = any(
        _relation_label(other) == _relation_label(relation)
        for other in kept.beside[frozenset((relation.source, relation.target))]
    )
    if not twice:
        return drop
    return f"{drop} {_relation_label(relation)}." if relation.target in known else "Tell it once."


def _fault_of_ends(relation: RelationView, known: set[str]) -> str:
    if relation.source == relation.target:
        return f"{relation.source} relates to itself."
    # A stored concept is named by its title.
    unknown = [relation.source] if relation.source not in known else []
    unknown += [relation.target] if relation.target not in known and not relation.title else []
    return f"There is no concept {join_with_and(unknown)}." if unknown else ""


def _fault_beside(relation: RelationView, kept: _AcceptedRelations) -> str:
    """Why another relation of the same two concepts excludes this one."""
    kind = canonical_relation(relation).type
    for other in kept.beside[frozenset((relation.source, relation.target))]:
        if canonical_relation(other) == canonical_relation(relation):
            return f"{_relation_label(other)} and {_relation_label(relation)} say the same."
        kinds = {canonical_relation(other).type, kind}
        if RelationType.OPPOSES in kinds and kinds & _AGAINST_OPPOSES:
            return f"{_relation_label(other)} and {_relation_label(relation)} exclude each other."
        if kind is RelationType.RELATES_TO:
            return f"{_relation_label(other)} says more of the same two."
    return ""


def _cycle(relation: RelationView, kept: _AcceptedRelations) -> str:
    """Whether this relation closes a circle: nothing is part of its own part."""
    kind, source, target = canonical_relation(relation)
    way = _path(kept, kind, target, source) if kind in _ORDERED else ()
    return f"{kind.value} goes in a circle: {' → '.join((source, *way))}." if way else ""


def _path(kept: _AcceptedRelations, kind: RelationType, start: str, end: str) -> tuple[str, ...]:
    waiting: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    while waiting:
        way = waiting.pop()
        if way[-1] == end:
            return way
        following = [each for each in kept.onward[kind, way[-1]] if each not in seen]
        waiting.extend((*way, each) for each in following)
        seen.update(following)
    return ()


MIN_LANGUAGE_WORDS = 6
SURE_LANGUAGE = 0.95
MIN_STOP_WORD_LEAD = 2

_UNSPACED = {"ja", "zh", "th"}


def check_language(given: CritiqueInput) -> Iterator[Remark]:
    """The concepts in another language than the one given; names and loan words do not count."""
    wanted = given.language.replace("_", "-").split("-")[0].casefold()
    if wanted in ("", "und"):
        return
    for idea in given.concepts:
        found = {part: other for part, text in _parts(idea) if (other := _other_language(text, wanted))}
        if found:
            what = " and ".join(f"the {part}" for part in found)
            seems = " and ".join(dict.fromkeys(found.values()))
            message = f"{idea.key}: {what} should be in {wanted}, but seems to be in {seems}: write it in {wanted}."
            yield Remark(message=message, concepts=(idea.key,))


def _parts(idea: ConceptView) -> tuple[tuple[str, str], ...]:
    return (("title", idea.title), ("text", idea.concept))


def _other_language(text: str, wanted: str) -> str:
    """The language that a text is certainly in, if it is not the wanted one."""
    code, confidence = detect_language(text)
    if code == wanted:
        return ""
    if code in _UNSPACED:
        return code if confidence >= SURE_LANGUAGE else ""
    words = words_of(text)
    if len(words) < MIN_LANGUAGE_WORDS or code == "und" or confidence < SURE_LANGUAGE:
        return _by_small_words(words, wanted)
    # Related languages are distinguished by function words: the other must have more of them, if they are known.
    counts = count_stop_words(words, (code, wanted))
    return code if counts[code] > counts[wanted] or not stop_words(code) else ""


def _by_small_words(words: list[str], wanted: str) -> str:
    """The language of a short text, if another than the wanted one has clearly more of its function words."""
    signs = count_stop_words(words, LANGUAGES)
    if wanted not in signs:
        return ""
    best = max(signs, key=lambda code: signs[code])
    alone = all(signs[code] < signs[best] for code in signs if code != best)
    return best if alone and signs[best] >= signs[wanted] + MIN_STOP_WORD_LEAD else ""


def check_points(given: CritiqueInput, same: SameIdea) -> tuple[ChecklistPoint, ...]:
    """The six points, in their order; `same` says whether two concepts are one idea.

    Where code knows what to do, the remark's last sentence says so in words that refinement follows.
    """
    remarks: dict[PointName, tuple[Remark, ...]] = {
        "atomicity": tuple(check_atomicity(given)),
        "distinctness": tuple(check_distinctness(given, same)),
        "quote_coverage": tuple(check_quote_coverage(given)),
        "relation_accuracy": tuple(check_relation_accuracy(given)),
        "language": tuple(check_language(given)),
        "edge_cases": tuple(check_edge_cases(given)),
    }
    return tuple(ChecklistPoint(name=name, passes=not remarks[name], remarks=remarks[name]) for name in POINTS)


def join_points(
    code: tuple[ChecklistPoint, ...], told: tuple[ChecklistPoint, ...], given: CritiqueInput
) -> tuple[ChecklistPoint, ...]:
    """The six points as code and a model answer them together: a point passes only where both pass it.

    Code decides what the model leaves out; what it says twice is joined; unknown keys are dropped.
    """
    known = {idea.key for idea in given.concepts} | {quote.key for quote in given.quotes}
    return tuple(
        _joined(name, [*_of(name, code), *(_naming(point, known) for point in _of(name, told))]) for name in POINTS
    )


def _of(name: PointName, points: tuple[ChecklistPoint, ...]) -> list[ChecklistPoint]:
    return [point for point in points if point.name == name]


def _joined(name: PointName, points: list[ChecklistPoint]) -> ChecklistPoint:
    remarks = tuple(dict.fromkeys(remark for point in points for remark in point.remarks))
    return ChecklistPoint(name=name, passes=all(point.passes for point in points), remarks=remarks)


def _naming(point: ChecklistPoint, known: set[str]) -> ChecklistPoint:
    """A point of the model without unknown keys."""
    remarks = (
        remark.model_copy(
            update={
                "concepts": tuple(key for key in remark.concepts if key in known),
                "quotes": tuple(key for key in remark.quotes if key in known),
            }
        )
        for remark in point.remarks
    )
    return point.model_copy(update={"remarks": tuple(remarks)})
