"""The media files of cards, named by their content so that each is copied once."""

import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from studium.anki.store import MEDIA_PREFIX, AnkiStore, MediaFile
from studium.core.domain.finding import Finding, Severity

IMAGES = frozenset({"avif", "bmp", "gif", "jpeg", "jpg", "png", "svg", "webp"})
SOUNDS = frozenset({"3gp", "aac", "flac", "m4a", "mp3", "oga", "ogg", "opus", "wav"})
VIDEOS = frozenset({"avi", "m4v", "mkv", "mov", "mp4", "mpg", "ogv", "webm"})
PLAYABLE = SOUNDS | VIDEOS

SIZE_LIMIT = 30 * 1024 * 1024

_OUR_NAME = re.compile(rf"{MEDIA_PREFIX}[0-9a-f]{{16}}\.[a-z0-9]{{2,4}}")
_ACTIVE_SVG = re.compile(
    r"<\s*(?:\w+:)?(?:script|iframe|object|embed|handler|listener)\b|\bon[a-z]+\s*=|javascript\s*:|<!\s*entity",
    re.IGNORECASE,
)


def suffix_of(path: str) -> str:
    """The suffix of a path in lower case: `png` for `img/A.PNG`."""
    return path.rpartition("/")[2].rpartition(".")[2].lower()


class MediaLibrary:
    """The media of one run; each file is read once unless it changes."""

    def __init__(self, size_limit: int = SIZE_LIMIT) -> None:
        self._size_limit = size_limit
        self._known: dict[tuple[str, int, int], MediaFile | Finding] = {}

    def take(self, path: Path) -> MediaFile | Finding:
        """The file with its name in Anki, or a finding that says why it cannot be used."""
        try:
            status = path.stat()
            key = (str(path), status.st_mtime_ns, status.st_size)
            if key not in self._known:
                self._known[key] = self._read(path, status.st_size)
            return self._known[key]
        except OSError as error:
            return _refused("media.missing", f"{path.name} cannot be read: {error.strerror or error}.")

    def _read(self, path: Path, size: int) -> MediaFile | Finding:
        suffix = suffix_of(path.name)
        if suffix not in IMAGES | PLAYABLE:
            return _refused("media.type", f"{path.name} is not a picture, sound or video that Anki shows.")
        if size > self._size_limit:
            return _refused(
                "media.size",
                f"{path.name} has {size / 2**20:.1f} MB; at most {self._size_limit / 2**20:.0f} MB are copied to Anki.",
            )
        content = path.read_bytes()
        if suffix == "svg" and not _is_safe_svg(content):
            return _refused("media.unsafe", f"{path.name} holds scripts; export it as a plain SVG or a PNG.")
        return MediaFile(name=f"{MEDIA_PREFIX}{sha256(content).hexdigest()[:16]}.{suffix}", path=str(path))


def unused_media(present: Iterable[str], fields: Iterable[str]) -> set[str]:
    """Our files in the media folder that no field uses any more."""
    used = {name for field in fields for name in _OUR_NAME.findall(field)}
    return {name for name in present if _OUR_NAME.fullmatch(name)} - used


def _is_safe_svg(svg: bytes) -> bool:
    """Whether a drawing has no scripts; one that is not UTF-8 could hide a script and is refused."""
    try:
        return not _ACTIVE_SVG.search(svg.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _refused(code: str, message: str) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, message=message)


def find_unused_media(store: AnkiStore) -> list[str]:
    """Our media files that no note of the collection uses."""
    present = store.our_media()
    if not present:
        return []
    notes = store.notes(store.find(f'"*{MEDIA_PREFIX}*"'))
    return sorted(unused_media(present, (text for note in notes.values() for text in note.fields.values())))
