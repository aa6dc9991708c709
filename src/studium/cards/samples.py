"""The sample vault, and the cards that are made from it."""

from collections.abc import Sequence
from pathlib import Path

from studium.cards.use_cases import SyncOptions, sync
from studium.core.config import Settings
from studium.core.domain.decision import Action, Decision
from studium.core.samples import NOTHING, SampleResult, Samples


class CardSamples(Samples):
    """A vault whose notes become cards in a package."""

    feature = "cards"
    position = 1
    run_argument = "vault"
    results = ("cards.apkg",)
    user_files = ("packages/*",)

    async def make(self, settings: Settings, folder: Path) -> SampleResult:
        """Sync the vault to a package."""
        package = folder / "cards.apkg"
        plan = (await sync(settings, SyncOptions(folder / "samples" / "vault", str(package), resume=True))).plan
        waiting = [decision for decision in plan.decisions if decision.action is Action.MANUAL_REVIEW]
        skipped = [decision for decision in plan.decisions if decision.action is Action.SKIP]
        created = plan.counts["create"]
        return SampleResult(self.feature, f"{created} cards", str(package), _notes(waiting), _notes(skipped))


def _notes(decisions: Sequence[Decision]) -> str:
    """The notes that decisions are about, in one line."""
    return ", ".join(decision.item.partition("#")[0] for decision in decisions) or NOTHING


SAMPLES = CardSamples()
