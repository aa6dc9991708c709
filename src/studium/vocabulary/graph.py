"""The vocabulary agent: finds lyrics, extracts words and returns them, each checked against the dictionary.

run_agent ──→ extract_directly ──→ verify_vocabulary ──→ END
    └─────────────(it returned words)──────↑
"""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from studium.core.domain.errors import StudiumError
from studium.core.domain.finding import Finding
from studium.core.domain.ports import Model
from studium.core.domain.skill import Tool, ToolReply
from studium.core.domain.value import Value
from studium.core.text.language_detection import detect_language
from studium.vocabulary.domain import FindLyrics, LyricLine, Lyrics, VocabularyItem
from studium.vocabulary.japanese.kana import count_japanese_characters
from studium.vocabulary.lexicon import Lexicon
from studium.vocabulary.rules import check_claim
from studium.vocabulary.skills import AGENT, EXTRACT, Claim, LyricsGiven, SongGiven

MIN_WORDS = 5
"""At least this many words are returned, if the song has them."""
MAX_WORDS = 400
MAX_LYRICS_WORDS = 400
"""How many words of the lyrics a model gets at most."""
# Japanese puts no spaces between words; a word has about this many characters.
_CHARACTERS_PER_WORD = 2


class VocabularyState(TypedDict, total=False):
    """The state of one song: `lyrics`, `claims` and `errors` are what the agent has found so far."""

    song: str
    artist: str
    count: int
    lyrics: str
    source: str
    claims: list[Claim]
    vocabulary: list[VocabularyItem]
    errors: list[str]
    findings: list[Finding]


def create_vocabulary_graph(
    model: Model, lexicon: Lexicon, find_lyrics: FindLyrics
) -> CompiledStateGraph[VocabularyState, None, VocabularyState, VocabularyState]:
    """Compile the agent for one song."""
    steps = VocabularySteps(model, lexicon, find_lyrics)
    graph = StateGraph(VocabularyState)
    graph.add_node("run_agent", steps.run_agent)
    graph.add_node("extract_directly", steps.extract_directly)
    graph.add_node("verify_vocabulary", steps.verify_vocabulary)
    graph.add_edge(START, "run_agent")
    graph.add_conditional_edges("run_agent", after_agent)
    graph.add_conditional_edges("extract_directly", after_extraction)
    graph.add_edge("verify_vocabulary", END)
    return graph.compile(name="vocabulary")


@dataclass(frozen=True)
class VocabularySteps:
    """The nodes of the graph."""

    model: Model
    lexicon: Lexicon
    find_lyrics: FindLyrics

    async def run_agent(self, state: VocabularyState) -> VocabularyState:
        """Let the agent find the lyrics, extract words and return those worth learning."""
        tools = self._tools(state)
        given = SongGiven(song=state["song"], artist=state.get("artist", ""), count=tools.count)
        answer = await self.model.answer(AGENT, given, tools=tools.tools())
        claims = list(answer.output.vocabulary) if answer.output else []
        # A model may claim to know a song that it never looked up.
        await tools.get_lyrics()
        # The agent may return nothing, or only a summary of what it has just extracted.
        return _found(tools) | {"claims": claims or tools.claims, "findings": list(answer.findings)}

    async def extract_directly(self, state: VocabularyState) -> VocabularyState:
        """Find the lyrics and extract words without the agent, because it returned none."""
        tools = self._tools(state)
        await tools.get_lyrics()
        await tools.extract_vocabulary()
        errors = list(dict.fromkeys([*state.get("errors", []), *tools.errors]))
        return _found(tools) | {"claims": tools.claims, "errors": errors}

    async def verify_vocabulary(self, state: VocabularyState) -> VocabularyState:
        """Replace each claim by the dictionary's word; if there are too few, add the song's next best words."""
        items = await asyncio.to_thread(self.lexicon.items_in, _as_lyrics(state))
        checked = [check_claim(claim, items) for claim in state.get("claims", [])]
        # Two words may be written alike: 辛い is karai, and tsurai.
        chosen = {(each.item.kanji, each.item.reading): each.item for each in checked if each.item}
        for item in items:
            if len(chosen) >= max(state["count"], MIN_WORDS):
                break
            chosen.setdefault((item.kanji, item.reading), item)
        findings = [finding for each in checked for finding in each.findings]
        words = list(chosen.values())[: max(state["count"], MIN_WORDS)]
        return {"vocabulary": words, "findings": [*state.get("findings", []), *findings]}

    def _tools(self, state: VocabularyState) -> "AgentTools":
        tools = AgentTools(
            self.model,
            self.find_lyrics,
            count=max(state["count"], MIN_WORDS),
            song=state["song"],
            artist=state.get("artist", ""),
        )
        if state.get("lyrics"):
            tools.lyrics = _as_lyrics(state)
        return tools


