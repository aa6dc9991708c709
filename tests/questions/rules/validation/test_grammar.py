"""Questions of every kind about sentences: the right answer is confirmed, a wrong one of the same kind is not."""

import pytest

from studium.questions.candidates import judge_candidate
from studium.questions.rules.parsed_document import parse_document
from studium.questions.rules.validation.validate import answer_question
from studium.questions.state import CurrentCandidate

HANDBOOK = """\
# Greywater Server Handbook

The session middleware is activated by default because most sites need it. A control file contains the name,
the version and the maintainer of a package. The csrf_exempt decorator disables the protection for a single
view. Log files are placed in /var/log, which is rotated every week. To list the installed packages, run apt
list --installed. You can also remove a package by running apt purge.

Maintainers must answer within a week if a release-critical bug is reported. If the disk is full, the backup
job stops and an alarm is raised. The District Court held that the contract was void. The Tarn pipeline has
four stages (fetch, build, test and ship). The lock file is used to prevent two writers at the same time. A
quorum is the smallest number of members that can take a decision, which the statutes define.

The Greywater project was founded by Petra Lindqvist, a retired engineer, in March 2009. The nightly job
starts when the last user has logged out. Access tokens expire after thirty minutes. The archive, which grew
quickly, is mirrored by Oslo University (Norway). The cache stores rendered templates so that pages load
faster. Users should not share their keys. The scheduler cannot run two jobs at once. Version 3 requires at
least 512 MB of memory. The pump is cleaned twice a year. Bees are the main pollinators of the orchard because
they fly in cold weather, too. The committee meets in the old town hall on the first Monday of each month. The
valve is opened by turning the red wheel clockwise. Nurses recorded the dose of each patient in a paper diary.
A relay is an electrically operated switch. The treaty ended the war between Arland and Voss. The museum is
closed on public holidays. Water boils at 93 degrees at this altitude.
"""

# The question, what the document answers, and what it does not say.
CASES = [
    ("Why is the session middleware activated by default?", "because most sites need it", "because few sites need it"),
    (
        "What does a control file contain?",
        "the name, the version and the maintainer of a package",
        "the name and the size of a package",
    ),
    (
        "Which decorator disables the protection for a single view?",
        "the csrf_exempt decorator",
        "the login_required decorator",
    ),
    ("Where are log files placed?", "in /var/log", "in /var/lib"),
    ("How can you list the installed packages?", "Run apt list --installed", "Run apt purge"),
    ("How can you remove a package?", "by running apt purge", "by running apt list"),
    (
        "What must maintainers do if a release-critical bug is reported?",
        "answer within a week",
        "answer within a month",
    ),
    ("What happens if the disk is full?", "the backup job stops and an alarm is raised", "the backup job continues"),
    ("What did the District Court hold?", "the contract was void", "the contract was not void"),
    ("What did the District Court hold?", "that the contract was void", "that the contract was valid"),
    ("How many stages does the Tarn pipeline have?", "four", "five"),
    ("How many stages does the Tarn pipeline have?", "four stages", "three stages"),
    (
        "What is the lock file used for?",
        "to prevent two writers at the same time",
        "to prevent two readers at the same time",
    ),
    (
        "What is a quorum?",
        "the smallest number of members that can take a decision",
        "the largest number of members that can take a decision",
    ),
    ("Who was the Greywater project founded by?", "Petra Lindqvist", "Peter Lindqvist"),
    ("Who founded the Greywater project?", "Petra Lindqvist, a retired engineer", "Oslo University"),
    ("When was the Greywater project founded?", "in March 2009", "in May 2009"),
    ("In which year was the Greywater project founded?", "2009", "2008"),
    ("When does the nightly job start?", "when the last user has logged out", "when the first user has logged out"),
    ("When do access tokens expire?", "after thirty minutes", "after thirteen minutes"),
    ("Who mirrors the archive?", "Oslo University", "Bergen University"),
    ("By whom is the archive mirrored?", "Oslo University (Norway)", "the project"),
    ("Why does the cache store rendered templates?", "so that pages load faster", "so that pages load slower"),
    ("Should users share their keys?", "No", "Yes"),
    ("Can the scheduler run two jobs at once?", "No, it cannot.", "Yes, it can."),
    ("How much memory does version 3 require?", "at least 512 MB", "at least 256 MB"),
    ("How often is the pump cleaned?", "twice a year", "twice a month"),
    (
        "Why are bees the main pollinators of the orchard?",
        "because they fly in cold weather, too",
        "because they fly at night",
    ),
    ("Where does the committee meet?", "in the old town hall", "in the new town hall"),
    ("When does the committee meet?", "on the first Monday of each month", "on the first Tuesday of each month"),
    ("How is the valve opened?", "by turning the red wheel clockwise", "by turning the red wheel anticlockwise"),
    ("Where did nurses record the dose of each patient?", "in a paper diary", "in an electronic diary"),
    ("Who recorded the dose of each patient?", "nurses", "doctors"),
    ("What is a relay?", "an electrically operated switch", "a manually operated switch"),
    ("What did the treaty end?", "the war between Arland and Voss", "the war between Arland and Noss"),
    ("What ended the war between Arland and Voss?", "the treaty", "the museum"),
    ("When is the museum closed?", "on public holidays", "on Sundays"),
    ("Is the museum closed on public holidays?", "Yes", "No"),
    ("Is the museum open on public holidays?", "No", "Yes"),
    ("At what temperature does water boil at this altitude?", "93 degrees", "98 degrees"),
    ("What is recorded in a paper diary?", "the dose of each patient", "the age of each patient"),
    ("What is disabled by the csrf_exempt decorator?", "the protection for a single view", "the cache"),
    ("What does the cache store?", "rendered templates", "raw templates"),
    ("What grew quickly?", "the archive", "the museum"),
    ("What happens when the disk is full?", "the backup job stops", "the disk is cleaned"),
]


