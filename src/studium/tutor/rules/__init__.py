"""What is said to a student without a model: from diagnoses, passages and the lab alone."""
