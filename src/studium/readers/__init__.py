"""A learner's file becomes a Document; one module a format."""
