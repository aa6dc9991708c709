"""The steps of the vocabulary agent that need judgement."""

from pydantic import BaseModel, ConfigDict, Field, field_validator

from studium.core.domain.skill import FinalTool, Skill, skill
from studium.core.domain.value import Value

MAX_TURNS = 8


class Claim(BaseModel):
    """A word as a model gives it; nothing in it is believed before the dictionary has been asked."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kanji: str = Field(min_length=1, description="The word in its dictionary form, as it is written.")
    romaji: str = Field(default="", description="Its reading in Latin letters.")
    english: str = Field(default="", description="What it means in this song.")

    @field_validator("romaji", "english", mode="before")
    @classmethod
    def _one_text(cls, value: object) -> str:
        """Small models give lists and nulls where a text belongs."""
        return ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


class Claims(BaseModel):
    """Words as a model gives them; none means those that `extract_vocabulary` found."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    vocabulary: tuple[Claim, ...] = Field(default=(), description="The words, each with kanji, romaji and english.")


class SongGiven(Value):
    """A song whose words are wanted."""

    song: str
    artist: str
    count: int


class LyricsGiven(Value):
    """Lyrics (no more than a model takes) whose words are wanted; `language` is that of the lyrics."""

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
