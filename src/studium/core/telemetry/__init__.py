"""What the app says about itself: logs, traces and the redaction of secrets."""
