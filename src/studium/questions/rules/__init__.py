"""The rules of questions: generate, validate and compare without a model."""
