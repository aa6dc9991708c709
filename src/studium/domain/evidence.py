"""Evidence: the span of source that something was made from."""

from studium.domain.finding import Locator
from studium.domain.value import Value


class Evidence(Value):
    """The passage and the exact quote in it, as it stands in the source."""

    passage: str
    quote: str
    where: Locator
