"""A scripted language model for the concepts feature; it recognises each skill by the schema of the answer."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from studium.testing import Fault, Reply, WireRequest
from studium.testing.script import properties_of

_SHAPES = {
    "summarize": {"summary", "summary_short"},
    "extract": {"concepts", "unattributed_quotes"},
    "duplicates": {"compared"},
    "queries": {"queries"},
    "relate": {"relations"},
    "critique": {"points"},
    "change": {"changes", "not_done"},
}
POINTS = ("atomicity", "distinctness", "quote_coverage", "relation_accuracy", "language", "edge_cases")
PRICE = {
    "title": "The price of a thing is life",
    "concept": "Whatever we acquire is paid for with the part of our days that it takes.",
    "analysis": "Money hides this price.",
    "quotes": [{"quote": "q2", "reasoning": "It names the price.", "confidence": 0.9}],
}
AFFAIRS = {
    "title": "Few affairs keep attention whole",
    "concept": "Attention that goes to many small matters is lost, while a handful of affairs leaves our days whole.",
    "quotes": [{"quote": "q3"}, {"quote": "q4"}],
}
WEALTH = {
    "title": "Wealth is what one can do without",
    "concept": "Riches are measured by how much a person can leave alone without missing it.",
    "quotes": [{"quote": "q5"}],
}
CONTENT = {"points": [{"name": name, "passes": True, "remarks": []} for name in POINTS]}


@dataclass(frozen=True)
class Asked:
    """One question on the wire, and the moment it came."""

    skill: str
    request: WireRequest
    moment: float

    @property
    def text(self) -> str:
        """All that was sent to the model."""
        return "\n".join(message.text for message in self.request.messages)

    def given(self, name: str) -> Any:
        """The values between the fences of this name."""
        return json.loads(self.fenced(name))

    def fenced(self, name: str) -> str:
        """The text between the fences of this name."""
        found = re.search(rf"^<({name} [0-9a-f]+)>\n(.*?)\n</\1>$", self.text, re.DOTALL | re.MULTILINE)
        assert found, f"{self.skill} was given no {name}:\n{self.text}"
        return found[2]


def objecting(message: str, *concepts: str) -> dict[str, Any]:
    """A critic that lets everything pass but for one remark on atomicity."""
    remark = {"message": message, "concepts": list(concepts), "quotes": []}
    return {"points": [{"name": "atomicity", "passes": False, "remarks": [remark]}, *CONTENT["points"][1:]]}


def related(asked: Asked) -> dict[str, Any]:
    """Few affairs support wealth; nothing else relates."""
    others = {idea["title"]: idea["key"] for idea in asked.given("others")}
    if asked.given("idea")["title"] != AFFAIRS["title"] or WEALTH["title"] not in others:
        return {"relations": []}
    why = "Who minds little can leave much alone."
    told = {"other": others[WEALTH["title"]], "type": "SUPPORTS", "reasoning": why, "confidence": 0.8}
    return {"relations": [told]}


def searched(asked: Asked) -> dict[str, Any]:
    """One text to search by, which shares words with every concept."""
    return {"queries": [{"type": "SUPPORTS", "text": f"{asked.given('idea')['title']}, wealth, price, attention"}]}


GOOD: dict[str, Any] = {
    "summarize": {"summary": "A man goes to the woods to live.", "summary_short": "A man in the woods."},
    "extract": {"concepts": [PRICE, AFFAIRS, WEALTH], "unattributed_quotes": ["q1", "q6"]},
    "duplicates": {"compared": []},
    "queries": searched,
    "relate": related,
    "critique": CONTENT,
    "refine": {"changes": []},
    "feedback": {"changes": []},
}


@dataclass
class Model:
    """Answers every skill well, but for those that a test says otherwise of: with a value, or a function of `Asked`."""

    told: dict[str, Any] = field(default_factory=dict)
    vectors: Callable[[str], list[float]] | None = None
    asked: list[Asked] = field(default_factory=list)

    def __call__(self, request: WireRequest) -> Reply | Fault:
        if request.kind == "embed":
            return Reply(vectors=tuple(map(self.vectors, request.texts)) if self.vectors else ())
        asked = Asked(_skill(request), request, time.monotonic())
        self.asked.append(asked)
        answer = (GOOD | self.told)[asked.skill]
        if callable(answer):
            answer = answer(asked)
        if isinstance(answer, Reply | Fault):
            return answer
        return Reply(answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False))

    def of(self, skill: str) -> list[Asked]:
        """What was asked of this skill, in order."""
        return [each for each in self.asked if each.skill == skill]


def _skill(request: WireRequest) -> str:
    named = set(properties_of(request.schema or {}))
    skill = next((name for name, shape in _SHAPES.items() if shape == named), str(named))
    if skill != "change":
        return skill
    return "refine" if any("The remarks:" in message.text for message in request.messages) else "feedback"
