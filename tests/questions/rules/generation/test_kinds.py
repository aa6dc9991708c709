"""Cloze, multiple choice and true-or-false questions that the rules make from a document."""

import pytest

from studium.questions.skills import Candidate, Exhausted

HARBOUR = """\
# Skarn harbour

The harbour of Skarn was founded by Ida Brandt in 1871. The lighthouse of Skarn was built by Olaf Lund in 1874.
The fish market of Skarn was opened by Marta Holm in 1902. The shipyard of Skarn was closed by Erik Dahl in 1956.

The tide gauge measures the water level. The wind gauge measures the gusts on the pier. The rain gauge feeds the
records of the weather station. The steam gauge guards the boiler of the ferry.

The town hall of Skarn burned down in 1911. The weather station of Skarn moved to the pier in 1938.

The mail ferry carries 120 passengers to the island. The night ferry carries 80 cars to the mainland. The old pier has
95 moorings for yachts. The signal mast carries 60 flags for the harbour master.
"""


async def of_kind(ask, document, kind: str, **told) -> list[Candidate]:
    found: list[Candidate] = []
    while isinstance(
        made := await ask(document, kind=kind, asked=tuple(each.asks for each in found), **told), Candidate
    ):
        found.append(made)
    return found


async def test_a_cloze_is_the_sentence_with_its_answer_left_out(written, ask):
    clozes = {each.question: each for each in await of_kind(ask, written(HARBOUR), "cloze")}
    founder = clozes["The harbour of Skarn was founded by _____ in 1871."]
    assert (founder.answer, founder.expected) == ("Ida Brandt", "Ida Brandt")
    assert founder.asks == "Who founded the harbour of Skarn in 1871?"
    assert all(question.count("_____") == 1 for question in clozes)
    assert all(each.answer in each.quotes[0].replace("\n", " ") for each in clozes.values())


async def test_choices_are_of_the_type_of_the_answer_and_from_the_document(written, ask):
    chosen = {each.question: each for each in await of_kind(ask, written(HARBOUR), "multiple_choice")}
    founder = chosen["Who founded the harbour of Skarn in 1871?"]
    assert set(founder.choices) == {"Ida Brandt", "Olaf Lund", "Marta Holm", "Erik Dahl"}
    assert founder.answer == "Ida Brandt"
    year = next(each for each in chosen.values() if each.answer.isdigit() and len(each.answer) == 4)
    assert set(year.choices) < {"1871", "1874", "1902", "1911", "1938", "1956"}


async def test_the_order_of_the_choices_tells_nothing_and_never_changes(written, ask):
    first = await of_kind(ask, written(HARBOUR), "multiple_choice")
    again = await of_kind(ask, written(HARBOUR), "multiple_choice")
    assert [each.choices for each in first] == [each.choices for each in again]
    assert len({each.choices.index(each.answer) for each in first}) > 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The harbour of Skarn was founded by Ida Brandt in 1871.", "there are no other names"),
        (
            (
                "The harbour of Skarn was founded by Ida Brandt in 1871. Skarn was founded by Olaf Lund, some say. The"
                " old Skarn was founded by Marta Holm. The new Skarn was founded by Erik Dahl."
            ),
            "the others stand with the same predicate",
        ),
    ],
)
async def test_there_is_no_choice_without_three_wrong_answers(text, why, written, ask):
    found = await of_kind(ask, written(f"# Skarn\n\n{text}\n"), "multiple_choice")
    assert "Ida Brandt" not in {each.answer for each in found}, why


async def test_a_statement_is_the_sentence_or_the_same_with_a_wrong_answer(written, ask):
    document = written(HARBOUR)
    true = await of_kind(ask, document, "true_false", truth="true")
    false = await of_kind(ask, document, "true_false", truth="false")
    assert "True or false: The harbour of Skarn was founded by Ida Brandt in 1871." in {each.question for each in true}
    assert {each.answer for each in true} == {"True"}
    assert {each.answer for each in false} == {"False"}
    said = next(each for each in false if each.asks == "Who founded the harbour of Skarn in 1871?")
    assert "Ida Brandt" not in said.question
    assert any(name in said.question for name in ("Olaf Lund", "Marta Holm", "Erik Dahl"))


