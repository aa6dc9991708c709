"""Texts become vectors: the embedded MiniLM by default, any LangChain embedder by name, cached by content."""

from studium.minds.embeddings.building import build_embedder
from studium.minds.embeddings.cached import CachedEmbedder

__all__ = ["CachedEmbedder", "build_embedder"]
