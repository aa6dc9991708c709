"""The agent's tools, with the replies that the agent is used to: `success`, and what was found or what went wrong."""

import json
from dataclasses import dataclass, field
from typing import Any

from studium.core.domain.errors import StudiumError
from studium.core.domain.ports import Model
from studium.core.domain.skill import Tool, ToolReply
from studium.core.domain.value import Value
from studium.core.text.language_detection import detect_language
from studium.vocabulary.domain import FindLyrics, Lyrics
from studium.vocabulary.japanese.kana import count_japanese_characters
from studium.vocabulary.skills import EXTRACT, Claim, LyricsGiven

MAX_LYRICS_WORDS = 400
"""No more words of a song than these go to a model."""
# Japanese puts no space between words; so many signs make a word on average.
_SIGNS_A_WORD = 2


class GetLyrics(Value):
    """Which song."""

    song: str = ""
    artist: str = ""


class ExtractVocabulary(Value):
    """From which lyrics; without any, from those that `get_lyrics` found."""

    lyrics: str = ""


@dataclass
class AgentTools:
    """What the agent has found so far: the lyrics, the words in them, and what went wrong."""

    model: Model
    find_lyrics: FindLyrics
    count: int
    song: str = ""
    artist: str = ""
    lyrics: Lyrics | None = None
    claims: list[Claim] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def tools(self) -> tuple[Tool, ...]:
        """The tools of the agent; `return_vocabulary` is how it ends."""
        return (
            Tool("get_lyrics", "Find the lyrics of a song by its title and artist.", GetLyrics, self._get_lyrics),
            Tool("extract_vocabulary", "Find words in the lyrics.", ExtractVocabulary, self._extract_vocabulary),
        )

    async def get_lyrics(self, song: str = "", artist: str = "") -> dict[str, Any]:
        """The lyrics, and what is known about where they come from; or why there are none."""
        try:
            if self.lyrics is None:
                self.lyrics = await self.find_lyrics(song or self.song, artist or self.artist)
        except StudiumError as error:
            said = f"{error} {error.remedy}"
            if said not in self.errors:
                self.errors.append(said)
            return {"success": False, "error": said}
        found = self.lyrics
        about = {"title": found.title or song, "artist": found.artist or artist, "source": found.source}
        return {"success": True, "lyrics": truncate_for_model(found.text), "metadata": about}

    async def extract_vocabulary(self) -> dict[str, Any]:
        """The words in the lyrics, as a model or the rules give them."""
        if self.lyrics is None:
            return {"success": False, "error": "There are no lyrics yet: use get_lyrics first."}
        text = truncate_for_model(self.lyrics.text)
        language = "ja" if count_japanese_characters(text) else detect_language(text).code
        answer = await self.model.answer(EXTRACT, LyricsGiven(lyrics=text, language=language, count=self.count))
        if answer.output is None:
            said = "; ".join(map(str, answer.findings))
            self.errors.append(said)
            return {"success": False, "error": said}
        self.claims = list(answer.output.vocabulary)
        return {"success": True, "vocabulary": [claim.model_dump() for claim in self.claims]}

    async def _get_lyrics(self, wanted: GetLyrics) -> ToolReply:
        return _reply(await self.get_lyrics(wanted.song, wanted.artist))

    async def _extract_vocabulary(self, _wanted: ExtractVocabulary) -> ToolReply:
        return _reply(await self.extract_vocabulary())


def truncate_for_model(text: str) -> str:
    """As much of the lyrics as goes to a model: whole lines, no more than so many words."""
    kept: list[str] = []
    words = 0
    for line in text.splitlines():
        words += len(line.split()) + count_japanese_characters(line) // _SIGNS_A_WORD
        if words > MAX_LYRICS_WORDS and kept:
            break
        kept.append(line)
    return "\n".join(kept)


def _reply(value: dict[str, Any]) -> ToolReply:
    return ToolReply(json.dumps(value, ensure_ascii=False))
