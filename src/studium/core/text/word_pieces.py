"""The pieces of words that MiniLM reads, and so the embedder and the English parser."""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_PIECES = 256
UNKNOWN, CLS, SEP = 100, 101, 102


@cache
def load_word_pieces() -> "Tokenizer":
    """The lower-casing WordPiece tokeniser, built from the vocabulary alone."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    vocabulary = _vocabulary()
    tokenizer = Tokenizer(WordPiece(vocabulary))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    ends = [(token, vocabulary[token]) for token in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.enable_truncation(MAX_PIECES)
    return tokenizer


def is_known_word(word: str) -> bool:
    """Whether a word in lower case is among the 20,000 or so that are a piece of their own."""
    return word in _vocabulary()


@cache
def _vocabulary() -> dict[str, int]:
    listed = files(__package__).joinpath("data/word_pieces.txt").read_text(encoding="utf-8").split("\n")
    return {piece: index for index, piece in enumerate(listed) if piece}
