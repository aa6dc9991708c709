"""However cards are shuffled among notes, each keeps its id, and none is used twice."""

from hypothesis import given, settings
from hypothesis import strategies as st

from studium.cards.models import CardSource
from studium.cards.sync.match import KnownCard, content_key, front_key, match_cards
from studium.cards.sync.similarity import best_assignment

WORD = st.sampled_from(
    [
        "what",
        "is",
        "the",
        "cost",
        "of",
        "a",
        "link",
        "route",
        "area",
        "packet",
        "why",
        "how",
        "does",
        "it",
        "drop",
        "send",
    ]
)
TEXT = st.lists(WORD, max_size=6).map(" ".join)
PATH = st.sampled_from(["a.md", "b.md", "x/a.md", "y/c.md"])
SOURCE = st.builds(
    CardSource, kind=st.just("basic"), syntax=st.just("q"), front=TEXT, back=TEXT, line=st.just(1), end_line=st.just(1)
)
PLACED = st.lists(st.tuples(PATH, SOURCE), max_size=12)


def known_from(placed):
    return [
        KnownCard(f"id{at}", at, path, at, front_key(each.front), content_key(each), each.front, each.back)
        for at, (path, each) in enumerate(placed)
    ]


@given(PLACED, st.data())
@settings(max_examples=200)
def test_what_did_not_change_keeps_its_id_wherever_it_goes(placed, data):
    placed = list({content_key(each): (path, each) for path, each in placed}.values())
    known = known_from(placed)
    order = data.draw(st.permutations(range(len(placed))))
    paths = data.draw(st.lists(PATH, min_size=len(placed), max_size=len(placed)))
    matching = match_cards([(path, placed[at][1]) for at, path in zip(order, paths, strict=True)], known)
    assert matching.card_ids == [f"id{at}" for at in order]
    assert not matching.missing
    assert not matching.findings


@given(PLACED, PLACED)
@settings(max_examples=200)
def test_each_known_card_is_used_once_or_accounted_for(before, after):
    known = known_from(before)
    matching = match_cards(after, known)
    used = [card_id for card_id in matching.card_ids if card_id]
    left = [card.card_id for card in (*matching.missing, *matching.contested)]
    assert sorted(used + left) == sorted(card.card_id for card in known)
    assert [how == "new" for how in matching.how] == [card_id is None for card_id in matching.card_ids]
    assert bool(matching.contested) <= bool(matching.findings)


@given(st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.floats(0.1, 1), max_size=14))
def test_no_other_pairing_is_worth_more(scores):
    def best(pairs):
        if not pairs:
            return 0.0
        (left, right), *others = pairs
        free = [pair for pair in others if pair[0] != left and pair[1] != right]
        return max(scores[left, right] + best(free), best(others))

    chosen = best_assignment(scores)
    assert len({left for left, _ in chosen}) == len({right for _, right in chosen}) == len(chosen)
    assert abs(sum(scores[pair] for pair in chosen) - best(list(scores))) < 1e-9


def test_very_many_are_paired_by_the_highest_score():
    scores = {(left, right): 1 / (1 + abs(left - right)) for left in range(150) for right in range(left - 1, left + 2)}
    assert sorted(best_assignment(scores)) == [(at, at) for at in range(150)]
