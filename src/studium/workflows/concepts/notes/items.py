"""Merges a list of links or quotes item by item: each is found by its text, wherever in the section it stands."""

from collections.abc import Sequence

from studium.workflows.concepts.notes.note import Item, Section

_BULLETS = ("-", "*", "+")


def merge_items(before: Section | None, now: Section, body: list[str]) -> list[str]:
    """Change our items in the body, where they stand as we wrote them; say which of ours do not stand there now."""
    old = before.items if before else {}
    refused = [_removed(item, body) for key, item in old.items() if key not in now.items]
    for key, item in now.items.items():
        if key in old and item.text != old[key].text and not _replaced(old[key], item, body):
            refused.append(item.text)
    for key in now.items:
        if key not in old:
            _add(key, now, body)
    return [text for text in refused if text is not None]


def add_missing(now: Section, body: list[str]) -> list[str]:
    """Add the items of which the body shows no sign."""
    text = "\n".join(body)
    for key, item in now.items.items():
        if (item.sign or item.text) not in text:
            _add(key, now, body)
    return []


def _removed(item: Item, body: list[str]) -> str | None:
    """Take an item out; `""` if the reader reworded it, so that it stays."""
    at = _find(item, body)
    if at is None:
        return "" if item.sign and item.sign in "\n".join(body) else None
    end = at + len(item.text.split("\n"))
    if end < len(body) and not body[end].strip() and (at == 0 or not body[at - 1].strip()):
        end += 1
    while end == len(body) and at and not body[at - 1].strip():
        at -= 1
    del body[at:end]
    return None


def _replaced(old: Item, new: Item, body: list[str]) -> bool:
    at = _find(old, body)
    if at is not None:
        body[at : at + len(old.text.split("\n"))] = new.text.split("\n")
    return at is not None or _find(new, body) is not None


def _add(key: str, now: Section, body: list[str]) -> None:
    """Put an item behind the one it follows in our order, else before the next, else at the end."""
    item = now.items[key]
    if _find(item, body) is not None:
        return
    at = _place(key, now, body)
    lines = item.text.split("\n")
    if not now.tight or (at == len(body) and body and not body[-1].lstrip().startswith(_BULLETS)):
        above = [""] if at and body[at - 1].strip() else []
        lines = [*above, *lines, *([""] if at < len(body) and body[at].strip() else [])]
    body[at:at] = lines


def _place(key: str, now: Section, body: Sequence[str]) -> int:
    keys = list(now.items)
    for earlier in reversed(keys[: keys.index(key)]):
        if (found := _find(now.items[earlier], body)) is not None:
            return found + len(now.items[earlier].text.split("\n"))
    later = (_find(now.items[each], body) for each in keys[keys.index(key) + 1 :])
    return next((found for found in later if found is not None), len(body))


def _find(item: Item, body: Sequence[str]) -> int | None:
    """Where the lines of an item stand in the body."""
    lines = item.text.split("\n")
    bare = [line.rstrip() for line in body]
    return next((at for at in range(len(body) - len(lines) + 1) if bare[at : at + len(lines)] == lines), None)
