"""The nodes of `concept_extract`: extraction, critique, review and commit."""
