"""What two answers are compared by: words, numbers with their units, dates, names and negation."""
