"""Packages that only some of Studium needs come with an extra; where one is missing, the error names the extra."""

from collections.abc import Iterator
from contextlib import contextmanager

from studium.core.domain.errors import MissingExtra


@contextmanager
def needs_extra(extra: str, what: str) -> Iterator[None]:
    """Import the packages of an extra in this block; if one is missing, say what needs it and how to install it.

    with needs_extra("parquet", "Writing Parquet"):
        import pyarrow
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in {"", "studium"}:
            raise
        raise missing_extra(extra, what, package) from error


def missing_extra(extra: str, what: str, package: str) -> MissingExtra:
    """The error for a package that is not installed."""
    return MissingExtra(f"{what} needs the Python package {package}.", remedy=f"pip install 'studium[{extra}]'")
