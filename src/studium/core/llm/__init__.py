"""Models that answer skills: rules, chat models, scripts; and what they cost."""
