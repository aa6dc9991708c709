"""Exit codes: 0 done, 1 something failed, 2 bad usage or input, 3 a needed part is missing."""

from studium.core.domain.errors import BadInput, MissingPart

_CODES = ((BadInput, 2), (MissingPart, 3))


def exit_code(error: BaseException) -> int:
    """The code that a program sees when this ended the command."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), 1)
