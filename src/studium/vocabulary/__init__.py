"""Vocabulary: songs become words to learn, each with its reading, its meaning and its line."""

from studium.vocabulary.domain import Part, SongRequest, VocabularyItem, VocabularyResponse

__all__ = ["Part", "SongRequest", "VocabularyItem", "VocabularyResponse"]
