"""The validator of the rules sees a question alone, and answers it from the document."""

import time

import pytest

from studium.questions.candidates import judge_candidate
from studium.questions.rules.comparison.answers import same_answer
from studium.questions.state import CurrentCandidate


async def judged(readers, case):
    validated = await readers[case["document"]].ask(case["question"])
    candidate = CurrentCandidate(question=case["question"], answer=case["answer"], evidence=())
    return judge_candidate(candidate, validated)


async def test_the_validator_confirms_most_correct_answers_and_hardly_any_others(readers, cases):
    confirmed = [case for case in cases if await judged(readers, case) is None]
    correct = [case for case in confirmed if case["verdict"] == "correct"]
    assert len(correct) / len(confirmed) >= 0.98
    assert len(correct) / sum(case["verdict"] == "correct" for case in cases) >= 0.85


async def test_every_answer_has_a_quote_from_the_document(readers, cases):
    for case in cases:
        reader = readers[case["document"]]
        validated = await reader.ask(case["question"])
        assert bool(validated.quotes) == validated.answerable or validated.trivial
        assert all(reader.document.locate(quote) for quote in validated.quotes), case["question"]


async def test_questions_of_every_kind_are_answered(readers, subtests):
    cases = [
        ("protocol.md", "What is a beacon?", "a frame that announces a switch to its neighbours"),
        ("protocol.md", "What does LNP stand for?", "Lantern Neighbour Protocol"),
        ("protocol.md", "How often are beacons sent on radio links?", "every 20 seconds"),
        ("protocol.md", "What is the range of the flush timer?", "30–600 s"),
        ("protocol.md", "Which timer has a default of 90 s?", "Flush timer"),
        ("protocol.md", "Which four states does a session pass through?", "Idle, Probing, Joined and Closed"),
        ("protocol.md", "When is the anchor elected?", "when the segment starts"),
        ("lighthouse.md", "When was the foundation stone laid?", "4 May 1862"),
        ("lighthouse.md", "Who runs the museum?", "Ingrid Pell"),
        ("lighthouse.md", "Where does the Gull Rock lie?", "south of the tower"),
        ("lighthouse.md", "How often does the fog signal sound?", "every 90 seconds"),
        ("creatures.md", "How many hit points does the Bog Witch have?", "66 (12d8 + 12)"),
        ("opinion.md", "Why did the town close Mill Street?", "to replace a sewer"),
        ("ebike.md", "What is the maximum load of the Corvo X2 Long?", "180 kg"),
        ("brücke.md", "Wie breit ist die Brücke?", "3,5 Meter"),
        ("puerto.md", "¿Cuánto cuesta la entrada para niños?", "2 euros"),
        ("verre.md", "Quelle est la masse de la carafe ?", "900 g"),
        ("mayak.md", "Что такое ревун?", "прибор, который подаёт звуковой сигнал в тумане"),
        ("tetsudo.md", "滝口の標高は何ですか？", "655メートル"),
    ]
    for document, question, answer in cases:
        with subtests.test(document=document, question=question, answer=answer):
            validated = await readers[document].ask(question)
            assert validated.answerable
            assert not validated.ambiguous
            assert same_answer(answer, validated.answer), validated.answer


async def test_what_the_document_does_not_mention_is_named(readers, subtests):
    cases = [
        ("lighthouse.md", "What is the melting point of the electric lamp?", "melt"),
        ("protocol.md", "What is the default of the sleep timer?", "sleep"),
        ("creatures.md", "What is the armor class of the Fen Troll?", "troll"),
        ("town.md", "Who painted the station?", "paint"),
    ]
    for document, question, missing in cases:
        with subtests.test(document=document, question=question, missing=missing):
            validated = await readers[document].ask(question)
            assert not validated.answerable
            assert missing in validated.detail


