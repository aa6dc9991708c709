"""Titles of English quotes come from their grammar: the noun phrase that carries the thought."""

from typing import Any

import pytest

from studium.concepts.rules.english_phrases import gerund


def titled(draft: Any, *quotes: str) -> dict[str, tuple[str, ...]]:
    return {each.title: tuple(support.quote for support in each.quotes) for each in draft(*quotes).concepts}


@pytest.mark.parametrize(
    ("quote", "title"),
    [
        # The subject, without its article, in the singular.
        (
            "The price of a promise is the freedom that you give up on the day on which you make it.",
            "Price of a promise",
        ),
        ("Rituals are older by far than the gods whom every village believes that it pleases by them.", "Ritual"),
        # With what it is of, in or to; the owner is left out.
        ("There is always some vanity in modesty.", "Vanity in modesty"),
        ("The health of your body depends upon the rhythm of your days.", "Health of body"),
        ("In every school that I have seen, the urge to punish was stronger than the lesson.", "Urge to punish"),
        # The object, if nobody in particular does it.
        ("In the end we only forgive ingratitude in people who were never able to thank us anyway.", "Ingratitude"),
        # What is done.
        ("To read slowly is to give a dead author an hour of one's own short life.", "Reading slowly"),
        (
            "I moved to the coast because I wished to work quietly, far from every office I had known.",
            "Working quietly",
        ),
        # Two things of which one is said of the other.
        ("Patience cannot replace courage.", "Patience and courage"),
        ("Envy and admiration are two names that one feeling goes by on two different days.", "Envy and admiration"),
        # What is defined, or given a name.
        ("A favour is anything that costs the giver less than it is worth to us.", "Favour"),
        ("This habit of looking for what agrees with us, psychologists call confirmation bias.", "Confirmation bias"),
        # `Most of the …` is no idea.
        ("Most of the comforts that we buy are nothing but a way of not being asked what we want.", "Comfort"),
    ],
)
def test_the_title_is_the_noun_phrase_that_the_quote_is_about(draft: Any, quote: str, title: str) -> None:
    assert list(titled(draft, quote)) == [title]


@pytest.mark.parametrize(
    "saying",
    ["We become what we repeatedly do", "The shoe is not the foot", "Some things are up to us and others not"],
)
def test_a_saying_that_no_noun_carries_stays_a_sentence(draft: Any, saying: str) -> None:
    assert list(titled(draft, f"{saying}.")) == [saying]


def test_two_quotes_about_one_idea_meet_under_its_name(draft: Any) -> None:
    assert titled(
        draft,
        "Solitude is not measured by the miles that lie between a man and the next village.",
        "People fear solitude, and so they never find out what they think.",
        "The ferry leaves at nine.",
    ) == {"Solitude": ("q1", "q2"), "The ferry leaves at nine": ("q3",)}


@pytest.mark.parametrize(
    ("verb", "form"), [("make", "making"), ("run", "running"), ("be", "being"), ("lie", "lying"), ("see", "seeing")]
)
def test_what_is_done_is_named_by_its_gerund(verb: str, form: str) -> None:
    assert gerund(verb) == form
