from pathlib import Path

import pytest
from pydantic import ValidationError

from studium.core.config import Settings, load_settings
from studium.core.config.loader import valid_keys
from studium.core.domain.errors import BadSettings
from studium.core.redaction import redact


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def refused(*overrides: str, config: Path | None = None) -> list[str]:
    with pytest.raises(BadSettings) as problem:
        load_settings(config, overrides)
    return str(problem.value).splitlines()


@pytest.mark.usefixtures("here")
def test_by_default_rules_answer_and_everything_is_under_the_home(home):
    settings = load_settings()
    assert settings.role("cards.mapper") == "rules"
    assert settings.home == home
    assert settings.database_url == f"sqlite:///{home}/database.sqlite"
    assert settings.checkpoints_url == f"sqlite:///{home}/database.checkpoints.sqlite"


def test_flags_override_variables_and_variables_override_the_file(here, monkeypatch):
    (here / "studium.yaml").write_text("budget: {calls: 1, tokens: 1, cost: 1}\n")
    monkeypatch.setenv("STUDIUM_BUDGET__TOKENS", "2")
    monkeypatch.setenv("STUDIUM_BUDGET__COST", "2")
    budget = load_settings(overrides=["budget.cost=3"]).budget
    assert (budget.calls, budget.tokens, budget.cost) == (1, 2, 3)


def test_the_database_may_be_set_under_its_former_name(here, monkeypatch):
    (here / "studium.yaml").write_text("ledger: sqlite:////file.sqlite\n")
    assert load_settings().database == "sqlite:////file.sqlite"
    monkeypatch.setenv("STUDIUM_LEDGER", "sqlite:////variable.sqlite")
    assert load_settings().database == "sqlite:////variable.sqlite"
    assert load_settings(overrides=["ledger=sqlite:////flag.sqlite"]).database == "sqlite:////flag.sqlite"
    assert "--set: `database` should be sqlite:///PATH" in refused("ledger=nowhere")[0]


def test_which_file_is_read(here, home, tmp_path, monkeypatch):
    def write(path: Path) -> Path:
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"prompts: /{path.parent.name}-{path.stem}\n")
        return path

    def read(config: Path | None = None) -> str:
        return str(load_settings(config).prompts)

    write(home / "studium.yaml")
    assert read() == "/home-studium"
    write(here / "studium.yaml")
    assert read() == "/here-studium"
    monkeypatch.setenv("STUDIUM_CONFIG", str(write(tmp_path / "files" / "variable.yaml")))
    assert read() == "/files-variable"
    assert read(write(tmp_path / "files" / "flag.yaml")) == "/files-flag"


def test_a_named_but_missing_file_is_refused(tmp_path):
    assert refused(config=tmp_path / "no.yaml") == [f"There is no settings file {tmp_path}/no.yaml."]


