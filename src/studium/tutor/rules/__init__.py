"""Rule-based answers, without a model."""
