"""Ports: what the upper floors ask of minds, stores and embedders, whoever provides it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import BaseModel

from studium.domain.budget import Limits
from studium.domain.concept import Approved, Concept, Content, Person, Quote, Relation, Support
from studium.domain.lab import Lab
from studium.domain.skill import Answer, Skill, Tool
from studium.domain.usage import Call, Turn
from studium.domain.word import Entry, Gloss, PartOfSpeech, SungWord

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Output = TypeVar("Output")


class Mind(Protocol):
    """Whoever answers a skill."""

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Answer, or say in findings why not; raise only for what would fail for every item."""
        ...


class TurnStore(Protocol):
    """Remembers what chat models replied, and what each call took."""

    def recall(self, key: str) -> Turn | None:
        """The reply to this very question, if it was ever paid for."""
        ...

    def remember(self, turn: Turn | None, call: Call, *, run: str, item: str) -> None:
        """Keep a reply (if it is worth keeping) and what it took, in one transaction."""
        ...

    def forget(self, keys: Sequence[str]) -> None:
        """Drop replies that led nowhere, so that the next run asks anew."""
        ...


class SharedLimits(Protocol):
    """What all the workers on a run keep to together; each call of it may wait for a server."""

    def reserve_call(self, run: str, limits: Limits, *, tokens: int, cost: float) -> str | None:
        """Set one call of the run aside; or say which limit it would pass, and set nothing aside."""
        ...

    def settle_call(self, run: str, *, tokens: int, cost: float) -> None:
        """Add what a call took beyond what was set aside for it; mostly it is less, and these are negative."""
        ...

    def take_slot(self, model: str, spacing: float) -> float:
        """How many seconds a call of this model must wait, if all calls of it start so many seconds apart."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    name: str

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row a text."""
        ...


class VectorStore(Protocol):
    """Remembers vectors by embedder and content."""

    def recall_vectors(self, embedder: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The little-endian float32 vectors that are known."""
        ...

    def remember_vectors(self, embedder: str, vectors: dict[str, bytes]) -> None:
        """Keep vectors."""
        ...


class Dictionary(Protocol):
    """Says what words mean, in one language, and which words of it mean something in English."""

    def look_up(self, lemma: str, reading: str | None = None, pos: PartOfSpeech | None = None) -> Sequence[Entry]:
        """The entries of a word, the likeliest first."""
        ...

    def gloss(self, word: SungWord, line: str) -> Gloss | None:
        """What a word means in its line; `None` if the dictionary does not have it."""
        ...

    def reverse(self, english: str, pos: PartOfSpeech | None = None) -> Sequence[Entry]:
        """The words that mean this, the most useful to a learner first."""
        ...

    def kanji_readings(self, sign: str) -> Sequence[str]:
        """How a sign can be read, as KANJIDIC2 writes it (`ガク`, `まな.ぶ`); none for what is no kanji."""
        ...


class ConceptGraph(Protocol):
    """Books, their quotes, and the concepts that the quotes carry; every call may wait for a disk or a server.

    Ids are the caller's. Similarity is the cosine, from -1 to 1, whatever the store says. Safe to call from threads.
    """

    def version(self) -> int | None:
        """A number that is another one after another program has written; nothing where the store cannot tell."""
        ...

    def save_book(
        self,
        book: Content,
        author: Person | None,
        quotes: Sequence[Quote],
        vectors: "Mapping[str, NDArray[np.float32]]",
    ) -> None:
        """Keep a book with its author and quotes, or bring what is kept up to date; a vector not given stays."""
        ...

    def remove_quotes(self, quotes: Sequence[str]) -> None:
        """Drop quotes, and with them what they support."""
        ...

    def remove_book(self, uuid: str) -> None:
        """Drop a book with its quotes, and its author if no other book is theirs; concepts stay."""
        ...

    def book(self, uuid: str) -> Content | None:
        """The book with this id."""
        ...

    def find_book(self, title: str, author: str = "") -> Content | None:
        """The book with this title, and by this author if one is named; whatever the case of the letters."""
        ...

    def books(self) -> Sequence[Content]:
        """Every book, by title."""
        ...

    def author_of(self, book: str) -> Person | None:
        """Who wrote a book, if that is known."""
        ...

    def find_author(self, name: str) -> Person | None:
        """The person with this name, whatever the case of the letters."""
        ...

    def quotes_of(self, book: str) -> Sequence[Quote]:
        """The quotes of a book, in the order in which they were given."""
        ...

    def vectors_of(self, uuids: Sequence[str]) -> "dict[str, NDArray[np.float32]]":
        """The vectors of quotes and concepts, for those that have one."""
        ...

    def search_quotes(
        self, vector: "NDArray[np.float32]", *, limit: int = 50, threshold: float = 0.7
    ) -> Sequence[tuple[Quote, float]]:
        """The quotes most similar to a vector, the most similar first."""
        ...

    def search_concepts(
        self, vector: "NDArray[np.float32]", *, limit: int = 50, threshold: float = 0.7
    ) -> Sequence[tuple[Concept, float]]:
        """The concepts most similar to a vector, the most similar first."""
        ...

    def concept(self, uuid: str) -> Concept | None:
        """The concept with this id."""
        ...

    def concepts(self) -> Sequence[Concept]:
        """Every concept, by title."""
        ...

    def relations(self, of: str | None = None) -> Sequence[Relation]:
        """How a concept relates to others, or all relations; each stands in both directions."""
        ...

    def supports(self, of: str | None = None) -> Sequence[Support]:
        """Which quotes carry a concept, or all of them."""
        ...

    def commit(self, approved: Approved) -> None:
        """Keep all of it or nothing, with each relation in both directions; a second time changes nothing."""
        ...

    def counts(self) -> dict[str, int]:
        """How many nodes there are by label, and how many links by type; `RELATIONS` are those between concepts."""
        ...

    def close(self) -> None:
        """Let go of the file or the server."""
        ...


class Device(Protocol):
    """A device at its command line; one conversation, which remembers its mode. Calls may wait for the device."""

    name: str

    @property
    def prompt(self) -> str:
        """The prompt that waits now, as in `R1(config-if)#`."""
        ...

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Type one line; what the device says, without echo, prompt and control codes."""
        ...

    def close(self) -> None:
        """Leave the device as it is and let go of it."""
        ...


class LabBench(Protocol):
    """Where the devices of a lab run."""

    def up(self, lab: Lab) -> None:
        """Bring the lab up with its starting configuration; what a killed run left behind is cleaned up first."""
        ...

    def down(self) -> None:
        """Take the lab down; only what is ours goes."""
        ...

    def reset(self) -> None:
        """Every device as it was at the start."""
        ...

    def device(self, name: str) -> Device:
        """A new conversation with a device."""
        ...

    def is_alive(self, name: str) -> bool:
        """Whether a device answers."""
        ...

    def restart(self, name: str) -> None:
        """Start a device that died anew, with the configuration it had last saved."""
        ...

    def ping(self, device: str, target: str, *, timeout: float = 2.0) -> bool:
        """Whether a device reaches an address."""
        ...
