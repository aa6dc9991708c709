"""The words of songs over HTTP."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from studium.http.deps import ServiceDep
from studium.vocabulary import use_cases as vocabulary
from studium.vocabulary.domain import SongRequest, VocabularyResponse
from studium.vocabulary.setup import vocabulary_generator
from studium.vocabulary.song_repository import SongRepository

router = APIRouter(tags=["vocabulary"])

_WAV: dict[int | str, dict[str, Any]] = {200: {"content": {"audio/wav": {}}, "description": "The sound."}}


@router.post("/vocab-generator")
async def generate_vocabulary(wanted: SongRequest, request: Request) -> VocabularyResponse:
    """The words of a song worth learning: from its lyrics, or, where looking up is switched on, from its title."""
    app = request.app.state.service.app
    working = (await asyncio.to_thread(vocabulary_generator, app)).words_of(wanted)
    # Rules never wait, so on the event loop they would let nobody else be answered.
    song = await (working if app.model.waits else asyncio.to_thread(asyncio.run, working))
    return VocabularyResponse(vocabulary=song.vocabulary)


@router.delete("/cache")
def clear_cache(request: Request) -> dict[str, int]:
    """Forget every song; says how many there were."""
    return {"forgotten": SongRepository(request.app.state.service.database.transactions).delete_all()}


@router.get("/cache")
def list_cache(request: Request) -> dict[str, Any]:
    """Every song whose words are kept, and where its lyrics came from."""
    kept = SongRepository(request.app.state.service.app.database.transactions).all()
    listed = [
        {"song": each.song, "artist": each.artist, "source": each.source, "words": len(each.vocabulary)}
        for each in kept
    ]
    return {"cache": listed, "count": len(listed)}


@router.get("/vocabulary/sound", response_class=Response, responses=_WAV)
def sound_of_word(
    service: ServiceDep,
    word: Annotated[str, Query(min_length=1, max_length=60, description="As it is written.")],
    reading: Annotated[str, Query(max_length=120, description="How it is read, in kana.")] = "",
) -> Response:
    """A word, spoken."""
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(vocabulary.speak_word(service.settings, word, reading), media_type="audio/wav", headers=headers)
