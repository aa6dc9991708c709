"""Questions put to the student: which one next, and what her answer is worth."""
