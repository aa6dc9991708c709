"""The database: the one database that remembers runs, decisions, reviews, usage, replies, vectors and bases."""

from studium.core.database.database import Database
from studium.core.database.items import ItemResult
from studium.core.database.metrics import Metrics
from studium.core.domain.run import Run, RunStatus

__all__ = ["Database", "Metrics", "Run", "RunStatus", "ItemResult"]
