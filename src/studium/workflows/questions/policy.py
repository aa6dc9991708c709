"""How the question loop goes: when it ends, and who takes part in it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class QuestionPolicy:
    """When the loop ends, who generates and who validates, and with how many questions a new one is compared."""

    max_consecutive_failures: int = 5
    generator_model: str = "rules"
    validator_model: str = "rules"
    compared: int = 12
