"""The card pipeline without a model: the rule that answers each skill."""

from studium.core.llm.models import Rule
from studium.workflows.cards.judging.answering import qa_check_cards
from studium.workflows.cards.making.mapping import map_to_anki_fields
from studium.workflows.cards.making.polishing import polish_card_style
from studium.workflows.cards.skills import MAP, POLISH, QA

RULES: dict[str, Rule] = {
    MAP.name: lambda given, _tools: map_to_anki_fields(given),
    QA.name: lambda given, _tools: qa_check_cards(given),
    POLISH.name: lambda given, _tools: polish_card_style(given),
}
