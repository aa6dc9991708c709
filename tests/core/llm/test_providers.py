"""From `provider:model` to a client."""

import subprocess
import sys

import pytest
from pydantic import SecretStr

from studium.core.domain.errors import BadSettings
from studium.core.domain.usage import Price
from studium.core.llm.providers import ModelSpec, build_chat_model, check_spec


def test_a_name_is_split_at_its_first_colon():
    spec = ModelSpec("ollama:qwen3:14b")
    assert (spec.provider, spec.model) == ("ollama", "qwen3:14b")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("olama:qwen3:14b", "`olama:qwen3:14b` names no model of a known provider; did you mean `ollama:qwen3:14b`?"),
        ("zzz:1", "`zzz:1` names no model of a known provider"),
        ("openai", "`openai` names no model of a known provider; did you mean `openai:MODEL`?"),
    ],
)
def test_an_unknown_provider_is_refused_with_the_nearest(name: str, message: str):
    with pytest.raises(BadSettings) as refused:
        check_spec(ModelSpec(name))
    assert refused.value.what == message
    assert "ollama, openai, google_genai, anthropic" in refused.value.remedy


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openai:gpt-4o", "OPENAI_API_KEY"),
        ("google_genai:gemini-2.5-pro", "GOOGLE_API_KEY"),
        ("anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
    ],
)
def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch, name: str, variable: str):
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(BadSettings, match="needs a key") as refused:
        build_chat_model(ModelSpec(name))
    assert variable in refused.value.remedy

    monkeypatch.setenv(variable, "made-up-key-4711")
    check_spec(ModelSpec(name))


async def test_the_providers_key_is_not_sent_to_another_address(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "made-up-key-4711")
    client = build_chat_model(ModelSpec("openai:local", base_url="http://127.0.0.1:9/v1"))
    assert client.model.root_async_client.api_key == "none"
    await client.close()


WITHOUT_PACKAGES = """
import sys
from studium.core.domain.errors import MissingExtra
from studium.core.llm.providers import PROVIDERS, ModelSpec, build_chat_model

sys.modules |= dict.fromkeys(["langchain_ollama", "langchain_openai", "langchain_google_genai", "anthropic"])
for provider in PROVIDERS:
    try:
        build_chat_model(ModelSpec(f"{provider}:m", base_url="http://127.0.0.1:9"))
    except MissingExtra as missing:
        print(missing.remedy)
"""


def test_a_missing_package_says_the_line_that_installs_it():
    printed = subprocess.run(
        [sys.executable, "-c", WITHOUT_PACKAGES], capture_output=True, text=True, check=True
    ).stdout
    assert printed.splitlines() == [
        "pip install 'studium[ollama]'",
        "pip install 'studium[openai]'",
        "pip install 'studium[google_genai]'",
        "pip install 'studium[anthropic]'",
    ]


def test_the_cost_is_known_for_local_models_and_where_there_is_a_price():
    assert ModelSpec("ollama:qwen3:14b").cost(1000, 1000) == 0.0
    assert ModelSpec("openai:gpt-4o").cost(1000, 1000) is None
    assert ModelSpec("openai:gpt-4o", price=Price(input=2.5, output=10)).cost(1_000_000, 100_000) == 3.5


def test_a_key_is_not_in_what_a_spec_prints():
    assert "4711" not in repr(ModelSpec("openai:gpt-4o", api_key=SecretStr("made-up-key-4711")))


def test_the_chat_model_is_imported_without_langchain():
    code = (
        "import sys, studium.core.llm.chat_model; print(sorted(m for m in sys.modules if 'lang' in m or 'numpy' in m))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"
