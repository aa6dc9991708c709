"""Whether a lab's goal is reached, by configuration and by behaviour."""
