"""Studium turns what a learner reads, hears and configures into study material checked against its source."""

__version__ = "0.1.0"
