"""Runs: what was run, what each run took and brought, and the work in the background."""

from studium.web.runs import page

__all__ = ["page"]
