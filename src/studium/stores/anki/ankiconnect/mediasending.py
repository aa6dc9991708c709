"""Media through AnkiConnect: by path where Anki sees our files, otherwise as base64, which is slow."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import urlsplit

from studium.core.domain.finding import Finding
from studium.domain.anki import MediaFile
from studium.stores.anki import refusals
from studium.stores.anki.ankiconnect.wire import Ask, Refusal, Wire, batches

_BATCH = 100
_MEGABYTE = 1_000_000
_LARGEST = 20 * _MEGABYTE
_TOGETHER = 4 * _MEGABYTE
_SECONDS_A_MEGABYTE = 5


def send_media(wire: Wire, files: Sequence[MediaFile]) -> list[Finding]:
    """Store those of these files that Anki lacks by name, and say which could not be stored."""
    there = {normalize("NFC", name) for name in wire.ask("getMediaFilesNames", pattern="*")} if files else set()
    # The same picture on several cards is sent once.
    missing = {name: file for file in files if (name := normalize("NFC", file.name)) not in there}
    sizes, findings = _measured(list(missing.values()))
    unseen = list(sizes)
    if _is_here(wire.address):
        unseen = _sent_by_path(wire, unseen, findings)
    for batch in _by_weight(unseen, sizes, findings):
        _send_content(wire, batch, findings)
    return findings


def _measured(files: Sequence[MediaFile]) -> tuple[dict[MediaFile, int], list[Finding]]:
    sizes, findings = {}, []
    for file in files:
        try:
            sizes[file] = Path(file.path).stat().st_size
        except OSError as error:
            findings.append(refusals.media_missing(file.name, error.strerror or str(error)))
    return sizes, findings


def _sent_by_path(wire: Wire, files: Sequence[MediaFile], findings: list[Finding]) -> list[MediaFile]:
    """Let Anki read the files itself; those that it cannot see (a sandbox, a container) are left to be sent."""
    unseen = []
    for batch in batches(files, _BATCH):
        asks = [_storing(file, path=str(Path(file.path).absolute())) for file in batch]
        for file, answer in zip(batch, wire.ask_all(asks), strict=True):
            if isinstance(answer, Refusal):
                unseen.append(file)
            else:
                findings += refusals.media_renamed(file.name, answer)
    return unseen


def _send_content(wire: Wire, files: Sequence[MediaFile], findings: list[Finding]) -> None:
    asks, sent = [], []
    for file in files:
        try:
            asks.append(_storing(file, data=b64encode(Path(file.path).read_bytes()).decode()))
            sent.append(file)
        except OSError as error:
            findings.append(refusals.media_missing(file.name, error.strerror or str(error)))
    weight = sum(len(ask.params["data"]) for ask in asks)
    answers = wire.ask_all(asks, seconds=_SECONDS_A_MEGABYTE * weight / _MEGABYTE)
    for file, answer in zip(sent, answers, strict=True):
        if isinstance(answer, Refusal):
            findings.append(refusals.media_refused(file.name, answer.words))
        else:
            findings += refusals.media_renamed(file.name, answer)


def _by_weight(
    files: Sequence[MediaFile], sizes: dict[MediaFile, int], findings: list[Finding]
) -> Iterator[list[MediaFile]]:
    """Groups that are quick enough to send; a file that never is becomes a finding."""
    batch: list[MediaFile] = []
    for file in files:
        if sizes[file] > _LARGEST:
            told = f"{sizes[file] // _MEGABYTE} MB are too many to send; copy it into Anki's media folder"
            findings.append(refusals.media_refused(file.name, told))
            continue
        if batch and sum(sizes[one] for one in batch) + sizes[file] > _TOGETHER:
            yield batch
            batch = []
        batch.append(file)
    if batch:
        yield batch


def _storing(file: MediaFile, **content: str) -> Ask:
    params: dict[str, Any] = {"filename": file.name, "deleteExisting": False, **content}
    return Ask("storeMediaFile", params)


def _is_here(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