async def test_two_values_that_fit_equally_make_a_question_ambiguous(readers, subtests):
    cases = [
        ("lighthouse.md", "How long does the crossing take?"),
        ("protocol.md", "How often are beacons sent?"),
        ("creatures.md", "What is the Armor Class?"),
    ]
    for document, question in cases:
        with subtests.test(document=document, question=question):
            validated = await readers[document].ask(question)
            assert validated.ambiguous
            assert "The document says" in validated.detail


async def test_what_needs_no_document_is_trivial(readers, subtests):
    cases = [
        "How many days are there in a week?",
        "What is 12 + 30?",
        "Wie viele Minuten hat eine Stunde?",
    ]
    for question in cases:
        with subtests.test(question=question):
            assert (await readers["lighthouse.md"].ask(question)).trivial


async def test_what_a_line_denies_is_answered_with_no(readers):
    assert (await readers["protocol.md"].ask("Does LNP encrypt its beacons?")).answer == "No"


async def test_what_a_line_states_is_answered_with_yes(readers):
    validated = await readers["lighthouse.md"].ask("Is Skerry Light a granite lighthouse on the island of Vardo?")
    assert (validated.answer, validated.trivial) == ("Yes", False)


async def test_a_date_that_belongs_to_another_subject_is_not_taken(readers):
    assert not (await readers["town.md"].ask("When did the line to Hexby close?")).answerable


async def test_a_name_is_not_taken_for_another_name_with_the_same_start(written):
    reader = written(
        "# HARROWGATE KITES LTD.\n\nHarrowgate Kites makes sport kites. The inventor named in the patent is Leonie"
        " Harrow. The Harrow Prize was won by Harrowgate's engineers in 1998.\n"
    )
    asked = "who is the inventor named in the patent?"
    assert (await reader.ask(f"According to “HARROWGATE KITES LTD.”, {asked}")).answer == "Leonie Harrow"
    assert (await reader.ask(f"According to “Harrowgate's kites”, {asked}")).answer == "Leonie Harrow"
    assert not (await reader.ask("What does Harrow make?")).answerable
    assert (await reader.ask("When was the Harrow Prize won by the engineers of Harrowgate?")).answer == "1998"


async def test_instructions_in_the_document_change_nothing(readers):
    validated = await readers["protocol.md"].ask("What is the maximum frame size?")
    assert validated.answer == "1,280 bytes"
    assert "42" not in validated.answer


@pytest.mark.parametrize("text", [" \n.\n", "# Only a title\n", "| a |\n|---|\n"])
@pytest.mark.parametrize("question", ["What is OSPF?", "Why?", "???", "How many are there?", "何ですか"])
async def test_an_empty_document_answers_no_question(written, text, question):
    assert not (await written(text).ask(question)).answerable


async def test_the_heading_says_whose_value_it_is(written):
    reader = written("# Pumps\n\n## Model A\n\nFlow rate: 12 l/min\n\n## Model B\n\nFlow rate: 30 l/min\n")
    assert (await reader.ask("What is the flow rate of Model B?")).answer == "30 l/min"
    assert (await reader.ask("What is the flow rate?")).ambiguous


async def test_a_table_without_row_names_belongs_to_its_heading(written):
    reader = written(
        "## Stone Imp\n\n| STR | DEX |\n|---|---|\n| 8 | 14 |\n\n## Ash Imp\n\n| STR | DEX |\n|---|---|\n| 11 | 9 |\n"
    )
    assert (await reader.ask("What is the DEX of the Ash Imp?")).answer == "9"


async def test_a_long_document_is_read_once_and_then_answers_at_once(written):
    facts = (f"Pump {n} was built in {1800 + n % 200} and weighs {n % 90 + 10} kg." for n in range(4000))
    reader = written("\n\n".join(f"## Pump {n}\n\n{fact}" for n, fact in enumerate(facts)))
    assert (await reader.ask("How much does Pump 3127 weigh?")).answer == "77 kg"
    started = time.perf_counter()
    assert (await reader.ask("In which year was Pump 2040 built?")).answer == "1840"
    assert time.perf_counter() - started < 15
