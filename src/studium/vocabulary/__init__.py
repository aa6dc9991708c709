"""Vocabulary: songs become words to learn, each with its reading, its meaning and its line."""

from typing import TYPE_CHECKING

from studium.core.features import lazy_names

if TYPE_CHECKING:
    from studium.vocabulary.domain import Part, SongRequest, VocabularyItem, VocabularyResponse

__all__ = ["Part", "SongRequest", "VocabularyItem", "VocabularyResponse"]
__getattr__ = lazy_names(__name__, dict.fromkeys(__all__, "studium.vocabulary.domain"))
