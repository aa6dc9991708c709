"""The frozen base of all values that are stored or sent."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable value whose JSON form is exactly its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
