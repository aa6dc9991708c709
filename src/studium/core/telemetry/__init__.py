"""Logs, traces and the redaction of secrets."""
