"""The concepts faculty without a model: drafts that stay close to the quotes, for a person to look at."""

from studium.minds.rules import Rule
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
        EXTRACT.name: extract_rule(embed),
        DUPLICATES.name: duplicates_rule(embed),
        **judging_rules(),
    }
