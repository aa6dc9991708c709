"""The kinds of questions, what is asked for of them, and which kind comes next."""

from collections.abc import Collection, Mapping, Sequence
from string import ascii_uppercase
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field

from studium.core.domain.errors import BadInput
from studium.core.domain.value import Value

QuestionKind = Literal[
    "open", "cloze", "multiple_choice", "true_false", "multi_hop", "reasoning", "comparison", "unanswerable"
]
Difficulty = Literal["easy", "medium", "hard"]
Length = Literal["short", "medium", "long"]
KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)
FOR_MODELS: frozenset[QuestionKind] = frozenset({"multi_hop", "reasoning", "comparison", "unanswerable"})
"""The kinds that the rules cannot ask."""
BLANK = "_____"
TRUE_OR_FALSE = "True or false: "
MAX_WEIGHT = 1000
_EXAMPLE = "Write the kinds with their weights: open=6,multiple_choice=2,cloze=2."


def parse_mix(text: str) -> dict[QuestionKind, int]:
    """`open=6,cloze=2` as weights; a kind without a number weighs 1."""
    mix: dict[QuestionKind, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, weight = (piece.strip() for piece in part.partition("="))
        kind = next((each for each in KINDS if each == name), None)
        if kind is None:
            raise BadInput(f"There is no kind of question `{name}`.", remedy=f"The kinds are: {', '.join(KINDS)}.")
        if weight and not (weight.isdecimal() and int(weight) <= MAX_WEIGHT):
            raise BadInput(f"`{weight}` is no weight from 0 to {MAX_WEIGHT}.", remedy=_EXAMPLE)
        mix[kind] = int(weight or 1)
    if not any(mix.values()):
        raise BadInput("The mix asks for no question.", remedy=_EXAMPLE)
    return mix


def _read_mix(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return parse_mix(given)
    except BadInput as error:
        raise ValueError(str(error)) from error


def _check_mix(mix: dict[QuestionKind, int]) -> dict[QuestionKind, int]:
    if mix and not any(mix.values()):
        raise ValueError("The mix asks for no question.")
    return mix


Mix = Annotated[
    dict[QuestionKind, Annotated[int, Field(ge=0, le=MAX_WEIGHT)]],
    BeforeValidator(_read_mix),
    AfterValidator(_check_mix),
]


class QuestionOptions(Value):
    """What the questions shall be like: their kinds by weight, and their difficulty, style, length and asker."""

    mix: Mix = Field(default_factory=dict)
    difficulty: Difficulty | None = None
    style: str = ""
    length: Length | None = None
    persona: str = ""

    def over(self, other: "QuestionOptions") -> "QuestionOptions":
        """These options, with those of the other where nothing was asked for."""
        own = {name: value for name in type(self).model_fields if (value := getattr(self, name))}
        return QuestionOptions(**{name: getattr(other, name) for name in QuestionOptions.model_fields} | own)


ANY = QuestionOptions()
"""Nothing special is asked for."""


def lettered(choices: Sequence[str]) -> list[str]:
    """`A) the bridge`, `B) the harbour`: the choices as they are shown."""
    return [f"{letter}) {choice}" for letter, choice in zip(ascii_uppercase, choices, strict=False)]


def next_kinds(
    mix: Mapping[QuestionKind, int], made: Mapping[QuestionKind, int], spent: Collection[str] = ()
) -> list[QuestionKind]:
    """The kinds that can still be asked, the one furthest behind its share first; the first of the mix wins a tie."""
    total, count = sum(mix.values()), sum(made.values()) + 1
    left = [kind for kind, weight in mix.items() if weight and kind not in spent]
    return sorted(left, key=lambda kind: made.get(kind, 0) - mix[kind] / total * count)
