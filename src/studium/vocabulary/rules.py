"""The vocabulary agent without a model: it finds the lyrics and takes the words that the lexicon finds most useful."""

from collections.abc import Callable, Sequence

from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule
from studium.vocabulary.domain import LyricLine, Lyrics
from studium.vocabulary.lexicon import Lexicon
from studium.vocabulary.skills import AGENT, EXTRACT, Claim, Claims, LyricsGiven, SongGiven


def rules(lexicon: Callable[[], Lexicon]) -> dict[str, Rule]:
    """The rules of this feature, over a lexicon that is opened when it is first needed."""

    async def agent(_given: SongGiven, tools: Sequence[Tool]) -> Claims:
        by_name = {tool.name: tool for tool in tools}
        for name in ("get_lyrics", "extract_vocabulary"):
            reply = by_name[name].run(by_name[name].arguments())
            if hasattr(reply, "__await__"):
                await reply
        return Claims()

    def extract(given: LyricsGiven, _tools: Sequence[Tool]) -> Claims:
        lines = tuple(LyricLine(text, number) for number, text in enumerate(given.lyrics.splitlines(), 1))
        items = lexicon().items_in(Lyrics(lines))[: given.count]
        return Claims(vocabulary=tuple(Claim(kanji=i.kanji, romaji=i.romaji, english=i.english) for i in items))

    return {AGENT.name: agent, EXTRACT.name: extract}
