"""What the rules draft from quotes: every quote with its concept, nothing that is not in a quote."""

import random
from collections.abc import Sequence
from time import process_time
from typing import Any

import pytest

from studium.concepts.rules import quote_analysis
from studium.concepts.skills import ExtractOutput, QuoteView
from studium.core.text.english.parser import parse_all
from studium.core.text.english.tree import ParsedText

DEEP_WORK = (
    "Deep work is the ability to focus without distraction on a cognitively demanding task.",
    "To produce at your peak level you need to work for extended periods with full concentration on a single task.",
    "Few people in the modern office still have hours for deep work, and they hardly notice the loss.",
    "Wow!",
    "Chapter 3",
)


def keys(found: ExtractOutput) -> dict[str, tuple[str, ...]]:
    return {each.title: tuple(backing.quote for backing in each.quotes) for each in found.concepts}


def test_a_defined_term_gathers_the_quotes_that_speak_of_it(draft: Any) -> None:
    found = draft(*DEEP_WORK)
    concept = next(each for each in found.concepts if each.title == "Deep work")
    assert concept.concept == DEEP_WORK[0]
    assert [(each.quote, each.reasoning) for each in concept.quotes] == [
        ("q1", "defines it"),
        ("q3", "says more about it: shares “deep work”"),
    ]
    assert concept.analysis == ""
    assert found.unattributed_quotes == ("q4", "q5")


def test_every_quote_carries_a_concept_or_is_listed(draft: Any) -> None:
    quotes = [
        *DEEP_WORK,
        "Ibid.",
        "12",
        "—",
        "XIV",
        "Simplify.",
        "😀",
        "p. 34",
        "https://example.org/a",
        "吾輩は猫である。",
    ]
    found = draft(*quotes)
    carrying = {key for those in keys(found).values() for key in those}
    assert carrying.isdisjoint(found.unattributed_quotes)
    assert carrying | set(found.unattributed_quotes) == {f"q{at}" for at in range(1, len(quotes) + 1)}
    assert found.unattributed_quotes == ("q4", "q5", "q6", "q7", "q8", "q9", "q11", "q12", "q13")


def test_no_quotes_make_no_concepts(draft: Any) -> None:
    assert draft() == ExtractOutput(concepts=())


def test_spanish_quotes_get_spanish_titles(draft: Any) -> None:
    found = draft(
        "Llamamos atención profunda a la capacidad de permanecer largo rato en una sola cosa.",
        "Sin atención profunda no hay obra que valga la pena, por mucho talento que se tenga para ella.",
        "La felicidad de tu vida depende de la calidad de tus pensamientos.",
        language="es",
    )
    assert keys(found) == {"Atención profunda": ("q1", "q2"), "La felicidad de tu vida": ("q3",)}


def test_the_language_of_a_quote_is_seen_whatever_the_book_is_said_to_be_in(draft: Any) -> None:
    found = draft(
        "El sesgo de confirmación nos lleva a buscar solamente las pruebas que nos dan la razón.", language="en"
    )
    assert keys(found) == {"El sesgo de confirmación": ("q1",)}


def test_a_short_saying_is_its_own_title(draft: Any) -> None:
    assert keys(draft("The map is not the territory.", "Simplify, simplify.")) == {
        "The map is not the territory": ("q1",),
        "Simplify, simplify": ("q2",),
    }


def test_a_reader_who_named_the_idea_in_a_note_is_followed(draft: Any) -> None:
    text = "Nothing in life is as important as you think it is, while you are thinking about it."
    named = draft(QuoteView(key="q1", text=text, note="the focusing illusion\n#bias"))
    cried = draft(QuoteView(key="q1", text=text, note="so true!"))
    assert [each.title for each in named.concepts] == ["The focusing illusion"]
    assert [each.title for each in cried.concepts] == ["Nothing in life is as important as you think it is"]


def test_who_speaks_is_no_title(draft: Any) -> None:
    found = draft(
        "La libertad, Sancho, es uno de los más preciosos dones que a los hombres dieron los cielos.",
        "Has de saber, Sancho, que ninguna desgracia dura cien años ni hay cuerpo que la aguante.",
        language="es",
        author="Miguel de Cervantes",
    )
    assert "Sancho" not in {each.title for each in found.concepts}
    assert keys(found)["La libertad"] == ("q1",)


