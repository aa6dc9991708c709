"""The HTTP routes of vocabulary."""

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
async def generate_vocabulary(song_request: SongRequest, request: Request) -> VocabularyResponse:
    """Find the words of a song worth learning, from its lyrics or, if online lookup is enabled, from its title."""
    app = request.app.state.service.app
    if app.model.uses_network:
        song = await (await asyncio.to_thread(vocabulary_generator, app)).words_of(song_request)
    else:
        song = await asyncio.to_thread(vocabulary.song_words, app.settings, song_request)
    return VocabularyResponse(vocabulary=song.vocabulary)


@router.delete("/cache")
def clear_cache(request: Request) -> dict[str, int]:
    """Delete every saved song; returns how many there were."""
    return {"forgotten": SongRepository(request.app.state.service.database.transactions).delete_all()}


@router.get("/cache")
def list_cache(request: Request) -> dict[str, Any]:
    """List the saved songs, and where their lyrics came from."""
    songs = SongRepository(request.app.state.service.app.database.transactions).all()
    listed = [
        {"song": each.song, "artist": each.artist, "source": each.source, "words": len(each.vocabulary)}
        for each in songs
    ]
    return {"cache": listed, "count": len(listed)}


@router.get("/vocabulary/sound", response_class=Response, responses=_WAV)
def sound_of_word(
    service: ServiceDep,
    word: Annotated[str, Query(min_length=1, max_length=60, description="As it is written.")],
    reading: Annotated[str, Query(max_length=120, description="How it is read, in kana.")] = "",
) -> Response:
    """Speak a word."""
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(vocabulary.speak_word(service.settings, word, reading), media_type="audio/wav", headers=headers)
