"""The skills of the vocabulary agent: what a model, or the rules, decide."""

from pydantic import BaseModel, ConfigDict, Field, field_validator

from studium.core.domain.skill import FinalTool, Skill, skill
from studium.core.domain.value import Value

MAX_TURNS = 8


class Claim(BaseModel):
    """A word as a model returns it, before it is checked against the dictionary."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kanji: str = Field(min_length=1, description="The word in its dictionary form, as it is written.")
    romaji: str = Field(default="", description="Its reading in Latin letters.")
    english: str = Field(default="", description="What it means in this song.")

    @field_validator("romaji", "english", mode="before")
    @classmethod
    def _one_text(cls, value: object) -> str:
        """Accept lists and nulls, which small models return instead of text."""
        return ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


class Claims(BaseModel):
    """Words as a model returns them; if empty, those that `extract_vocabulary` found are used."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    vocabulary: tuple[Claim, ...] = Field(default=(), description="The words, each with kanji, romaji and english.")


class SongGiven(Value):
    """The song whose words to find."""

    song: str
    artist: str
    count: int


class LyricsGiven(Value):
    """The lyrics whose words to find, cut to what a model takes, and their language."""

    lyrics: str
    language: str
    count: int


AGENT: Skill[Claims] = Skill(
    name="vocabulary.agent",
    role="vocabulary.agent",
    given=SongGiven,
    final_tools=(FinalTool("return_vocabulary", "Return the words and end.", Claims),),
    max_turns=MAX_TURNS,
)
EXTRACT = skill("vocabulary.extract", "vocabulary.extractor", LyricsGiven, Claims)
SKILLS = (AGENT, EXTRACT)
