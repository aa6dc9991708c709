"""What is asked about an English sentence, and which part of it is the answer."""

import pytest

from studium.core.text.english.parser import parse
from studium.questions.rules.generation.english_questions import english_questions
from studium.questions.rules.generation.naturalness import is_natural
from studium.questions.rules.generation.ranking import Topics, is_source

ASKED = {
    "Photosynthesis is the process by which green plants turn light into chemical energy.": (
        "What is photosynthesis?",
        "the process by which green plants turn light into chemical energy",
    ),
    "The largest village on Sulva is Kessock.": ("What is the largest village on Sulva?", "Kessock"),
    "The purpose of the Weavers' Guild is to train young weavers.": (
        "What is the purpose of the Weavers' Guild?",
        "to train young weavers",
    ),
    "The mail filter is switched off by default because most sites have their own.": (
        "Why is the mail filter switched off by default?",
        "because most sites have their own",
    ),
    "Weavers soak silk yarn overnight to make it supple.": (
        "Why do weavers soak silk yarn overnight?",
        "to make it supple",
    ),
    "The lime kiln is used to burn oyster shells.": ("What is the lime kiln used for?", "to burn oyster shells"),
    "The harbour pilots guide ships by reading the colour of the water.": (
        "How do the harbour pilots guide ships?",
        "by reading the colour of the water",
    ),
    "To list the installed packages, run the inventory command.": (
        "How can you list the installed packages?",
        "Run the inventory command",
    ),
    "If the steam boiler overheats, the safety valve opens.": (
        "What happens if the steam boiler overheats?",
        "the safety valve opens",
    ),
    "In 1911, the Tarn volcano erupted.": ("In which year did the Tarn volcano erupt?", "1911"),
    "A class object is created when the class definition ends.": (
        "When is a class object created?",
        "when the class definition ends",
    ),
    "The log files of the mail server are kept in /var/log/mail.": (
        "Where are the log files of the mail server kept?",
        "in /var/log/mail",
    ),
    "Licensed pilots must report every grounding within an hour.": (
        "What must licensed pilots do?",
        "report every grounding within an hour",
    ),
    "The appeals court held that the lien was void.": ("What did the appeals court hold?", "that the lien was void"),
    "The Larch router has twelve ports.": ("How many ports does the Larch router have?", "twelve ports"),
    "A control file contains the name of the package.": (
        "What does a control file contain?",
        "the name of the package",
    ),
    "A tide table consists of dates and heights.": ("What does a tide table consist of?", "dates and heights"),
    "The udev daemon creates the device nodes.": ("Which daemon creates the device nodes?", "The udev daemon"),
    "The Debian project was founded by Ian Murdock in 1993.": (
        "Who founded the Debian project in 1993?",
        "Ian Murdock",
    ),
    "Mount Tarn is 2,914 metres high.": ("How high is Mount Tarn?", "2,914 metres"),
    "On idle links, beacons are sent every 45 seconds.": (
        "How often are beacons sent on idle links?",
        "every 45 seconds",
    ),
    "Born and raised in Oslo, Ida Brandt moved to Aarhus in 1926.": (
        "In which year did Ida Brandt move to Aarhus?",
        "1926",
    ),
    "Oak barrels hold a load of 40 kilograms, whereas pine barrels hold less.": (
        "What do oak barrels hold?",
        "a load of 40 kilograms",
    ),
    "Many modern CPU designs allow the mapping of memory pages.": (
        "What do many modern CPU designs allow?",
        "the mapping of memory pages",
    ),
    "Packages are removed due to open bugs, absent maintainers or poor quality.": (
        "Why are packages removed?",
        "due to open bugs, absent maintainers or poor quality",
    ),
    "The tide tables of Aarhus are printed by the harbour office.": (
        "What prints the tide tables of Aarhus?",
        "the harbour office",
    ),
    "Further lower layers can now be given using a colon.": (
        "How can further lower layers be given?",
        "using a colon",
    ),
    "Ida Brandt was the third president of the harbour union.": (
        "Who was Ida Brandt?",
        "the third president of the harbour union",
    ),
    "The harbour union is an old association and runs four lighthouses.": (
        "What is the harbour union?",
        "an old association",
    ),
    "The harbour lantern must be mounted by a licensed electrician.": (
        "Who must mount the harbour lantern?",
        "a licensed electrician",
    ),
    "The Sulva gates are watched by Captain Yelva Thorn.": ("Who watches the Sulva gates?", "Captain Yelva Thorn"),
    "The harbour office doesn\u2019t print tide tables because most sailors own a clock.": (
        "Why does the harbour office not print tide tables?",
        "because most sailors own a clock",
    ),
    "Ida Brandt, a Danish geologist, discovered tarnite.": ("Who was Ida Brandt?", "a Danish geologist"),
    "The harbour office prints the tide tables and publishes the pilot guide every spring.": (
        "What does the harbour office publish every spring?",
        "the pilot guide",
    ),
    "The grey herons of Sulva live for up to 11 years in captivity.": (
        "How long do the grey herons of Sulva live?",
        "up to 11 years in captivity",
    ),
    "Tarnite has a melting point of 1210 degrees.": ("What is the melting point of Tarnite?", "1210 degrees"),
}


