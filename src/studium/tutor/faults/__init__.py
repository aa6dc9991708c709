"""Faults that can be injected into a finished lab for practice."""
