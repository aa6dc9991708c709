"""Providers: from `provider:model` to a LangChain client that belongs to one event loop."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal

from studium.core.certificates import trusted_certificates
from studium.core.domain.errors import BadSettings
from studium.core.domain.usage import Price
from studium.core.extras import needs_extra
from studium.core.redaction import register_secret

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from pydantic import SecretStr

KEY_VARIABLES = {
    "ollama": "OLLAMA_API_KEY",
    "openai": "OPENAI_API_KEY",
    "google_genai": "GOOGLE_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
}
LOCAL_PROVIDERS = frozenset({"ollama"})


@dataclass(frozen=True)
class ModelSpec:
    """Which model, where it is, and how it may be used. `name` is `provider:model`, split at the first colon."""

    name: str
    base_url: str | None = None
    api_key: "SecretStr | None" = None
    temperature: float | None = 0.0
    max_tokens: int | None = None
    timeout: float = 60.0
    price: Price | None = None
    max_concurrency: int = 8
    requests_per_minute: float | None = None
    tools: Literal["native", "text"] = "native"
    structured: Literal["json_schema", "function_calling", "json_mode"] = "json_schema"
    retries: int = 4

    @property
    def provider(self) -> str:
        """The part before the first colon."""
        return self.name.partition(":")[0]

    @property
    def model(self) -> str:
        """The part after the first colon: `qwen3:14b` of `ollama:qwen3:14b`."""
        return self.name.partition(":")[2]

    @property
    def address(self) -> str:
        """The address of the model, for messages."""
        return self.base_url or ("http://localhost:11434" if self.provider == "ollama" else f"the {self.provider} API")

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """The cost of a call; `None` if the price is unknown."""
        if self.price:
            return self.price.of(input_tokens, output_tokens)
        return 0.0 if self.provider in LOCAL_PROVIDERS else None


@dataclass(frozen=True)
class ProviderClient:
    """A chat model and how to close its connections; it belongs to one event loop."""

    model: "BaseChatModel"
    close: Callable[[], Awaitable[None]]


def check_spec(spec: ModelSpec) -> None:
    """Refuse a model whose provider is unknown or whose key is missing."""
    if spec.provider not in _BUILDERS or not spec.model:
        near = get_close_matches(spec.provider, _BUILDERS, n=1)
        hint = f"; did you mean `{near[0]}:{spec.model or 'MODEL'}`?" if near else ""
        raise BadSettings(
            f"`{spec.name}` names no model of a known provider{hint}",
            remedy=f"Write `provider:model`; the providers are {', '.join(_BUILDERS)}.",
        )
    if spec.provider not in LOCAL_PROVIDERS and spec.base_url is None and api_key_of(spec) is None:
        variable = KEY_VARIABLES[spec.provider]
        raise BadSettings(f"{spec.name} needs a key", remedy=f"Set {variable}, or `api_key` of the model.")


def build_chat_model(spec: ModelSpec) -> ProviderClient:
    """The client of this model; a missing package is named with the line that installs it."""
    check_spec(spec)
    with needs_extra(spec.provider, spec.name):
        return _BUILDERS[spec.provider](spec)


def api_key_of(spec: ModelSpec) -> str | None:
    """The key to send; the provider's own variable is never sent to another address."""
    variable = os.environ.get(KEY_VARIABLES[spec.provider]) if spec.base_url is None else None
    key = spec.api_key.get_secret_value() if spec.api_key else variable
    register_secret(key or "")
    return key


@cache
def _ollama_class() -> "type[Any]":
    from langchain_ollama import ChatOllama

    class Ollama(ChatOllama):
        async def aclose(self) -> None:
            client: Any = self._async_client
            await client.close()

    return Ollama


def _ollama(spec: ModelSpec) -> ProviderClient:
    key = api_key_of(spec)
    model = _ollama_class()(
        model=spec.model,
        base_url=spec.base_url,
        temperature=spec.temperature,
        num_predict=spec.max_tokens,
        client_kwargs={"verify": trusted_certificates(), "headers": {"Authorization": f"Bearer {key}"} if key else {}},
    )
    return ProviderClient(model, model.aclose)


def _openai(spec: ModelSpec) -> ProviderClient:
    from langchain_openai import ChatOpenAI
    from openai import DefaultAsyncHttpxClient
    from pydantic import SecretStr

    # By default all instances share one HTTP client, which then fails on a second event loop.
    http = DefaultAsyncHttpxClient(verify=trusted_certificates())
    model = ChatOpenAI(
        model=spec.model,
        base_url=spec.base_url,
        api_key=SecretStr(api_key_of(spec) or "none"),
        temperature=spec.temperature,
        max_completion_tokens=spec.max_tokens,
        max_retries=0,
        http_async_client=http,
        use_responses_api=False,
        # For servers other than OpenAI's, the client does not request the token counts of a stream.
        stream_usage=True,
    )
    return ProviderClient(model, http.aclose)


def _google_genai(spec: ModelSpec) -> ProviderClient:
    from google.genai import _api_client
    from langchain_google_genai import ChatGoogleGenerativeAI

    # With aiohttp installed, the client would use it and leave replies half read; use httpx as for the others.
    _api_client.has_aiohttp = False
    model = ChatGoogleGenerativeAI(
        model=spec.model,
        base_url=spec.base_url,
        api_key=api_key_of(spec) or "none",
        temperature=spec.temperature,
        max_output_tokens=spec.max_tokens,
        max_retries=1,  # it counts attempts, not retries
        client_args={"verify": trusted_certificates()},
    )
    return ProviderClient(model, model.aclose)


@cache
def _anthropic_class() -> "type[Any]":
    from anthropic import AsyncClient, DefaultAsyncHttpxClient
    from langchain_anthropic import ChatAnthropic

    class Anthropic(ChatAnthropic):
        # As with OpenAI's client, the shared HTTP client must not be used.
        @cached_property
        def _async_client(self) -> AsyncClient:
            return AsyncClient(
                **self._client_params, http_client=DefaultAsyncHttpxClient(verify=trusted_certificates())
            )

        async def aclose(self) -> None:
            await self._async_client.close()

    return Anthropic


def _anthropic(spec: ModelSpec) -> ProviderClient:
    options: dict[str, Any] = {"max_tokens": spec.max_tokens} if spec.max_tokens else {}
    model = _anthropic_class()(
        model=spec.model,
        base_url=spec.base_url,
        api_key=api_key_of(spec) or "none",
        temperature=spec.temperature,
        max_retries=0,
        **options,
    )
    return ProviderClient(model, model.aclose)


_BUILDERS: dict[str, Callable[[ModelSpec], ProviderClient]] = {
    "ollama": _ollama,
    "openai": _openai,
    "google_genai": _google_genai,
    "anthropic": _anthropic,
}
PROVIDERS = tuple(_BUILDERS)
