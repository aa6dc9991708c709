"""Rules that answer each skill of the concepts feature without a model."""
