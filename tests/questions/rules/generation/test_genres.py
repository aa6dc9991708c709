"""What is asked about documents of different kinds, and what is not."""

import re

POINTERS = re.compile(r"\b(?:it|this|that|these|those|he|she|they|you|we)\b", re.IGNORECASE)


async def test_a_specification_is_asked_about_its_terms_timers_and_demands(answers):
    asked = await answers("specification.txt")

    assert asked["What does TTP stand for?"] == "Tidewater Transfer Protocol"
    assert asked["What is a beacon?"] == "a message that announces a station to its neighbours"
    assert asked["Which limit must be set to 7?"] == "The hop limit of a TTP beacon"
    assert asked["What is the default retry interval?"] == "12 seconds"
    assert asked["What does a TTP header consist of?"] == "a version, a length, and a checksum"


async def test_instructions_to_the_reader_are_not_facts(answers):
    asked = await answers("specification.txt")

    told = " ".join([*asked, *asked.values()])
    assert not re.search(r"Nessie|monster|tyrant|assistant|helpful|Station Nine|longest|nobody|system", told)


async def test_an_opinion_is_asked_about_dates_names_and_places(answers):
    asked = await answers("opinion.md")

    assert asked["When did the district court grant summary judgment?"] == "on March 3, 2011"
    assert asked["Who founded Wexford Looms in 1953?"] == "Aoife Doyle"
    assert asked["Where is Wexford Looms headquartered?"] == "in Rosslare, Ireland"


async def test_a_stat_block_is_asked_about_by_its_labels(answers):
    asked = await answers("creature.md")

    assert asked["What is the Armor Class of the Bog Lantern?"] == "13 (natural armor)"
    assert asked["What is the Armor Class of Reed Hag?"] == "15"
    assert asked["What are the Hit Points of the Bog Lantern?"] == "22 (5d6 + 5)"
    assert asked["What is the speed of the Bog Lantern?"] == "0 ft., fly 40 ft."
    assert asked["What is the DEX of the Bog Lantern?"] == "17 (+3)"
    assert asked["What is the challenge of the Bog Lantern?"] == "2 (450 XP)"
    assert not any("Note" in question for question in asked)


async def test_an_article_is_asked_about_what_who_when_where_and_how_much(answers):
    asked = await answers("encyclopedia.md")

    assert asked["What is Mount Tarn?"] == "a dormant volcano on the island of Sulva"
    assert asked["In which year was Mount Tarn first climbed?"] == "1888"
    assert asked["How high is Mount Tarn?"] == "2,914 metres"
    assert asked["Who was Ida Brandt?"] == "a Danish geologist who mapped the island"
    assert asked["Where was Ida Brandt born on 4 May 1851?"] == "in Aarhus"
    assert asked["In which year did Ida Brandt discover tarnite?"] == "1879"
    assert asked["What is the largest village on Sulva?"] == "Kessock"
    assert asked["What is Basalt used for?"] == "to pave the roads of Sulva"


async def test_a_question_with_two_answers_in_the_document_is_not_asked(answers):
    assert "What is tarnite?" not in await answers("encyclopedia.md")


async def test_a_data_sheet_is_asked_about_under_the_name_of_the_product(answers):
    asked = await answers("manual.md")

    assert asked == {
        "What is the weight of Kestrel 40 Lathe?": "48 kg",
        "What is the motor of Kestrel 40 Lathe?": "750 W",
        "What is the colour of Kestrel 40 Lathe?": "Grey",
        "What is the swing of Kestrel 40 Lathe?": "400 mm",
        "What is the warranty of Kestrel 40 Lathe?": "5 years",
        "What is the spindle speed of gear 1?": "210 rpm",
        "What is the spindle speed of gear 2?": "480 rpm",
        "What is the spindle speed of gear 3?": "1,150 rpm",
    }


async def test_tables_are_asked_about_by_row_and_column(answers):
    asked = await answers("report.md")

    assert asked == {
        "According to “Catches”, how many boats were there in 1990?": "41",
        "According to “Catches”, what was the catch (tons) in 1990?": "1,210",
        "According to “Catches”, who was the harbour master in 1990?": "Una Crewe",
        "According to “Catches”, how many boats were there in 2000?": "38",
        "According to “Catches”, what was the catch (tons) in 2000?": "1,090",
        "According to “Catches”, who was the harbour master in 2000?": "Piers Lode",
        "What is the depth of the port Kessock?": "9 m",
        "When was the port Kessock founded?": "1744",
        "What is the meaning of code 10?": "fishing boat",
        "What is the meaning of code 20?": "ferry",
    }


async def test_german_is_asked_about_in_german(answers):
    assert await answers("bericht.md") == {
        "Was ist Sulva?": "eine Insel im Nordmeer",
        "Was ist der Tarn?": "ein Vulkan, der seit 1911 ruht",
        "Wie viele Dörfer hat Sulva?": "14 Dörfer",
        "Wie viel beträgt die Länge der Insel?": "38 Kilometer",
        "Wann wurde die Sternwarte Kessock gegründet?": "1934",
        "Wofür steht die Abkürzung NGG?": "Nordische Geologische Gesellschaft",
        "Was ist für „Kessock“ unter „Einwohner“ angegeben?": "812",
        "Was ist für „Kessock“ unter „Höhe“ angegeben?": "14 m",
        "Was ist für „Loup“ unter „Einwohner“ angegeben?": "95",
        "Was ist für „Loup“ unter „Höhe“ angegeben?": "230 m",
        "Was sind die drei Häfen der Insel?": "Kessock, Loup, Port Ansel",
    }


async def test_spanish_is_asked_about_in_spanish(answers):
    assert await answers("articulo.md") == {
        "¿Qué es Sulva?": "una isla del mar del Norte",
        "¿Qué es el monte Tarn?": "un volcán dormido",
        "¿Cuál es la capital de Sulva?": "Kessock",
        "¿En qué año fue construido el faro de Kessock?": "1902",
        "¿Cuántas aldeas tiene Sulva?": "14 aldeas",
        "¿Qué se indica en «Superficie» para «La isla de Sulva»?": "410 km²",
        "¿Qué se indica en «Población» para «La isla de Sulva»?": "2.300",
    }


async def test_no_question_refers_to_text_elsewhere(answers, genre):
    asked = await answers(genre)

    assert asked
    assert not [question for question in asked if POINTERS.search(question)]
