"""One vault and the sink it is kept in step with."""

from dataclasses import dataclass, field
from pathlib import Path

from studium.domain.anki import AnkiStore
from studium.domain.budget import Limits
from studium.domain.ports import Mind, Similarity
from studium.stores.ledger import Ledger
from studium.workflows.cards.state import CardPolicy


@dataclass(frozen=True)
class CardSync:
    """A vault and a sink, with all that is needed to keep them in step; without a `store` the sink is a package."""

    root: Path
    to: str
    sink: str
    ledger: Ledger
    store: AnkiStore | None
    mind: Mind
    policy: CardPolicy
    vault_name: str
    similarity: Similarity
    limits: Limits = field(default_factory=Limits)
