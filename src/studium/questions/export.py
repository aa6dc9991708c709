"""Export pairs as RAGAS or JSON Lines data sets, CSV, Parquet or an Anki package."""

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Literal, TypedDict

from studium.anki.escaping import escape_text
from studium.anki.note_types import BASIC, CLOZE, SOURCE_FIELD
from studium.anki.package import write_package
from studium.anki.store import ID_FIELD, NewNote
from studium.core.domain.document import content_id
from studium.core.domain.finding import Evidence
from studium.core.domain.value import Value
from studium.core.extras import needs_extra
from studium.core.files import atomic_write, write_text
from studium.questions.chunks import Chunk, ChunkedCorpus
from studium.questions.domain import QAPair
from studium.questions.kinds import BLANK, lettered


class Offsets(Value):
    """The characters of the document's text that a context takes; `None` if its document is gone."""

    start: int | None = None
    end: int | None = None


class ExportedPair(QAPair):
    """A pair with the whole chunks that hold its evidence; the three lists have one entry a chunk."""

    reference_contexts: tuple[str, ...] = ()
    reference_context_ids: tuple[str, ...] = ()
    reference_context_offsets: tuple[Offsets, ...] = ()


def exported_pairs(pairs: Sequence[QAPair], corpus: ChunkedCorpus) -> list[ExportedPair]:
    """The pairs with the chunks that hold their evidence."""
    return [_exported(pair, corpus.contexts(pair)) for pair in pairs]


def _exported(pair: QAPair, contexts: Sequence[Chunk]) -> ExportedPair:
    return ExportedPair(
        **dict(pair),
        reference_contexts=tuple(chunk.text for chunk in contexts),
        reference_context_ids=tuple(chunk.id for chunk in contexts),
        reference_context_offsets=tuple(Offsets(start=chunk.start, end=chunk.end) for chunk in contexts),
    )


def write_jsonl(pairs: Sequence[ExportedPair], target: Path) -> None:
    """Write one pair a line, with all its fields; Hugging Face `datasets` loads it as `json`."""
    write_text(target, "".join(pair.model_dump_json() + "\n" for pair in pairs))


def write_chunks(chunks: Iterable[Chunk], target: Path) -> None:
    """Write one chunk a line: the corpus that retrieval is scored on."""
    write_text(target, "".join(chunk.model_dump_json() + "\n" for chunk in chunks))


def write_ragas(pairs: Sequence[ExportedPair], target: Path) -> None:
    """Write each pair as a RAGAS sample; the chunks with its evidence are the reference contexts."""
    # RAGAS reads the file in the encoding of the machine: ASCII is the same in all of them.
    write_text(target, "".join(json.dumps(_sample(pair)) + "\n" for pair in pairs))


class RagasSample(TypedDict):
    """A sample of a RAGAS test set, with the quotes in its contexts that prove the answer."""

    user_input: str
    reference: str
    reference_contexts: list[str]
    reference_context_ids: list[str]
    reference_context_offsets: list[dict[str, int | None]]
    reference_quotes: list[str]
    source_document: str


def _sample(pair: ExportedPair) -> RagasSample:
    return {
        "user_input": pair.open_question,
        "reference": pair.open_answer,
        "reference_contexts": list(pair.reference_contexts),
        "reference_context_ids": list(pair.reference_context_ids),
        "reference_context_offsets": [each.model_dump() for each in pair.reference_context_offsets],
        "reference_quotes": [evidence.quote for evidence in pair.evidence],
        "source_document": pair.source_document,
    }


COLUMNS = (
    *("question", "answer", "source_document", "category", "quote", "line", "page", "context_ids", "contexts"),
    *("kind", "choices", "difficulty"),
)

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def write_csv(pairs: Sequence[ExportedPair], target: Path) -> None:
    """Write a header and one row a pair; several quotes, places or contexts are separate lines of one cell."""
    with atomic_write(target) as part, part.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        rows.writerows([_escape_formula(cell) for cell in _row(pair)] for pair in pairs)


def _row(pair: ExportedPair) -> tuple[str, ...]:
    return (
        pair.question,
        pair.answer,
        pair.source_document,
        pair.category,
        _join_refs(pair, lambda evidence: evidence.quote),
        _join_refs(pair, lambda evidence: evidence.where.line),
        _join_refs(pair, lambda evidence: evidence.where.page),
        "\n".join(pair.reference_context_ids),
        "\n\n".join(pair.reference_contexts),
        pair.kind,
        "\n".join(pair.choices),
        pair.difficulty or "",
    )


def _join_refs(pair: QAPair, value_of: Callable[[Evidence], str | int | None]) -> str:
    values = (value_of(evidence) for evidence in pair.evidence)
    return "\n".join(str(value) for value in values if value is not None)


