"""`corpus.yaml`: what a corpus is and which scenarios it has."""

from pathlib import Path

from pydantic import ValidationError

from studium.core.documents.files import display_path, read_text
from studium.core.domain.errors import BadInput
from studium.domain.question import CorpusConfig

CORPUS_FILE = "corpus.yaml"
_FORM = "It needs `name`, `corpus_context`, and `scenarios`: each with a `name` and a `description`."


def read_corpus(path: Path) -> CorpusConfig:
    """Read a corpus configuration; a missing or unknown field is said with its place."""
    import yaml

    file = read_text(path)
    if file.text is None:
        raise BadInput(f"The corpus configuration cannot be read: {file.findings[0]}", remedy=_FORM)
    try:
        values = yaml.load(file.text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{display_path(path)}:{mark.line + 1}" if mark else display_path(path)
        raise BadInput(f"{place} is no YAML: {getattr(error, 'problem', error)}.", remedy=_FORM) from error
    try:
        return CorpusConfig.model_validate(values)
    except ValidationError as error:
        faults = "; ".join(
            f"`{'.'.join(map(str, fault['loc'])) or 'the file'}`: {_message(fault)}" for fault in error.errors()
        )
        raise BadInput(f"{display_path(path)}: {faults}.", remedy=_FORM) from error


def _message(fault: object) -> str:
    kind = fault["type"] if isinstance(fault, dict) else ""
    known = {"missing": "it is missing", "extra_forbidden": "there is no such field", "too_short": "it is empty"}
    return known.get(kind, str(fault["msg"]).lower() if isinstance(fault, dict) else "")
