"""What a student knows, topic by topic, and when to ask her again."""
