"""Build the tutor and its parts from the settings."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.core.app import App, load_embedder, open_database
from studium.core.config import Settings
from studium.core.domain.errors import NotFound
from studium.core.domain.ports import Embedder
from studium.core.features import FeatureGraph
from studium.core.files import write_text
from studium.core.reader_process import is_server, outside_server
from studium.core.redaction import register_secret
from studium.tutor.dependencies import LiveLab, TutorDependencies
from studium.tutor.domain import Lab
from studium.tutor.error_detection.detector import BoundedDetector, ErrorDetector, load_detector
from studium.tutor.tools import Permission, deny_all
from studium.tutor.tutor import SHIPPED_LABS, NetworkingLabTutor, default_dependencies, shipped_lab

if TYPE_CHECKING:
    from studium.core.domain.document import Passage
    from studium.core.llm.models import Rule
    from studium.tutor.domain import Device, TypedCommand
    from studium.tutor.knowledge import Knowledge
    from studium.tutor.labs.live_labs import LocalLab, RemoteLab
    from studium.tutor.student_store import StudentStore

_TOGETHER = 32


def lab_folders(settings: Settings) -> tuple[Path, ...]:
    """The folders that are searched for labs."""
    return (SHIPPED_LABS, *([settings.tutor.labs] if settings.tutor.labs else []))


@outside_server(lambda _settings, name: f"The lab {name}")
def load_lab(settings: Settings, name: str) -> Lab:
    """Load a lab by name."""
    return shipped_lab(name, *lab_folders(settings)[1:])


def live_lab(settings: Settings, lab: Lab, allowed: Permission = deny_all) -> "LocalLab | RemoteLab":
    """The lab on the devices in the settings, else on this machine, running or not."""
    routers = {device.name for device in lab.devices if device.kind == "router"}
    if routers and routers <= settings.tutor.devices.keys():
        from studium.tutor.labs.live_labs import RemoteLab

        return RemoteLab(lab, partial(_over_ssh, settings), allowed)
    return open_local_lab(settings, lab, allowed)


def recorded_lab(lab: Lab, typed: "Sequence[TypedCommand]") -> "RemoteLab":
    """The lab on recorded devices."""
    from studium.tutor.devices.replay import ReplayDevice
    from studium.tutor.labs.live_labs import RemoteLab

    # A recording calls a device by its prompt (`R1`), a lab by its name (`r1`); a nameless recording is of them all.
    named = any(each.device for each in typed)

    def recorded(name: str) -> ReplayDevice:
        of = [each for each in typed if not named or each.device.casefold() == name.casefold()]
        return ReplayDevice(name, of)

    return RemoteLab(lab, recorded)


def open_local_lab(settings: Settings, lab: Lab, allowed: Permission = deny_all) -> "LocalLab":
    """The lab on this machine, running or not."""
    from studium.tutor.labs.live_labs import LocalLab

    return LocalLab(lab, settings.home / "labs" / lab.id, allowed=allowed)


def student_store(settings: Settings) -> "StudentStore":
    """The store of the student."""
    from studium.tutor.student_store import StudentStore

    return StudentStore(settings.home / "student")


def error_detector(settings: Settings) -> ErrorDetector:
    """The detector with the shipped patterns and those in the settings."""
    wanted = (learned_patterns_folder(settings), settings.tutor.patterns)
    folders = tuple(folder for folder in wanted if folder and folder.is_dir())
    return BoundedDetector(folders) if is_server() else load_detector(folders)


def learned_patterns_folder(settings: Settings) -> Path:
    """The folder of approved patterns."""
    return settings.home / "patterns"


def tutor_dependencies(app: App, live: Callable[[], LiveLab | None] = lambda: None) -> TutorDependencies:
    """What the tutor's graph nodes depend on."""
    settings = app.settings
    knowledge = cache(lambda: build_knowledge(settings, load_embedder(settings, app.database)))
    return TutorDependencies(
        model=app.model,
        detector=error_detector(settings),
        knowledge=lambda _lab: knowledge(),
        lab=lambda name: load_lab(settings, name),
        live=live,
    )


