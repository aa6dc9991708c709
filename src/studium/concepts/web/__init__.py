"""Concepts: the graph of ideas, the books they come from, and the review of what is proposed."""

from studium.concepts.web import pages as pages
