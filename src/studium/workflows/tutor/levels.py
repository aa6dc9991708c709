"""The words for what a student wants, knows, and is helped by."""

from typing import Literal

Intent = Literal["teaching", "troubleshooting", "ambiguous"]
Strategy = Literal["socratic", "direct", "hint", "challenge"]
MasteryLevel = Literal["novice", "intermediate", "advanced"]
HintLevel = Literal[1, 2, 3]
