"""English: the words of English lyrics."""
