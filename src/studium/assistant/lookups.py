"""Tools for what can be looked up: concepts, labs, and what is wrong with a command."""

from typing import Annotated, Any

from pydantic import Field

from studium.app.service import Service
from studium.assistant.looking import Shown, quick, shown
from studium.assistant.tool import Answer, Tool
from studium.service.kinds.kind import Line, Request
from studium.tutor import lab_use_cases
from studium.tutor import use_cases as tutor


class Sought(Request):
    """What concepts should say."""

    text: Annotated[str, Field(min_length=1, max_length=2000)]
    """What the concept says, in any words."""
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    """How many."""


class Typed(Request):
    """A command, and what the device said to it."""

    command: Annotated[str, Field(min_length=1, max_length=2000)]
    """What was typed."""
    output: Annotated[str, Field(max_length=100_000)]
    """What the device said."""
    prompt: Line | None = None
    """The prompt it was typed at, as in `R1(config)#`."""


class Labs(Request):
    """Nothing needs to be said."""


def _search(service: Service, asked: Sought) -> Answer:
    found = service.concepts.search(service.house.understanding, asked.text, asked.limit)
    given = [concept.model_dump(mode="json") | {"similarity": similarity} for concept, similarity in found]
    return Answer(f"{len(given)} concepts, the most similar first.", {"concepts": given})


def _show(service: Service, asked: Shown) -> Answer:
    found: dict[str, Any] = service.concepts.concept(asked.id).as_json()
    return shown(asked, f"The concept “{found['title']}”.", found)


def _diagnose(service: Service, asked: Typed) -> Answer:
    found, complaint = tutor.diagnose(service.settings, asked.command, asked.output, asked.prompt)
    if found:
        return Answer(found.diagnosis, found.model_dump(mode="json"))
    said = f"Nobody knows what “{complaint}” means yet." if complaint else "Nothing is wrong with this command."
    return Answer(said, {"diagnosis": None, "complaint": complaint})


def _list_labs(service: Service, _asked: Labs) -> Answer:
    given = [
        {"id": lab.id, "title": lab.title, "goal": lab.goal, "topics": list(lab.topics), "up": up}
        for lab, up in lab_use_cases.list_labs(service.settings)
    ]
    return Answer(f"{len(given)} labs.", {"labs": given}, more="Read studium://labs/ID.")


TOOLS = (
    Tool("search_concepts", "Find concepts of the learner's books by what they say.", Sought, quick(_search)),
    Tool(
        "show_concept",
        "Show a concept (by id, title, or the beginning of one): its relations, and the quotes that carry it.",
        Shown,
        quick(_show),
    ),
    Tool("diagnose_command", "Say what is wrong with a router's command, and the fix.", Typed, quick(_diagnose)),
    Tool("list_labs", "List the networking labs, and which of them are up.", Labs, quick(_list_labs)),
)