def after_agent(state: VocabularyState) -> Literal["verify_vocabulary", "extract_directly"]:
    """Continue without the agent if it returned no words."""
    return "verify_vocabulary" if state.get("claims") and state.get("lyrics") else "extract_directly"


def after_extraction(state: VocabularyState) -> Literal["verify_vocabulary", "__end__"]:
    """End if there are no lyrics to verify words against."""
    return "verify_vocabulary" if state.get("lyrics") else "__end__"


class GetLyrics(Value):
    """Which song."""

    song: str = ""
    artist: str = ""


class ExtractVocabulary(Value):
    """From which lyrics; by default, from those that `get_lyrics` found."""

    lyrics: str = ""


class SongMetadata(TypedDict):
    """The song that lyrics belong to, and where they came from."""

    title: str
    artist: str
    source: str


class LyricsReply(TypedDict):
    """The reply of `get_lyrics` with the lyrics that it found."""

    success: Literal[True]
    lyrics: str
    metadata: SongMetadata


class WordsReply(TypedDict):
    """The reply of `extract_vocabulary` with the words that it found."""

    success: Literal[True]
    vocabulary: list[dict[str, Any]]


class FailedReply(TypedDict):
    """The reply of a tool that found nothing."""

    success: Literal[False]
    error: str


@dataclass
class AgentTools:
    """The agent's tools, and what they have found so far; each replies with `success` and a result or an error."""

    model: Model
    find_lyrics: FindLyrics
    count: int
    song: str = ""
    artist: str = ""
    lyrics: Lyrics | None = None
    claims: list[Claim] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools to offer to the agent; it ends with `return_vocabulary`."""
        return (
            Tool("get_lyrics", "Find the lyrics of a song by its title and artist.", GetLyrics, self._get_lyrics),
            Tool("extract_vocabulary", "Find words in the lyrics.", ExtractVocabulary, self._extract_vocabulary),
        )

    async def get_lyrics(self, song: str = "", artist: str = "") -> LyricsReply | FailedReply:
        """Return the lyrics and their source, or why there are none."""
        try:
            if self.lyrics is None:
                self.lyrics = await self.find_lyrics(song or self.song, artist or self.artist)
        except StudiumError as error:
            message = f"{error} {error.remedy}"
            if message not in self.errors:
                self.errors.append(message)
            return {"success": False, "error": message}
        found = self.lyrics
        metadata: SongMetadata = {
            "title": found.title or song,
            "artist": found.artist or artist,
            "source": found.source,
        }
        return {"success": True, "lyrics": truncate_for_model(found.text), "metadata": metadata}

    async def extract_vocabulary(self) -> WordsReply | FailedReply:
        """Return the words in the lyrics, extracted by the model or the rules."""
        if self.lyrics is None:
            return {"success": False, "error": "There are no lyrics yet: use get_lyrics first."}
        text = truncate_for_model(self.lyrics.text)
        language = "ja" if count_japanese_characters(text) else detect_language(text).code
        answer = await self.model.answer(EXTRACT, LyricsGiven(lyrics=text, language=language, count=self.count))
        if answer.output is None:
            message = "; ".join(map(str, answer.findings))
            self.errors.append(message)
            return {"success": False, "error": message}
        self.claims = list(answer.output.vocabulary)
        return {"success": True, "vocabulary": [claim.model_dump() for claim in self.claims]}

    async def _get_lyrics(self, request: GetLyrics) -> ToolReply:
        return _reply(await self.get_lyrics(request.song, request.artist))

    async def _extract_vocabulary(self, _request: ExtractVocabulary) -> ToolReply:
        return _reply(await self.extract_vocabulary())


def truncate_for_model(text: str) -> str:
    """Cut lyrics after whole lines, at `MAX_LYRICS_WORDS` words."""
    kept: list[str] = []
    words = 0
    for line in text.splitlines():
        words += len(line.split()) + count_japanese_characters(line) // _CHARACTERS_PER_WORD
        if words > MAX_LYRICS_WORDS and kept:
            break
        kept.append(line)
    return "\n".join(kept)


def _reply(value: LyricsReply | WordsReply | FailedReply) -> ToolReply:
    return ToolReply(json.dumps(value, ensure_ascii=False))


def _found(tools: AgentTools) -> VocabularyState:
    if tools.lyrics is None:
        return {"errors": list(tools.errors)}
    return {"lyrics": tools.lyrics.text, "source": tools.lyrics.source, "errors": list(tools.errors)}


def _as_lyrics(state: VocabularyState) -> Lyrics:
    lines = state.get("lyrics", "").splitlines()
    numbered = tuple(LyricLine(text, number) for number, text in enumerate(lines, 1))
    return Lyrics(numbered, state["song"], state.get("artist", ""), state.get("source", ""))