def build_tutor(app: App, live: Callable[[], LiveLab | None] = lambda: None) -> NetworkingLabTutor:
    """The tutor with the student's mastery."""
    learner = student_store(app.settings).learner()
    return NetworkingLabTutor(tutor_dependencies(app, live), learner=learner, reasoning=app.settings.tutor.reasoning)


def embed_passages(settings: Settings, tell: Callable[[int, int], None]) -> None:
    """Embed all passages once; `tell` receives the number done and the total."""
    from studium.core.retrieval import texts_to_index

    texts = texts_to_index(all_passages(settings))
    with open_database(settings) as database:
        embedder = load_embedder(settings, database)
        if embedder is None:
            return
        for start in range(0, len(texts), _TOGETHER):
            embedder.embed(texts[start : start + _TOGETHER])
            tell(min(start + _TOGETHER, len(texts)), len(texts))


def silent_tutor(settings: Settings, lab: Lab) -> NetworkingLabTutor:
    """A tutor that only tracks what the student does, without search or model."""
    dependencies = replace(
        default_dependencies(), detector=error_detector(settings), lab=lambda name: load_lab(settings, name)
    )
    made = NetworkingLabTutor(dependencies, learner=student_store(settings).learner())
    made.start_lab(lab.id)
    return made


def build_knowledge(settings: Settings, embedder: Embedder | None = None) -> "Knowledge":
    """Build the knowledge base, searched by words and by meaning."""
    from studium.tutor.knowledge import Knowledge

    return Knowledge(all_passages(settings), embedder)


def all_passages(settings: Settings) -> "list[Passage]":
    """All passages: shipped ones, lab pages and the student's documents."""
    from studium.tutor.knowledge import lab_passages, read_documents, shipped_passages

    own = [lab_passages(folder) for folder in lab_folders(settings)[1:]]
    added = [read_documents(folder).passages for folder in document_folders(settings)]
    return [*shipped_passages(), *(each for passages in (*own, *added) for each in passages)]


def document_folders(settings: Settings) -> list[Path]:
    """The folders of documents that the student added."""
    try:
        return [Path(folder) for folder in json.loads(_listed(settings).read_text("utf-8"))]
    except FileNotFoundError:
        return []


def add_documents(settings: Settings, folder: Path) -> None:
    """Add a folder of documents for the tutor to search."""
    folders = dict.fromkeys([*map(str, document_folders(settings)), str(folder.resolve())])
    write_text(_listed(settings), json.dumps(list(folders)))


def _over_ssh(settings: Settings, name: str) -> "Device":
    from studium.tutor.devices.ssh import SshAddress, SshDevice

    known = settings.tutor.devices.get(name)
    if known is None:
        raise NotFound(f"The settings name no device `{name}`.", remedy="Add it under `tutor.devices`.")
    if known.password:
        register_secret(known.password.get_secret_value())
    return SshDevice(SshAddress(**known.model_dump()), name)


def _listed(settings: Settings) -> Path:
    return settings.home / "student" / "documents.json"


def tutor_rules(_app: App) -> "Mapping[str, Rule]":
    """The rules that answer the skills of the tutor."""
    from studium.tutor.rules.answers import RULES

    return RULES


def _draw_graph() -> Any:
    from studium.tutor.tutor import create_tutoring_graph

    return create_tutoring_graph().compile(name="tutor")


@asynccontextmanager
async def _open_graph(app: App) -> AsyncIterator[Any]:
    from studium.tutor.tutor import create_tutoring_graph

    dependencies = await asyncio.to_thread(tutor_dependencies, app)
    yield create_tutoring_graph(dependencies).compile(name="tutor")


GRAPHS = (FeatureGraph("tutor", _draw_graph, _open_graph),)
