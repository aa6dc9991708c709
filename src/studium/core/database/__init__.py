"""The database of runs, decisions, reviews, jobs, model calls, caches and published versions."""

from studium.core.database.database import Database
from studium.core.database.items import ItemResult
from studium.core.database.metrics import Metrics
from studium.core.domain.run import Run, RunStatus

__all__ = ["Database", "ItemResult", "Metrics", "Run", "RunStatus"]
