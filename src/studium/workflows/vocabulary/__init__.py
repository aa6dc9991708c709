"""Vocabulary: songs become words to learn, each with its reading, its meaning and its line."""

from studium.domain.word import Part, SongRequest, VocabularyItem, VocabularyResponse

__all__ = ["Part", "SongRequest", "VocabularyItem", "VocabularyResponse"]
