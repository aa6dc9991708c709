"""What spans features: the doctor, the samples, answers to reviews, and the graphs."""
