"""Faults that can be put into a finished lab, for a student to find."""
