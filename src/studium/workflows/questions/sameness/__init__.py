"""What two questions are compared by: what kind of thing they ask for, and about what."""
