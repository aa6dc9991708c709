"""Stores of the concept graph: SQLite and Neo4j."""
