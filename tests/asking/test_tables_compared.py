"""Tables that compare things: the columns are the things, the rows their properties."""

from studium.workflows.questions.asking.extracting import facts_of
from studium.workflows.questions.source import source_of

COMPARED = """\
# Batteries

| Property | Emberbox 5 | Emberbox 10 |
|---|---|---|
| Capacity | 5 kWh | 10 kWh |
| Cell chemistry | lithium iron phosphate | nickel manganese cobalt |
"""


def test_a_property_of_each_thing_is_asked_for():
    asked = {fact.question: fact.answer for fact in facts_of(source_of(COMPARED), "en")}
    assert asked["What is the capacity of Emberbox 5?"] == "5 kWh"
    assert asked["What is the cell chemistry of Emberbox 10?"] == "nickel manganese cobalt"