def _escape_formula(cell: str) -> str:
    """Prefix a cell that a spreadsheet would run as a formula, so that it is read as text."""
    return f"'{cell}" if cell.lstrip(" \n").startswith(_FORMULA_STARTS) else cell


def write_parquet(pairs: Sequence[ExportedPair], target: Path) -> None:
    """Write the pairs as one table."""
    with needs_extra("parquet", "Writing Parquet"):
        import pyarrow as pa
        from pyarrow.parquet import write_table
    table = pa.Table.from_pylist([pair.model_dump(mode="json") for pair in pairs], schema=_schema(pa))
    with atomic_write(target) as part:
        write_table(table, part)


def _schema(pa: Any) -> Any:
    where = pa.struct({"path": pa.string(), "line": pa.int64(), "end_line": pa.int64(), "page": pa.int64()})
    evidence = pa.struct({"passage": pa.string(), "quote": pa.string(), "where": where})
    metadata = {"generator_model": pa.string(), "validator_model": pa.string(), "attempt_number": pa.int64()}
    return pa.schema(
        {
            "question": pa.string(),
            "answer": pa.string(),
            "source_document": pa.string(),
            "category": pa.string(),
            "evidence": pa.list_(evidence),
            "content_refs": pa.list_(pa.string()),
            "generation_metadata": pa.struct(metadata),
            "kind": pa.string(),
            "choices": pa.list_(pa.string()),
            "difficulty": pa.string(),
            "asks": pa.string(),
            "expected": pa.string(),
            "reference_contexts": pa.list_(pa.string()),
            "reference_context_ids": pa.list_(pa.string()),
            "reference_context_offsets": pa.list_(pa.struct({"start": pa.int64(), "end": pa.int64()})),
        }
    )


def write_anki_package(pairs: Sequence[QAPair], target: Path) -> None:
    """Write an Anki package with one deck for each document."""
    write_package(target, {_note_id(pair): _note(pair) for pair in pairs})


def _note_id(pair: QAPair) -> str:
    return content_id(f"{pair.source_document}\n{pair.question}")


def _note(pair: QAPair) -> NewNote:
    own, note_type = _cloze_fields(pair) if pair.kind == "cloze" else _basic_fields(pair)
    fields = own | {
        "Extra": "".join(_quoted(evidence) for evidence in pair.evidence),
        SOURCE_FIELD: escape_text(pair.source_document),
        ID_FIELD: _note_id(pair),
    }
    return NewNote(note_type=note_type, deck=_deck(pair), fields=fields)


def _basic_fields(pair: QAPair) -> tuple[dict[str, str], str]:
    choices = "".join(f"<br>{escape_text(choice)}" for choice in lettered(pair.choices))
    return {"Front": escape_text(pair.question) + choices, "Back": escape_text(_lettered_answer(pair))}, BASIC


def _lettered_answer(pair: QAPair) -> str:
    return next((each for each in lettered(pair.choices) if each.endswith(f") {pair.answer}")), pair.answer)


def _cloze_fields(pair: QAPair) -> tuple[dict[str, str], str]:
    before, _, after = map(_escape_cloze, pair.question.partition(BLANK))
    return {"Text": f"{before}{{{{c1::{_escape_cloze(pair.answer)}}}}}{after}"}, CLOZE


def _escape_cloze(text: str) -> str:
    """Escape plain text, and what would begin, split or end a cloze."""
    return escape_text(text).replace("{", "&#123;").replace("}", "&#125;").replace(":", "&#58;")


def _deck(pair: QAPair) -> str:
    # `::` makes a deck within a deck.
    return f"Questions::{PurePath(pair.source_document).stem.replace('::', ' ')}"


def _quoted(evidence: Evidence) -> str:
    return f"<blockquote>{escape_text(evidence.quote)}</blockquote><p>{escape_text(str(evidence.where))}</p>"


ExportFormat = Literal["ragas", "jsonl", "csv", "parquet", "anki"]

_WRITERS: Mapping[ExportFormat, Callable[[Sequence[ExportedPair], Path], None]] = {
    "ragas": write_ragas,
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
    "anki": write_anki_package,
}
EVALUATION_FORMATS = ("ragas", "jsonl", "parquet")
"""The formats of evaluations, beside which a file lists the chunks of the documents."""


def write_dataset(
    pairs: Sequence[QAPair], target: Path, form: ExportFormat, corpus: ChunkedCorpus | None = None
) -> list[Path]:
    """Write the pairs in a format, atomically, and for an evaluation the chunks of the corpus beside them."""
    chunked = corpus or ChunkedCorpus()
    _WRITERS[form](exported_pairs(pairs, chunked), target)
    if form not in EVALUATION_FORMATS or not chunked.documents:
        return [target]
    beside = target.with_name(f"{target.stem}.chunks.jsonl")
    write_chunks(chunked.chunks(), beside)
    return [target, beside]
