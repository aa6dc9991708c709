"""How much of a song a learner knows already."""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from studium.domain.word import SungWord


@dataclass(frozen=True)
class Coverage:
    """How many of a song's content words are known: of all that are sung, and of the different ones."""

    running: int
    running_known: int
    distinct: int
    distinct_known: int
    unknown: tuple[str, ...]
    """The words still to learn, the most sung first."""

    @property
    def share(self) -> float:
        """The known part of what is sung, from 0 to 1; a song without words hides nothing."""
        return self.running_known / self.running if self.running else 1.0

    @property
    def distinct_share(self) -> float:
        """The known part of the different words, from 0 to 1."""
        return self.distinct_known / self.distinct if self.distinct else 1.0

    def __str__(self) -> str:
        # Rounded down: only who knows every word knows 100 %.
        return f"you know {int(self.share * 100)} % of this song ({self.distinct_known} of {self.distinct} words)"


def coverage(words: Sequence[SungWord], known: AbstractSet[str]) -> Coverage:
    """Count a song's content words against the words that a learner knows."""
    content = [word for word in words if word.is_content]
    sung = Counter(word.lemma for word in content)
    familiar = {word.lemma for word in content if is_known(word, known)}
    unknown = [lemma for lemma, _ in sung.most_common() if lemma not in familiar]
    return Coverage(
        running=sung.total(),
        running_known=sum(sung[lemma] for lemma in familiar),
        distinct=len(sung),
        distinct_known=len(familiar),
        unknown=tuple(unknown),
    )


def is_known(word: SungWord, known: AbstractSet[str]) -> bool:
    """Whether a learner knows a word, as it is written in dictionaries or, as beginners have it, in kana only."""
    return word.lemma in known or word.lemma_reading in known
