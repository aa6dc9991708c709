"""The concepts faculty without a model: drafts that stay close to the quotes, for a person to look at."""

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule
from studium.workflows.concepts.desk import Embed
from studium.workflows.concepts.drafting.author import author
from studium.workflows.concepts.drafting.extracting import extract_rule
from studium.workflows.concepts.drafting.summarizing import summarize
from studium.workflows.concepts.judging.rules import judging_rules
from studium.workflows.concepts.sameness.judging import duplicates_rule
from studium.workflows.concepts.skills import AUTHOR, DUPLICATES, EXTRACT, SUMMARIZE


def rules(embed: Embed) -> dict[str, Rule]:
    """The rules of this faculty; `embed` gives texts as vectors, where there is an embedder."""
    return {
        SUMMARIZE.name: summarize,
        AUTHOR.name: author,
        EXTRACT.name: _apart(extract_rule(embed)),
        DUPLICATES.name: _apart(duplicates_rule(embed)),
        **judging_rules(),
    }


def _apart(rule: Rule) -> Rule:
    """The rule in a thread of its own: it embeds, and what is embedded is looked up in the ledger."""

    async def answer(given: BaseModel, tools: Sequence[Tool]) -> Any:
        return await asyncio.to_thread(rule, given, tools)

    return answer
