"""Finds books and people by what a reader calls them: nobody should have to know how a title is capitalised."""

from collections.abc import Iterable

from studium.domain.concept import Content, Person


def book(books: Iterable[Content], title: str, author: str) -> Content | None:
    """The first book with this title, and by this author if one is named."""
    return next((one for one in books if _same(one.title, title) and (not author or _same(one.author, author))), None)


def person(people: Iterable[Person], name: str) -> Person | None:
    """The first person with this name."""
    return next((one for one in people if _same(one.name, name)), None)


def _same(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())
