"""Text in the languages that learners read: sentences, words, stems, normal forms and safe HTML."""
