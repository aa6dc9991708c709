"""The questions faculty at work: documents on disk, through the question loop, to a set of questions."""
