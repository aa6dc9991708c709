"""The vocabulary job: one song through the agent, its words checked by the dictionary."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from studium.core.domain.decision import Action, Decision
from studium.core.domain.document import content_id
from studium.core.domain.finding import Evidence, Finding, Locator, Severity
from studium.core.domain.ports import Model
from studium.core.runs.run_spec import RunItem, RunSpec
from studium.domain.word import SongRequest, VocabularyItem
from studium.workflows.vocabulary.graph import create_vocabulary_graph
from studium.workflows.vocabulary.lexicon import Lexicon
from studium.workflows.vocabulary.state import MOST
from studium.workflows.vocabulary.tools import FindLyrics


def vocabulary_job(request: SongRequest, mind: Model, lexicon: Lexicon, find_lyrics: FindLyrics) -> RunSpec:
    """The job for one song."""
    count = MOST if request.count == "all" else request.count
    state = {"song": request.song, "artist": request.artist, "count": count}
    about = {"song": request.song, "artist": request.artist, "count": request.count}
    return RunSpec(
        faculty="vocabulary",
        arguments=about | {"lyrics": content_id(request.lyrics) if request.lyrics else None},
        note=" · ".join(part for part in (request.song, request.artist) if part),
        graph=create_vocabulary_graph(mind, lexicon, find_lyrics),
        items=[RunItem(request.song, partial(dict, state))],
        decide=_decide,
    )


def words_in(decisions: Sequence[Decision]) -> list[VocabularyItem]:
    """The words that a run came to."""
    return [VocabularyItem.model_validate(each.proposal) for each in decisions if each.action is Action.CREATE]


def errors_in(decisions: Sequence[Decision]) -> list[Finding]:
    """What went wrong in a run."""
    return [finding for each in decisions for finding in each.findings if finding.severity is Severity.ERROR]


def _decide(item: RunItem, state: dict[str, Any]) -> list[Decision]:
    """A decision for each word, and one for the song with what was found out about the words that were claimed."""
    source = state.get("source", "")
    words = [_word(item.id, word, source) for word in state.get("vocabulary", [])]
    errors = [] if words else state.get("errors", [])
    failures = [Finding(code="song.failed", severity=Severity.ERROR, message=error) for error in errors]
    song = Decision(
        item=item.id,
        action=Action.SKIP,
        reasons=tuple(errors),
        findings=(*failures, *state.get("findings", ())),
        order={"source": source},
    )
    return [*words, song]


def _word(song: str, word: VocabularyItem, source: str) -> Decision:
    where = Locator(path=source or song, line=word.line_number)
    evidence = (Evidence(passage=content_id(word.line), quote=word.line, where=where),) if word.line else ()
    proposal = word.model_dump(mode="json")
    return Decision(item=f"{song}#{word.kanji}", action=Action.CREATE, evidence=evidence, proposal=proposal)
