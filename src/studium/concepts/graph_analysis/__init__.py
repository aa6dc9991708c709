"""Audits the whole graph, and lays out its map."""
