"""`kill -9` at every node of both graphs, as it begins and as it has ended: the same command then finishes the work."""

import json
import re
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from subprocess import PIPE

import pytest
from tests.concepts.faults.workspace import APPLIED, UNDONE, Workspace

PARSE = ("read_file", "make_summary", "parse_quotes", "get_or_create_author", "write_to_db")
EXTRACT = (
    "check_content_processed",
    "load_content_quotes",
    "extract_candidate_concepts",
    "detect_duplicates_all",
    "generate_relation_queries",
    "search_relation_candidates",
    "create_relations_all",
    "self_critique",
    "refine_extraction",
    "present_for_review",
)
ANSWER = ("present_for_review", "incorporate_feedback")
COMMIT = (
    "present_for_review",
    "create_concepts_db",
    "create_relations_db",
    "create_supports_relations",
    "create_obsidian_files",
    "update_processed_date",
)
MOMENTS = ("begins", "has ended")
# The short form; all other nodes and moments run in `make endurance`.
SHORT = {
    ("write_to_db", "has ended"),
    ("extract_candidate_concepts", "has ended"),
    ("incorporate_feedback", "begins"),
    ("create_supports_relations", "has ended"),
    ("create_obsidian_files", "begins"),
}


def kills(nodes):
    """Every node and moment to kill a process at."""
    # A round of review has ended only when the answer has come.
    points = [
        each for each in product(nodes, MOMENTS) if nodes != EXTRACT or each != ("present_for_review", "has ended")
    ]
    marks = {each: () if each in SHORT else pytest.mark.endurance for each in points}
    return pytest.mark.parametrize(("node", "moment"), [pytest.param(*each, marks=marks[each]) for each in points])


FEEDBACK = ("review", "Walden", "--feedback", "Drop c2.")
APPROVE = ("review", "Walden", "--approve")


class Executioner:
    """Runs `studium` processes that have everything imported already, and die at the node that is named."""

    def __init__(self):
        command = [sys.executable, str(Path(__file__).with_name("killed_process.py"))]
        self.process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True)

    def run(self, arguments, node, moment):
        self.process.stdin.write(json.dumps([arguments, node, moment]) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


class Life:
    """The life of a book, uninterrupted: how everything stood before each command, and after the last."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.steps = {
            "parse": ("parse", workspace.file),
            "extract": ("extract", "Walden"),
            "answer": FEEDBACK,
            "commit": APPROVE,
        }
        self.after = {}
        for step, command in self.steps.items():
            workspace.keep_copy(step)
            assert workspace.concepts(*command).code == 0
            self.after[step] = workspace.snapshot()

    def killed(self, executioner, step, node, moment):
        """Run a step's command until it dies at a node."""
        self.workspace.put_back(step)
        arguments = self.workspace.arguments("concepts", *self.steps[step])
        assert executioner.run(arguments, node, moment) == -signal.SIGKILL


@pytest.fixture(scope="module")
def executioner():
    made = Executioner()
    yield made
    made.process.communicate()


@pytest.fixture(scope="module")
def life(tmp_path_factory):
    return Life(Workspace.in_folder(tmp_path_factory.mktemp("life")))


def test_the_uninterrupted_life_of_a_book(life):
    end = life.after["commit"]
    assert [concept.title for concept in end["concepts"]] == [
        "Ah!",
        "I never found the companion that was so companionable as solitude",
        "Simplicity",
        "Solitude",
    ]
    assert len(end["notes"]) == 4
    assert [status for _, status in end["commits"]] == [APPLIED]
    assert [status for status, _ in end["reviews"]] == ["responded", "responded"]


@kills(PARSE)
def test_killed_while_quotes_are_read(life, executioner, node, moment):
    life.killed(executioner, "parse", node, moment)
    assert life.workspace.concepts("parse", life.workspace.file).code == 0
    assert life.workspace.snapshot() == life.after["parse"]


@kills(EXTRACT)
def test_killed_while_concepts_are_drawn(life, executioner, node, moment):
    life.killed(executioner, "extract", node, moment)
    assert life.workspace.concepts("extract", "Walden").code == 0
    assert life.workspace.snapshot() == life.after["extract"]
    if moment == "begins":
        return
    for step in ("answer", "commit"):
        assert life.workspace.concepts(*life.steps[step]).code == 0
    assert life.workspace.snapshot() == life.after["commit"]


@kills(ANSWER)
def test_killed_while_an_answer_is_put_into_practice(life, executioner, node, moment):
    life.killed(executioner, "answer", node, moment)
    again = life.workspace.concepts(*FEEDBACK)
    assert again.code == 2, "what was answered is done, and not done twice"
    assert "has changed since you saw it" in again.err
    assert life.workspace.snapshot() == life.after["answer"]
    assert life.workspace.concepts(*APPROVE).code == 0
    assert life.workspace.snapshot() == life.after["commit"]


@kills(COMMIT)
def test_killed_while_concepts_are_kept(life, executioner, node, moment):
    workspace = life.workspace
    life.killed(executioner, "commit", node, moment)
    with workspace.graph() as graph:
        counts = graph.counts()
    assert counts in (life.after["answer"]["counts"], life.after["commit"]["counts"]), "all or nothing"
    finished = workspace.concepts(*APPROVE)
    assert finished.code == 0
    assert workspace.snapshot() == life.after["commit"]
    run = re.search(r"concepts undo (\S+)", finished.out)[1]
    assert workspace.concepts("undo", run).code == 0
    undone = workspace.snapshot()
    assert undone["notes"] == {}
    assert undone["commits"] == [(life.after["commit"]["commits"][0][0], UNDONE)]
    for kept in ("books", "quotes", "concepts", "relations", "supports", "counts"):
        assert undone[kept] == life.after["answer"][kept]
