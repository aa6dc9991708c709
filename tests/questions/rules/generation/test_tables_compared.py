"""Tables that compare things: the columns are the things, the rows their properties."""

from studium.questions.rules.generation.generate import fact_source
from studium.questions.rules.parsed_document import parse_document

COMPARED = """\
# Batteries

| Property | Emberbox 5 | Emberbox 10 |
|---|---|---|
| Capacity | 5 kWh | 10 kWh |
| Cell chemistry | lithium iron phosphate | nickel manganese cobalt |
"""


def test_a_property_of_each_thing_is_asked_for():
    asked = {fact.question: fact.answer for fact in fact_source(parse_document(COMPARED), "en").facts}
    assert asked["What is the capacity of Emberbox 5?"] == "5 kWh"
    assert asked["What is the cell chemistry of Emberbox 10?"] == "nickel manganese cobalt"
