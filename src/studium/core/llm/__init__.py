"""Whoever answers a skill: rules, chat models, scripts; and what that costs."""