def asked_about(text):
    tree = parse(text)
    topics = Topics((text,), ())
    drafts = list(english_questions(tree))
    return {draft.question: draft.answer for draft in drafts if is_natural(draft, tree, parse(draft.question), topics)}


@pytest.mark.parametrize("text", ASKED)
def test_a_part_of_the_sentence_is_asked_for(text):
    question, answer = ASKED[text]
    assert asked_about(text).get(question) == answer, asked_about(text)


@pytest.mark.parametrize(
    "text",
    [
        "This makes it much faster.",
        "They were installed there last year.",
        "The following table shows its values.",
        "We describe our approach below.",
        "It depends on the other one.",
    ],
)
def test_what_is_not_understood_on_its_own_is_not_asked(text):
    assert asked_about(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "No harbour town is simply the sum of its piers.",
        "The Harbour Fund is an IRS 501(c)(3) organization based in Boston.",
        "The harbour services runs as a daemon on the machine.",
    ],
)
def test_a_negated_subject_a_cut_name_and_bad_grammar_are_not_asked_about(text):
    assert asked_about(text) == {}


def test_words_that_lead_over_from_before_are_left_out():
    asked = asked_about("However, the royal mint also produces silver coins.")
    assert asked["What does the royal mint produce?"] == "silver coins"


def test_a_verb_whose_base_form_is_a_guess_is_not_asked_with():
    asked = asked_about("Ida Brandt convened the Sulva Convention in 1786.")
    assert not any("conven " in question for question in asked), asked
    assert "In which year did Ida Brandt open the Sulva Convention?" in asked_about(
        "Ida Brandt opened the Sulva Convention in 1786."
    )


def test_first_is_kept_where_it_says_when():
    assert "In which year was Mount Tarn first climbed?" in asked_about("Mount Tarn was first climbed in 1888.")


def test_what_is_in_brackets_or_only_added_is_no_part_of_the_answer():
    asked = asked_about("The harbour office publishes the tide register (a bound book), which nobody reads.")
    assert "the tide register" in asked.values()


@pytest.mark.parametrize(
    "text",
    [
        "for (int i = 0; i < 10; i++) { total += i; }",
        "See section 4.2 for the details of the algorithm.",
        "Copyright 1998 by the authors of this manual.",
        "Chapter 3. Installing the system",
        "Visit https://example.org for the newest release of the tool.",
        "MUST BE READ BY ALL USERS OF THE NEW SYSTEM.",
    ],
)
def test_code_references_and_notices_are_no_source(text):
    assert not is_source(text)
