"""From an embedder's name to the embedder: `minilm`, `none`, or `provider:model`."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from studium.domain.errors import BadSettings, MissingExtra
from studium.domain.ports import Embedder
from studium.minds.embeddings.langchain import Connection, LangChainEmbedder
from studium.minds.embeddings.minilm import MiniLM
from studium.minds.providers import KEY_VARIABLES, LOCAL, ModelSpec, key_of

if TYPE_CHECKING:
    from pydantic import SecretStr


def build_embedder(name: str, base_url: str | None = None, api_key: "SecretStr | None" = None) -> Embedder | None:
    """The embedder of this name; `none` is none. Nothing is loaded or asked before the first text."""
    if name == "none":
        return None
    if name == MiniLM.name:
        return MiniLM()
    spec = ModelSpec(name, base_url=base_url, api_key=api_key)
    _check(spec)
    try:
        return LangChainEmbedder(spec, _BUILDERS[spec.provider](spec))
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"{name} needs the Python package {error.name}", remedy=f"pip install 'studium[{spec.provider}]'"
        ) from error


def _check(spec: ModelSpec) -> None:
    if spec.provider not in _BUILDERS or not spec.model:
        near = get_close_matches(spec.provider, ["minilm", "none", *_BUILDERS], n=1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        providers = ", ".join(f"`{provider}:MODEL`" for provider in _BUILDERS)
        raise BadSettings(f"`{spec.name}` names no embedder{hint}", remedy=f"Write `minilm`, `none` or {providers}.")
    if spec.provider not in LOCAL and spec.base_url is None and not key_of(spec):
        variable = KEY_VARIABLES[spec.provider]
        raise BadSettings(f"{spec.name} needs a key", remedy=f"Set {variable}, or `api_key` of the embedder.")


def _ollama(spec: ModelSpec) -> Connection:
    from langchain_ollama import OllamaEmbeddings

    class Ollama(OllamaEmbeddings):
        def close(self) -> None:
            client: Any = self._client
            client.close()

    key = key_of(spec)
    headers = {"headers": {"Authorization": f"Bearer {key}"}} if key else {}
    model = Ollama(model=spec.model, base_url=spec.base_url, client_kwargs={"timeout": spec.timeout, **headers})
    return Connection(model, model.close)


def _openai(spec: ModelSpec) -> Connection:
    from langchain_openai import OpenAIEmbeddings
    from openai import DefaultHttpxClient
    from pydantic import SecretStr

    http = DefaultHttpxClient()
    model = OpenAIEmbeddings(
        model=spec.model,
        openai_api_base=spec.base_url,
        openai_api_key=SecretStr(key_of(spec) or "none"),
        request_timeout=spec.timeout,
        max_retries=0,
        http_client=http,
        # Counting tokens first would fetch a table from the network, which other servers than OpenAI's do not go by.
        check_embedding_ctx_length=False,
    )
    return Connection(model, http.close)


def _google_genai(spec: ModelSpec) -> Connection:
    from google.genai import Client
    from google.genai.types import HttpOptions
    from langchain_google_genai import GoogleGenerativeAIEmbeddings
    from pydantic import SecretStr

    key = key_of(spec) or "none"
    model = GoogleGenerativeAIEmbeddings(model=spec.model, api_key=SecretStr(key))
    # Its own client never times out, whatever it is told.
    client = Client(api_key=key, http_options=HttpOptions(base_url=spec.base_url, timeout=int(spec.timeout * 1000)))
    model.client = client
    return Connection(model, client.close)


_BUILDERS: dict[str, Callable[[ModelSpec], Connection]] = {
    "ollama": _ollama,
    "openai": _openai,
    "google_genai": _google_genai,
}
