"""Files that people write in YAML: settings, corpora, and proposals edited in a review."""
# ruff: noqa: E501 - tables read better in long lines

from hypothesis import strategies as st
from tests.fuzz.notes import YAML_LINES, YAML_MARKS
from tests.fuzz.pieces import Case, files, nested, pumped, texts

_SETTINGS = (
    "home: {}", "database: {}", "embedder: {}", "roles:\n  default: {}", "models:\n  {}:\n    model: {}\n    api_key: {}\n    price: {}", "models: {a: {model: {}, temperature: {}}}", "serve:\n  port: {}\n  host: {}\n  token: {}\n  roots: [{}]", "cards: {vault: {}, ignore: [{}]}", "cards:\n  max_changes: {}",
    "vocabulary: {language: {}}", "tutor: {labs: {}}", "questions:\n  count: {}", "concepts: {vault: {}}", "limits: {}", "agents: {enabled: {}}", "ledger: {}", "tracing: {otel: {}}", "{}: {}", "serve: {}", "roles: [{}]", "1: {}", "null: {}", "[a]: {}", "{a: b}: {}", "? [a]\n: {}",
)  # fmt: skip
_CORPUS = (
    "name: {}",
    "corpus_context: {}",
    "scenarios:\n  a:\n    name: {}\n    description: {}",
    "scenarios: {a: {name: {}, description: {}}}",
    "scenarios: [{}]",
    "scenarios: {{}: {}}",
    "documents: {}",
    "{}: {}",
)
_REVIEW = (
    "concepts:\n- key: c1\n  title: {}\n  concept: {}\n  quotes: [q1]", "concepts:\n- {title: {}, quotes: [{}]}", "concepts: {}", "- {key: {}, title: {}}", "relations:\n- c1 OPPOSES c2: {}", "relations: ['{} SUPPORTS {}']", "relations: {}", "- {} SUPPORTS {}", "- c1 SUPPORTS {}: {}", "- {c1 SUPPORTS c2: {}, a: {}}", "kept: {}", "unattributed: {}", "quotes: {}", "{}: {}", "book: {}",
    "changes:\n- {action: edit, concept: c1, title: {}, text: {}}", "changes: [{action: {}, concept: {}}]", "changes: [{action: merge, concept: c1, others: [{}]}]", "changes: [{action: split, concept: c1, parts: [{title: {}, concept: {}, quotes: [{}]}]}]", "changes: {}", "- {action: relate, concept: c1, target: {}, type: {}}", "- {action: add, title: {}, quotes: [{}]}", "1: {}", "[a]: {}",
)  # fmt: skip


def _forms(lines: tuple[str, ...]) -> st.SearchStrategy[str]:
    marks = st.one_of(nested(YAML_MARKS), pumped(YAML_MARKS))
    filled = st.builds(lambda line, value: line.replace("{}", value), st.sampled_from(lines), marks)
    return st.one_of(texts(lines, YAML_MARKS), texts(lines + YAML_LINES, YAML_MARKS), filled)


def settings_files() -> st.SearchStrategy[Case]:
    """Settings files."""
    return files(("studium.yaml",), _forms(_SETTINGS))


def corpora() -> st.SearchStrategy[Case]:
    """`corpus.yaml`."""
    return files(("corpus.yaml",), _forms(_CORPUS))


@st.composite
def _document(draw: st.DrawFn) -> str:
    """Both sections, so that what is in them is reached."""
    title, end = draw(st.tuples(pumped(YAML_MARKS), st.sampled_from(["c2", "k1", "Idea 2", "c9", ""])))
    quoted = title.replace("'", "''").replace("\n", " ")
    return f"concepts:\n- key: c1\n  title: '{quoted}'\n  quotes: q1\n- key: c2\n  title: b\nrelations:\n- 'c1 SUPPORTS {end}{quoted}'\n"


def reviews() -> st.SearchStrategy[Case]:
    """A proposal as a person edited it, and files of changes."""
    names = ("document.yaml", "changes.yaml")
    return st.one_of(files(names, _forms(_REVIEW)), files(names[:1], _document()))
