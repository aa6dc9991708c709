"""The words of songs over HTTP."""

from typing import Any

from fastapi import APIRouter, Request

from studium.bootstrap.songs import songs
from studium.domain.word import SongRequest, VocabularyResponse
from studium.workflows.vocabulary.tools import return_vocabulary

router = APIRouter(tags=["vocabulary"])


@router.post("/vocab-generator", response_model=VocabularyResponse)
async def generate_vocabulary(wanted: SongRequest, request: Request) -> dict[str, Any]:
    """The words of a song worth learning: from its lyrics, or, where looking up is switched on, from its title."""
    kept = await songs(request.app.state.house).words_of(wanted)
    return return_vocabulary(kept.vocabulary)


@router.get("/cache")
async def list_cache(request: Request) -> dict[str, Any]:
    """Every song whose words are kept, and where its lyrics came from."""
    kept = request.app.state.house.ledger.kept_songs()
    listed = [
        {"song": each.song, "artist": each.artist, "source": each.source, "words": len(each.vocabulary)}
        for each in kept
    ]
    return {"cache": listed, "count": len(listed)}
