"""The rules of cards: deterministic answers to the skills, and checks of every card."""
