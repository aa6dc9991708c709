"""The command line in this process, and a database with something in it."""

from dataclasses import dataclass
from shutil import copy

import pytest

from studium.cli.app import main
from studium.core.database import Database
from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Evidence, Finding, Locator, Severity
from studium.core.domain.usage import Call, CallOutcome


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


@pytest.fixture
def studium(capsys, monkeypatch):
    """Runs `studium …` and says what it printed and how it ended."""
    monkeypatch.setenv("COLUMNS", "160")

    def run(*arguments: str) -> Said:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        printed = capsys.readouterr()
        return Said(ended.value.code or 0, printed.out, printed.err)

    return run


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    """A database just made, to copy: making one takes longer than most tests."""
    path = tmp_path_factory.mktemp("database") / "database.sqlite"
    Database.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def database(home, empty_database):
    home.mkdir()
    copy(empty_database, home / "database.sqlite")
    with Database.open(f"sqlite:///{home / 'database.sqlite'}") as opened:
        yield opened


@pytest.fixture
def doubt():
    """Makes a decision about a card that was not proved by its note."""
    return _doubt


def _doubt(item: str = "ospf.md", back: str = "It floods LSAs.") -> Decision:
    return Decision(
        item=item,
        action=Action.MANUAL_REVIEW,
        reasons=("The back is not in the note.",),
        findings=(Finding(code="cards.unproved", severity=Severity.ERROR, message="“LSAs” is not in the note."),),
        evidence=(Evidence(passage="p1", quote="OSPF floods", where=Locator(path=item, line=3)),),
        proposal={"front": "What does OSPF do?", "back": back},
        proposal_schema={
            "type": "object",
            "properties": {"front": {"type": "string"}, "back": {"type": "string", "minLength": 1}},
            "required": ["front", "back"],
            "additionalProperties": False,
        },
        score=0.45,
    )


@pytest.fixture
def run(database):
    """A finished run of two notes: one card made, one in doubt."""
    started = database.runs.start("cards", {"notes": "vault"})
    made = Decision(item="bgp.md", action=Action.CREATE, proposal={"front": "Q", "back": "A"}, score=0.95)
    call = Call(skill="cards.map", role="cards.mapper", model="openai:m", outcome=CallOutcome.ANSWERED, seconds=0.5)
    paid = call.model_copy(update={"input_tokens": 900, "output_tokens": 80, "cost": 0.0125})
    bad = call.model_copy(update={"outcome": CallOutcome.INVALID, "input_tokens": 100, "cost": 0.001})
    database.items.save(started.id, "bgp.md", [made], [paid, bad])
    database.items.save(started.id, "ospf.md", [_doubt()], [call.model_copy(update={"skill": "cards.qa"})])
    return database.runs.finish(started.id, "done")


@pytest.fixture
def review(run, database):
    """The one doubt of that run."""
    assert run.status == "done"
    [found] = database.reviews.select()
    return found
