"""The three phases of `concept_extract`: extraction, human review, commit."""