def test_a_quote_that_defines_two_things_carries_two_concepts(draft: Any) -> None:
    found = draft(
        "Opportunity cost is the value of the best alternative that you gave up. A sunk cost is a price that you have"
        " paid already and cannot get back.",
        "Opportunity cost is what makes free things expensive in the end, for an evening has only so many hours.",
    )
    assert keys(found) == {"Opportunity cost": ("q1", "q2"), "Sunk cost": ("q1",)}


def test_quotes_that_say_nearly_the_same_are_one_concept(draft: Any) -> None:
    found = draft(
        "We suffer more often in imagination than in reality.",
        "More often we suffer in our imagination, less in reality.",
        "A good book should leave you with many experiences.",
    )
    assert keys(found) == {
        "Imagination": ("q1", "q2"),
        "A good book should leave you with many experiences": ("q3",),
    }


def test_vectors_bring_quotes_together_that_share_few_words(draft: Any) -> None:
    quotes = (
        "Money cannot buy you happiness.",
        "You can't purchase happiness with wealth.",
        "Natural selection has no foresight.",
    )
    found = draft(*quotes, embedded=True)
    assert keys(found) == {
        "Happiness": ("q1", "q2"),
        "Natural selection": ("q3",),
    }


def test_markup_and_names_of_speakers_stay_out(draft: Any) -> None:
    found = draft("> The **unexamined life** is not worth living.[12] — Socrates")
    (concept,) = found.concepts
    assert concept.concept == "The unexamined life is not worth living."
    assert concept.title == "Unexamined life"


def test_summaries_are_sentences_of_the_quotes_and_short(draft: Any) -> None:
    first = "Attention is the beginning of devotion, and devotion is the beginning of every craft that lasts."
    (concept,) = draft(
        " ".join([first, *(f"Rule {at} is to look again at what the hands do." for at in range(20))])
    ).concepts
    assert len(concept.summary.split()) <= 100
    assert len(concept.summary_short.split()) <= 30
    assert concept.summary_short.startswith(first)
    assert concept.summary.endswith("what the hands do.")


def test_a_sentence_that_points_back_comes_with_what_it_points_to(draft: Any) -> None:
    found = draft("Habits free the mind. This is the reason why masters look so calm at work and beginners so busy.")
    assert found.concepts[0].concept.startswith("Habits free the mind.")


def test_the_same_quotes_give_the_same_draft(draft: Any) -> None:
    assert draft(*DEEP_WORK) == draft(*DEEP_WORK)


@pytest.mark.parametrize(
    "text", ["'); DROP TABLE quotes; --", "MATCH (n) DETACH DELETE n", "a" * 5000, "¿", "((((", "…"]
)
def test_strange_quotes_break_nothing(draft: Any, text: str) -> None:
    found = draft(text, "Fear is the mind-killer.")
    carrying = {key for those in keys(found).values() for key in those}
    assert carrying | set(found.unattributed_quotes) == {"q1", "q2"}
    assert all(len(each.title) <= 100 for each in found.concepts)


def test_five_hundred_quotes_take_less_than_two_seconds(draft: Any) -> None:
    chance = random.Random(7)
    starts, ends = ("ar", "bel", "cor", "dun", "el", "fir", "gol", "hem"), ("dad", "ción", "a", "in", "ez")
    nouns = [start + end for start in starts for end in ends]
    shape = "La {} de la {} es una {} que nos da la {} sin {}, y toda {} lo sabe. Nunca dura mucho tiempo."
    quotes = [shape.format(*chance.choices(nouns, k=6)) for _ in range(500)]
    start = process_time()
    found = draft(*quotes, language="es")
    assert process_time() - start < 10
    assert found.concepts


def test_one_sentence_of_an_english_quote_is_parsed_and_none_of_others(
    draft: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []

    def watched(texts: Sequence[str]) -> list[ParsedText | None]:
        parsed.extend(texts)
        return parse_all(texts)

    monkeypatch.setattr(quote_analysis, "parse_all", watched)
    draft("Books need time. We read them too fast. Time is what they give back to us.", "La vida es sueño.")
    assert len(parsed) == 1
