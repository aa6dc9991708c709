"""The corpus adapter: what a generator and a validator are told about the corpus and the scenario."""

from studium.core.domain.errors import BadInput
from studium.domain.question import CorpusConfig
from studium.workflows.questions.skills import Occasion


def occasion_of(config: CorpusConfig | None, scenario_name: str | None) -> Occasion:
    """The occasion for questions of this scenario; without a corpus, that of a learner with a document."""
    if config is None:
        return Occasion()
    scenario = config.scenarios[chosen_scenario(config, scenario_name)]
    return Occasion(
        corpus=f"{config.name}. {config.corpus_context.strip()}",
        scenario=f"{scenario.name}. {scenario.description.strip()}",
    )


def chosen_scenario(config: CorpusConfig, wanted: str | None) -> str:
    """The scenario that was named, or the only one there is."""
    names = list(config.scenarios)
    if wanted in config.scenarios:
        return str(wanted)
    if wanted is None and len(names) == 1:
        return names[0]
    what = (
        f"The corpus “{config.name}” has no scenario `{wanted}`."
        if wanted
        else f"“{config.name}” has several scenarios."
    )
    raise BadInput(what, remedy=f"Choose one with --scenario: {', '.join(names)}.")
