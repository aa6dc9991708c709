"""Values, errors and interfaces that the whole app shares."""
