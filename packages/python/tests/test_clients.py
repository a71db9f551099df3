"""Clients that call models by other clients, with all instrumentations on that are installed: one span a call, never two."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import Any

import openai
import pytest
from opentelemetry.sdk.trace import TracerProvider

from fake_model import FakeModel
from fake_service import FakeService
from spanwise import Spanwise

MESSAGES: Any = [{"role": "user", "content": "How is the weather?"}]
#: Names of the attributes by which conventions say that a span is a call of a model.
CALL = {"openinference.span.kind": "LLM", "gen_ai.operation.name": "chat", "spanwise.kind": "llm"}


def calls(fake: FakeService) -> list[str]:
    """The names of the spans that are calls."""
    found = []
    for span in fake.spans():
        attributes = {one.key: one.value.string_value for one in span.attributes}
        if any(attributes.get(name) == value for name, value in CALL.items()):
            found.append(span.name)
    return found


@pytest.fixture
def client(fake: FakeService) -> Any:
    sw = Spanwise("spw_test", fake.url, flush_interval=60)
    yield sw
    sw.shutdown(0)


@pytest.mark.skipif(find_spec("litellm") is None, reason="without litellm")
@pytest.mark.parametrize("asynchronous", [False, True])
def test_litellm(
    client: Spanwise, fake: FakeService, model: FakeModel, monkeypatch: pytest.MonkeyPatch, asynchronous: bool
) -> None:
    # It would fetch its prices from the network.
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm  # type: ignore[import-not-found, unused-ignore]  # pyright: ignore[reportMissingImports]

    names = client.instrument(TracerProvider())
    assert {"litellm", "openai"} <= set(names)
    asked: dict[str, Any] = {"model": "openai/gpt-4o", "messages": MESSAGES, "api_base": model.url + "/v1", "api_key": "k"}
    with client.trace("root"):
        if asynchronous:
            asyncio.run(litellm.acompletion(**asked))
        else:
            litellm.completion(**asked)
    assert client.flush(30)
    assert len(calls(fake)) == 1, [span.name for span in fake.spans()]


@pytest.mark.skipif(find_spec("pydantic_ai") is None, reason="without pydantic_ai")
@pytest.mark.parametrize("recorded", ["wrapped", "instrumented", "both"])
def test_pydantic_ai(client: Spanwise, fake: FakeService, model: FakeModel, recorded: str) -> None:
    import pydantic_ai  # type: ignore[import-not-found, unused-ignore]  # pyright: ignore[reportMissingImports]
    from pydantic_ai.models.openai import (  # type: ignore[import-not-found, unused-ignore]  # pyright: ignore[reportMissingImports]
        OpenAIChatModel,
    )
    from pydantic_ai.providers.openai import (  # type: ignore[import-not-found, unused-ignore]  # pyright: ignore[reportMissingImports]
        OpenAIProvider,
    )

    if recorded != "wrapped":
        client.instrument(TracerProvider())
    asked = openai.AsyncOpenAI(api_key="k", base_url=model.url + "/v1")
    if recorded != "instrumented":
        asked = client.wrap_openai(asked)
    agent = pydantic_ai.Agent(OpenAIChatModel("gpt-4o", provider=OpenAIProvider(openai_client=asked)))
    with client.trace("root"):
        assert agent.run_sync("How is the weather?").output == "It is sunny."
    assert client.flush(30)
    assert len(calls(fake)) == 1, [span.name for span in fake.spans()]
