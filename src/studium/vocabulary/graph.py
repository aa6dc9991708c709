"""The vocabulary agent: it finds lyrics, extracts words and returns them; the dictionary has the last word.

run_agent ──→ extract_directly ──→ verify_vocabulary ──→ END
    └─────────────(it returned words)──────↑
"""

from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from studium.core.domain.finding import Finding
from studium.core.domain.ports import Model
from studium.vocabulary.agent_tools import AgentTools
from studium.vocabulary.domain import FindLyrics, LyricLine, Lyrics, VocabularyItem
from studium.vocabulary.lexicon import Lexicon
from studium.vocabulary.skills import AGENT, Claim, SongGiven

MIN_WORDS = 5
"""So many words at least are returned, where the song has as many."""
MAX_WORDS = 400
"""No more words than these."""


class VocabularyState(TypedDict, total=False):
    """A song on its way to its words. `lyrics`, `vocabulary` and `errors` are what the agent has so far."""

    song: str
    artist: str
    count: int
    lyrics: str
    source: str
    claims: list[Claim]
    vocabulary: list[VocabularyItem]
    errors: list[str]
    findings: list[Finding]


Step = dict[str, Any]


@dataclass(frozen=True)
class VocabularySteps:
    """The nodes; each takes from the state, asks, and returns the change."""

    model: Model
    lexicon: Lexicon
    find_lyrics: FindLyrics

    async def run_agent(self, state: VocabularyState) -> Step:
        """Let the agent find the lyrics, extract words, and return those worth learning."""
        bench = self._bench(state)
        given = SongGiven(song=state["song"], artist=state.get("artist", ""), count=bench.count)
        answer = await self.model.answer(AGENT, given, tools=bench.tools())
        claims = list(answer.output.vocabulary) if answer.output else []
        # A model may claim to know a song that it never looked for.
        await bench.get_lyrics()
        # What the agent returns may be empty, or only a summary of what it extracted a moment ago.
        return _found(bench) | {"claims": claims or bench.claims, "findings": list(answer.findings)}

    async def extract_directly(self, state: VocabularyState) -> Step:
        """The agent came to no end: find the lyrics and extract words without it."""
        bench = self._bench(state)
        await bench.get_lyrics()
        await bench.extract_vocabulary()
        return _found(bench) | {"claims": bench.claims, "errors": _together(state.get("errors", []), bench.errors)}

    async def verify_vocabulary(self, state: VocabularyState) -> Step:
        """Take each word as the dictionary has it; where there are too few, add the next best of the song."""
        lyrics = _as_lyrics(state)
        items = self.lexicon.items_in(lyrics)
        checked = [self.lexicon.check(claim, items) for claim in state.get("claims", [])]
        # Two words may be written alike: 辛い is karai, and tsurai.
        chosen = {(each.item.kanji, each.item.reading): each.item for each in checked if each.item}
        for item in items:
            if len(chosen) >= max(state["count"], MIN_WORDS):
                break
            chosen.setdefault((item.kanji, item.reading), item)
        findings = [finding for each in checked for finding in each.findings]
        words = list(chosen.values())[: max(state["count"], MIN_WORDS)]
        return {"vocabulary": words, "findings": [*state.get("findings", []), *findings]}

    def _bench(self, state: VocabularyState) -> AgentTools:
        bench = AgentTools(
            self.model,
            self.find_lyrics,
            count=max(state["count"], MIN_WORDS),
            song=state["song"],
            artist=state.get("artist", ""),
        )
        if state.get("lyrics"):
            bench.lyrics = _as_lyrics(state)
        return bench


def after_agent(state: VocabularyState) -> Literal["verify_vocabulary", "extract_directly"]:
    """Go on without the agent where it brought no words."""
    return "verify_vocabulary" if state.get("claims") and state.get("lyrics") else "extract_directly"


def after_extraction(state: VocabularyState) -> Literal["verify_vocabulary", "__end__"]:
    """Without lyrics there is nothing to verify."""
    return "verify_vocabulary" if state.get("lyrics") else "__end__"


def create_vocabulary_graph(
    model: Model, lexicon: Lexicon, find_lyrics: FindLyrics
) -> CompiledStateGraph[VocabularyState, None, VocabularyState, VocabularyState]:
    """The compiled agent for one song."""
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


def _together(before: list[str], now: list[str]) -> list[str]:
    return list(dict.fromkeys([*before, *now]))


def _found(bench: AgentTools) -> Step:
    if bench.lyrics is None:
        return {"errors": list(bench.errors)}
    return {"lyrics": bench.lyrics.text, "source": bench.lyrics.source, "errors": list(bench.errors)}


def _as_lyrics(state: VocabularyState) -> Lyrics:
    lines = state.get("lyrics", "").splitlines()
    numbered = tuple(LyricLine(text, number) for number, text in enumerate(lines, 1))
    return Lyrics(numbered, state["song"], state.get("artist", ""), state.get("source", ""))
