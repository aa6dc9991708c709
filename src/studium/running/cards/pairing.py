"""One vault and the sink it is kept in step with."""

from dataclasses import dataclass, field
from pathlib import Path

from studium.core.database import Database
from studium.core.domain.ports import Model, Similarity
from studium.core.domain.usage import Limits
from studium.domain.anki import AnkiStore
from studium.workflows.cards.state import CardPolicy


@dataclass(frozen=True)
class CardSync:
    """A vault and a sink, with all that is needed to keep them in step; without a `store` the sink is a package."""

    root: Path
    to: str
    sink: str
    ledger: Database
    store: AnkiStore | None
    mind: Model
    policy: CardPolicy
    vault_name: str
    similarity: Similarity
    limits: Limits = field(default_factory=Limits)