def test_all_problems_are_reported_at_once_with_place_and_nearest_key(here, monkeypatch):
    (here / "studium.yaml").write_text("""\
roles:
  defualt: rules
  cards:
    mapper: gpt
logs:
  level: loud
min_qa_score: 0.5
models:
  openai:gpt-4.1:
    tmeout: 3
  llama: {}
running:
""")
    monkeypatch.setenv("STUDIUM_QUESTIONS__TARGET_COUNT", "0")
    monkeypatch.setenv("STUDIUM_DATABSE", "sqlite:///x")
    assert set(refused("rolez.default=x", "nonsense", "budget={calls")) == {
        "studium.yaml:2: unknown key `roles.defualt`; did you mean `roles.default`?",
        "studium.yaml:4: `roles.cards.mapper` should be written provider:model, as in `ollama:qwen3:14b`, not 'gpt'.",
        "studium.yaml:6: `logs.level` should be 'debug', 'info', 'warning' or 'error', not 'loud'.",
        "studium.yaml:7: unknown key `min_qa_score`; did you mean `agents.min_qa_score`?",
        "studium.yaml:10: unknown key `models.openai:gpt-4.1.tmeout`; did you mean `models.openai:gpt-4.1.timeout`?",
        "studium.yaml:11: `models.llama` should be written provider:model, as in `ollama:qwen3:14b`, not 'llama'.",
        "studium.yaml:12: `running` is a section; write its keys below it, or leave it out.",
        "STUDIUM_QUESTIONS__TARGET_COUNT: `questions.target_count` should be greater than or equal to 1, not '0'.",
        "STUDIUM_DATABSE: unknown key `databse`; did you mean `database`?",
        "--set: unknown key `rolez`; did you mean `roles`?",
        "--set nonsense: expected key=value.",
        "--set: the value of `budget` is not readable as YAML.",
    }


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"roles:\n  default: [rules\n", "studium.yaml:3: not readable as YAML: "),
        (b"- a\n- b\n", "studium.yaml:1: expected `key: value` lines."),
        (b"home: a\nlogs: {}\nhome: b\n", "studium.yaml:3: `home` is set twice."),
        (b"home: \xff\xfe\n", "studium.yaml cannot be read: "),
        (b"home: \x00\n", "studium.yaml:1: not readable as YAML: "),
        (b"budget: {calls: " + b"9" * 20_000 + b"}\n", "studium.yaml:1: not readable as YAML: a number has"),
        (b"home: x\nroles: " + b"[" * 40_000, "studium.yaml:2: not readable as YAML: it is nested"),
        (b"home: 2024-13-45\n", "studium.yaml:1: not readable as YAML: "),
    ],
)
def test_a_broken_file_is_refused_with_the_line(here, content, told):
    (here / "studium.yaml").write_bytes(content)
    [problem] = refused()
    assert problem.startswith(told)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("text", ["", "# nothing yet\n", "\ufeffbudget: {calls: 5}\n"])
def test_an_empty_file_or_a_byte_order_mark_is_fine(text):
    Path("studium.yaml").write_text(text)
    assert load_settings().budget.calls in (None, 5)


@pytest.mark.usefixtures("here")
def test_values_in_flags_and_variables(monkeypatch):
    monkeypatch.setenv("STUDIUM_MODELS", '{"openai:gpt-4.1": {"max_tokens": 10}}')
    monkeypatch.setenv("STUDIUM_DATABASE", "")
    settings = load_settings(
        overrides=[
            'models."openai:gpt-4.1".timeout=5',
            "logs.json=true",
            "roles.cards.qa=ollama:qwen3:14b",
            "prompts=null",
        ]
    )
    model = settings.models["openai:gpt-4.1"]
    assert (model.max_tokens, model.timeout) == (10, 5)
    assert settings.logs.json_lines
    assert settings.prompts is None
    assert settings.role("cards.qa") == "ollama:qwen3:14b"
    assert settings.role("cards.mapper") == "rules"


@pytest.mark.usefixtures("here")
def test_a_key_is_never_shown():
    settings = load_settings(overrides=["models.openai:m.api_key=correct-horse"])
    assert "correct-horse" not in repr(settings)
    assert redact("refused: correct-horse") == "refused: ***"
    wrong = refused("database=mysql://me:correct@host/x", "models.openai:m.api_key={a: correct}")
    assert "correct" not in "".join(wrong)


@pytest.mark.usefixtures("here")
def test_a_postgresql_database_holds_the_checkpoints_too():
    settings = load_settings(overrides=["database=postgresql://me@host/x"])
    assert settings.database_url == settings.checkpoints_url == "postgresql://me@host/x"


def test_settings_do_not_change():
    with pytest.raises(ValidationError):
        Settings().embedder = "none"


def test_every_key_is_described():
    from studium.core.config.loader import section_of

    def undescribed(section) -> list[str]:
        own = [n for n, f in section.model_fields.items() if not f.description and not section_of(f.annotation)]
        inner = [section_of(f.annotation) for f in section.model_fields.values() if not f.description]
        return own + [name for each in inner if each for name in undescribed(each)]

    assert undescribed(Settings) == []
    assert {"roles.questions.validator", "models.NAME.price.input", "logs.json"} <= set(valid_keys())


def test_of_thousands_of_unknown_keys_the_first_are_named(tmp_path):
    path = tmp_path / "studium.yaml"
    path.write_text("".join(f"key{number}: 1\n" for number in range(3_000)))

    with pytest.raises(BadSettings) as refused:
        load_settings(path)

    lines = str(refused.value).splitlines()
    assert "unknown key `key0`" in lines[0]
    assert lines[50:] == ["… and 2950 more."]