async def test_only_the_main_clause_is_stated(written, ask):
    text = (
        "However, the stone bridge of Skarn, which nobody likes, was designed by Ida Brandt in 1871. "
        "The lighthouse was designed by Olaf Lund. The shipyard was drawn by Marta Holm. Erik Dahl drew the market."
    )
    found = await of_kind(ask, written(f"# Bridges\n\n{text}\n"), "cloze")
    filled = {each.question.replace("_____", each.answer) for each in found}
    assert "The stone bridge of Skarn was designed by Ida Brandt in 1871." in filled


@pytest.mark.parametrize(
    "text",
    [
        "It was founded by Ida Brandt in 1871.",
        "This harbour was founded by Ida Brandt in 1871.",
        "Ida Brandt founded the harbour of Skarn with the father of Ida Brandt.",
        "Until that happens the harbour of Skarn is led by Ida Brandt.",
        "In the same year the harbour of Skarn was founded by Ida Brandt.",
        "In Skarn, it was founded by Ida Brandt in 1871.",
        "Two years later, the harbour of Skarn was founded by Ida Brandt.",
        "The harbour of foo was founded by Ida Brandt in 1871.",
        "The harbour of Skarn was not founded by Ida Brandt.",
    ],
)
async def test_what_is_not_understood_by_itself_is_no_cloze(text, written, ask):
    assert await of_kind(ask, written(f"# Skarn\n\n{text}\n"), "cloze") == []


async def test_a_path_with_a_point_keeps_its_space(written, ask):
    text = "The index of the repository is stored in the .skarn directory. The hooks are kept in the .bergen directory."
    found = await of_kind(ask, written(f"# Storage of the index\n\n{text}\n"), "true_false") + await of_kind(
        ask, written(f"# Storage of the index\n\n{text}\n"), "cloze"
    )
    assert not any("the.skarn" in each.question or "the.skarn" in each.asks for each in found)


async def test_a_unit_does_not_give_the_value_away(written, ask):
    rows = "".join(f"| {star} | {share} |\n" for star, share in zip("ABCDE", ("9%", "14", "8", "1", "43"), strict=True))
    table = f"# Stars\n\n| star | share |\n|---|---|\n{rows}"
    found = await of_kind(ask, written(table), "multiple_choice")
    assert not any("9%" in each.choices for each in found)


async def test_values_of_a_table_are_choices_in_every_language(written, ask):
    table = (
        "| Stern | Helligkeit |\n|---|---|\n| Sirius | -1,46 |\n| Wega | 0,03 |\n| Rigel | 0,13 |\n| Deneb | 1,25 |\n"
    )
    found = await of_kind(ask, written(f"# Sterne\n\n{table}"), "multiple_choice", language="de")
    assert all(set(each.choices) <= {"-1,46", "0,03", "0,13", "1,25"} for each in found)
    prose = "Der Hafen von Skarn wurde 1871 von Ida Brandt gegründet."
    assert await of_kind(ask, written(prose), "cloze", language="de") == []


@pytest.mark.parametrize("kind", ["multi_hop", "reasoning", "comparison", "unanswerable"])
async def test_the_rules_leave_some_kinds_to_models(kind, written, ask):
    assert isinstance(await ask(written(HARBOUR), kind=kind), Exhausted)


async def test_length_and_difficulty_are_preferred(written, ask):
    document = written(HARBOUR)
    short = await ask(document, length="short")
    assert len(short.question.split()) < 9
    hard, easy = [await ask(document, difficulty=wanted) for wanted in ("medium", "easy")]
    assert hard.question != easy.question


async def test_a_scenario_steers_which_facts_come_first(written, ask):
    text = (
        "# Skarn\n\nThe harbour of Skarn was founded by Ida Brandt in 1871. The old pier was closed because the storm"
        " of 1902 had broken its piles.\n"
    )
    why = await ask(written(text), scenario="Questions that ask why, about reasons and causes.")
    who = await ask(written(text), scenario="Questions about the names of people.")
    assert why.question.startswith("Why")
    assert who.question.startswith("Who")
