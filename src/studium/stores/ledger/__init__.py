"""The ledger: the one database that remembers runs, decisions, reviews, usage, replies, vectors and bases."""

from studium.domain.run import Run, RunStatus
from studium.stores.ledger.items import Settlement
from studium.stores.ledger.ledger import Ledger
from studium.stores.ledger.metrics import Metrics

__all__ = ["Ledger", "Metrics", "Run", "RunStatus", "Settlement"]
