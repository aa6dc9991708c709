"""Which question comes next: of the part that was asked about least, never one that was asked before."""

import time

from studium.questions.skills import Candidate, Exhausted

CHAPTERS = "\n\n".join(
    f"# Chapter {number}\n\nThe Larch {number} router has {number + 10} ports."
    f" Station {number} was opened in {1900 + number}."
    for number in range(1, 11)
)


async def test_the_question_is_about_the_lines_in_focus(written, ask):
    document = written(CHAPTERS)

    middle = await ask(document, focus_start=17, focus_end=20)

    assert "5" in middle.question
    assert middle.answer in ("15 ports", "1905")


async def test_questions_spread_over_the_document(written, ask):
    document = written(CHAPTERS)
    chapters = set()
    for part in range(10):
        start = 1 + part * 4
        chapters.add((await ask(document, focus_start=start, focus_end=start + 3)).quotes)

    assert len(chapters) == 10


async def test_a_question_is_not_asked_again_in_other_words(written, ask_all, ask):
    document = written("The Larch router of the old mill has 12 ports.\n")

    assert await ask_all(document)
    again = await ask(document, asked=("how many PORTS does the larch router of the old mill have",))

    assert isinstance(again, Exhausted)


async def test_kinds_take_turns(written, ask_all):
    rows = "\n".join(f"| Port {number} | {number} m |" for number in range(2, 9))
    document = written(
        f"| Name | Depth |\n|---|---|\n{rows}\n\nA quay is a stone wall that protects ships from the sea.\n"
        "Pilots guide ships into a port because they know its depths.\n"
    )

    first = [each.question for each in (await ask_all(document, focus_end=20))[:3]]

    assert sum("depth" in question for question in first) < 3


async def test_the_same_document_is_asked_the_same(written, ask_all):
    document = written(CHAPTERS)

    assert await ask_all(document) == await ask_all(document)


async def test_an_exhausted_document_says_what_was_looked_for(written, ask):
    nothing = await ask(written("It rained. Go home.\n"))

    assert isinstance(nothing, Exhausted)
    assert "nothing to ask" in nothing.reason
    assert "definitions" in nothing.reason
    assert "tables" in nothing.reason


async def test_in_a_language_without_rules_tables_and_labels_are_asked_about(written, ask_all, ask):
    document = written("# Sulva\n\nPinta-ala: 410 km²\nVäkiluku: 2 300\n\nSulva on saari Pohjanmerellä.\n")

    found = {each.question: each.answer for each in await ask_all(document, language="fi")}
    after = await ask(document, language="fi", asked=tuple(found))

    assert found == {"“Sulva” → “Pinta-ala”: ?": "410 km²", "“Sulva” → “Väkiluku”: ?": "2 300"}
    assert "`fi`" in after.reason


async def test_japanese_and_chinese_are_asked_about_in_their_language(written, ask_all):
    japanese = written("光合成とは、植物が光で養分を作る反応である。富士山の標高は3776メートルです。これは山である。\n")
    assert {each.question: each.answer for each in await ask_all(japanese, language="ja")} == {
        "光合成とは何ですか。": "植物が光で養分を作る反応",
        "富士山の標高はどのくらいですか。": "3776メートル",
    }

    chinese = written("光合作用是植物利用光能制造养分的过程。法国的首都是巴黎。它是一座城市。\n")
    assert {each.question: each.answer for each in await ask_all(chinese, language="zh")} == {
        "什么是光合作用？": "植物利用光能制造养分的过程",
        "法国的首都是什么？": "巴黎",
    }


async def test_french_and_russian_are_asked_about_in_their_language(written, ask_all):
    french = written(
        "Un phare est une tour qui guide les navires. Paris compte 20 arrondissements. Il est une ville.\n"
    )
    assert {each.question: each.answer for each in await ask_all(french, language="fr")} == {
        "Qu’est-ce qu’un phare ?": "une tour qui guide les navires",
        "Combien d’arrondissements compte Paris ?": "20 arrondissements",
    }

    russian = written("Маяк — это башня, которая светит кораблям. Московский университет был основан в 1755 году.\n")
    assert {each.question: each.answer for each in await ask_all(russian, language="ru")} == {
        "Что такое Маяк?": "башня, которая светит кораблям",
        "Когда был основан Московский университет?": "в 1755 году",
    }


async def test_a_long_document_is_read_once(written, ask):
    document = written("\n\n".join(f"{CHAPTERS} Volume {volume} ends." for volume in range(300)))
    first = await ask(document)
    begin = time.process_time()
    second = await ask(document, asked=(first.question,))
    taken = time.process_time() - begin

    assert isinstance(second, Candidate)
    assert taken < 10
