"""The real LangChain clients, pointed at the scripted server and closed after each test."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel

from studium.testing import WireServer

Closers = list[Callable[[], Awaitable[None]]]


def _ollama_chat(address: str, closers: Closers) -> BaseChatModel:
    from langchain_ollama import ChatOllama

    chat = ChatOllama(model="qwen3:14b", base_url=address)
    closers.append(chat._async_client.close)
    return chat


def _openai_chat(address: str, closers: Closers) -> BaseChatModel:
    from langchain_openai import ChatOpenAI

    chat = ChatOpenAI(
        model="gpt-4o", base_url=f"{address}/v1", api_key="made-up", max_retries=0, stream_usage=True, temperature=0
    )
    closers.append(chat.root_async_client.close)
    return chat


def _gemini_chat(address: str, closers: Closers) -> BaseChatModel:
    from langchain_google_genai import ChatGoogleGenerativeAI

    _ask_over_httpx()
    chat = ChatGoogleGenerativeAI(model="gemini-2.5-pro", base_url=address, api_key="made-up", max_retries=1)
    closers.append(chat.client.aio.aclose)
    return chat


def _anthropic_chat(address: str, closers: Closers) -> BaseChatModel:
    from langchain_anthropic import ChatAnthropic, _client_utils

    # It keeps a connection for each address, also one that was closed; a port may come twice.
    _client_utils._get_default_async_httpx_client.cache_clear()
    chat = ChatAnthropic(model="claude-scripted", base_url=address, api_key="made-up", max_retries=0)
    closers.append(chat._async_client.close)
    return chat


def _ollama_embedder(address: str, closers: Closers) -> Embeddings:
    from langchain_ollama import OllamaEmbeddings

    embedder = OllamaEmbeddings(model="mxbai-embed-large", base_url=address)
    closers.append(embedder._async_client.close)
    return embedder


def _openai_embedder(address: str, closers: Closers) -> Embeddings:
    from langchain_openai import OpenAIEmbeddings

    embedder = OpenAIEmbeddings(
        model="mxbai-embed-large",
        base_url=f"{address}/v1",
        api_key="made-up",
        max_retries=0,
        check_embedding_ctx_length=False,
    )
    closers.append(embedder.async_client._client.close)
    return embedder


def _gemini_embedder(address: str, closers: Closers) -> Embeddings:
    from langchain_google_genai import GoogleGenerativeAIEmbeddings

    _ask_over_httpx()
    embedder = GoogleGenerativeAIEmbeddings(model="mxbai-embed-large", base_url=address, api_key="made-up")
    closers.append(embedder.client.aio.aclose)
    return embedder


def _ask_over_httpx() -> None:
    """As `core/llm/providers.py` configures it."""
    from google.genai import _api_client

    _api_client.has_aiohttp = False


_CHATS = {"ollama": _ollama_chat, "openai": _openai_chat, "gemini": _gemini_chat, "anthropic": _anthropic_chat}
_EMBEDDERS = {"ollama": _ollama_embedder, "openai": _openai_embedder, "gemini": _gemini_embedder}


class Clients:
    """One protocol's clients."""

    def __init__(self, protocol: str) -> None:
        self.protocol = protocol
        self.closers: Closers = []

    def chat(self, server: WireServer) -> Any:
        return _CHATS[self.protocol](server.address, self.closers)

    def embedder(self, server: WireServer) -> Embeddings:
        return _EMBEDDERS[self.protocol](server.address, self.closers)


@pytest.fixture(params=_CHATS)
async def clients(request):
    clients = Clients(request.param)
    yield clients
    for close in clients.closers:
        await close()


@pytest.fixture(params=_EMBEDDERS)
async def embedding_clients(request):
    clients = Clients(request.param)
    yield clients
    for close in clients.closers:
        await close()
