"""What the house says about itself: logs, traces and the redaction of secrets."""