@pytest.fixture(scope="module")
def handbook():
    return parse_document(HANDBOOK)


def confirms(source, question, answer):
    candidate = CurrentCandidate(question=question, answer=answer, evidence=())
    return judge_candidate(candidate, answer_question(question, source)) is None


@pytest.mark.parametrize(("question", "right", "wrong"), CASES)
def test_the_right_answer_is_confirmed_and_a_wrong_one_is_not(handbook, question, right, wrong):
    assert confirms(handbook, question, right), answer_question(question, handbook)
    assert not confirms(handbook, question, wrong)


@pytest.mark.parametrize(
    "question",
    [
        "How often are they cleaned?",
        "Which stage is it?",
        "Who designed the red wheel?",
        "When was Petra Lindqvist born?",
        "How much memory does version 4 require?",
        "Who founded Oslo University?",
        "Does the museum sell tickets?",
    ],
)
def test_what_no_sentence_says_is_not_answered(handbook, question):
    assert not answer_question(question, handbook).answerable


def test_active_and_passive_are_not_confused():
    source = parse_document("The firmware starts the loader. The loader starts the kernel.")
    assert answer_question("What starts the loader?", source).answer == "The firmware"
    assert answer_question("What does the loader start?", source).answer == "the kernel"
    assert answer_question("What is the kernel started by?", source).answer == "The loader"


def test_a_modifier_tells_two_things_apart():
    source = parse_document("The inlet valve opens at 3 bar. The outlet valve opens at 5 bar.")
    assert "5 bar" in answer_question("At what pressure does the outlet valve open?", source).answer
    assert answer_question("At what pressure does the valve open?", source).ambiguous


def test_of_several_amounts_the_last_alone_is_no_answer():
    source = parse_document("The fees are 4, 7 or 12 euros, depending on the class (economy, business or first).")
    assert answer_question("How much is the fee for the business class?", source).answer == "4, 7 or 12 euros"


def test_a_verb_that_looks_like_a_noun_is_understood():
    source = parse_document("The lsmod program formats the contents of the module list.")
    assert answer_question("What does the lsmod program format?", source).answer == "the contents of the module list"


def test_a_pronoun_stands_for_the_subject_before():
    source = parse_document("Mayor Hester Vane rebuilt the quay. She paid the masons from her own purse.")
    assert answer_question("Who paid the masons?", source).answer == "Mayor Hester Vane"
