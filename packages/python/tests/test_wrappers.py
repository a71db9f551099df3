"""Wrapped clients of the packages ``openai`` and ``anthropic``, beside real instrumentations."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import anthropic
import openai
import pydantic
import pytest
from openai.types.chat import ChatCompletion
from opentelemetry import trace as otel
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.util._once import Once

from conftest import Service
from fake_model import FakeModel
from fake_service import FakeService
from spanwise import Spanwise

MESSAGES: Any = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "How is the weather?"}]
USAGE = {"inputTokens": 100, "outputTokens": 20, "cachedTokens": 40, "reasoningTokens": 7}
TOOLS: Any = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]
CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Paris"}'}}


@pytest.fixture
def client(sw: Spanwise, model: FakeModel) -> openai.OpenAI:
    return sw.wrap_openai(openai.OpenAI(api_key="k", base_url=model.url + "/v1", max_retries=0))


@pytest.fixture
def aclient(sw: Spanwise, model: FakeModel) -> openai.AsyncOpenAI:
    return sw.wrap_openai(openai.AsyncOpenAI(api_key="k", base_url=model.url + "/v1", max_retries=0))


@pytest.fixture
def claude(sw: Spanwise, model: FakeModel) -> anthropic.Anthropic:
    return sw.wrap_anthropic(anthropic.Anthropic(api_key="k", base_url=model.url, max_retries=0))


def calls(sw: Spanwise, service: Service, run: Any, count: int = 1) -> list[Any]:
    """The spans below a trace within which something runs."""
    with sw.trace("root") as trace:
        run()
    gc.collect()
    assert sw.flush(30)
    found = service.trace(trace.trace_id, lambda one: len(one["spans"]) > count)["spans"]
    spans = sorted((span for span in found if span["name"] != "root"), key=lambda span: str(span["startTime"]))
    assert len(spans) == count, [span["name"] for span in spans]
    return spans


def usage(span: Any) -> Any:
    return {name: span["usage"][name] for name in USAGE}


def test_chat(sw: Spanwise, service: Service, client: openai.OpenAI) -> None:
    assert type(client) is openai.OpenAI
    assert sw.wrap_openai(client) is client

    def run() -> None:
        answer = client.chat.completions.create(model="gpt-4o", messages=MESSAGES)
        assert isinstance(answer, ChatCompletion)
        client.with_options(timeout=5).chat.completions.create(model="gpt-4o", messages=MESSAGES, tools=TOOLS)
        raw = client.chat.completions.with_raw_response.create(model="gpt-4o", messages=MESSAGES)
        assert raw.headers["content-type"] == "application/json"
        assert raw.parse().choices[0].message.content == "It is sunny."

    first, tool, raw = calls(sw, service, run, 3)
    assert (first["name"], first["kind"], first["model"], first["provider"]) == (
        "openai.chat",
        "llm",
        "gpt-4o-2024-08-06",
        "openai",
    )
    assert first["input"] == MESSAGES
    assert first["output"] == raw["output"] == {"role": "assistant", "content": "It is sunny."}
    assert tool["output"] == {"role": "assistant", "tool_calls": [CALL]}
    assert usage(first) == usage(tool) == usage(raw) == USAGE
    assert first.get("timeToFirstTokenMs") is None


class Weather(pydantic.BaseModel):
    answer: str


def test_chat_streams(sw: Spanwise, service: Service, client: openai.OpenAI, model: FakeModel) -> None:
    def run() -> None:
        chunks = list(client.chat.completions.create(model="slow", messages=MESSAGES, stream=True))
        assert all(chunk.choices for chunk in chunks)
        assert model.bodies[-1]["stream_options"] == {"include_usage": True}
        with client.chat.completions.create(
            model="gpt-4o", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
        ) as stream:
            assert isinstance(stream, openai.Stream)
            assert [chunk.usage is not None for chunk in stream][-1]
        for _ in client.chat.completions.create(model="gpt-4o", messages=MESSAGES, stream=True, tools=TOOLS):
            pass
        with client.chat.completions.stream(model="gpt-4o", messages=MESSAGES) as helper:
            assert helper.get_final_completion().choices[0].message.content == "It is sunny."
        raw = client.chat.completions.with_raw_response.create(model="gpt-4o", messages=MESSAGES, stream=True)
        assert len(list(raw.parse())) == 5

    whole, asked, tool, helper, raw = calls(sw, service, run, 5)
    for span in (whole, asked, helper, raw):
        assert span["output"] == {"role": "assistant", "content": "It is sunny."}
    assert tool["output"] == {"role": "assistant", "content": "", "tool_calls": [CALL]}
    assert all(usage(span) == USAGE for span in (whole, asked, tool, helper, raw))
    assert 20 <= whole["timeToFirstTokenMs"] <= whole["durationMs"]


def test_streams_that_are_left_closed_or_broken(sw: Spanwise, service: Service, client: openai.OpenAI) -> None:
    def run() -> None:
        left = client.chat.completions.create(model="gpt-4o", messages=MESSAGES, stream=True)
        chunk: Any = None
        for chunk in left:
            if chunk.choices[0].delta.content:
                break
        del left, chunk
        gc.collect()
        closed = client.chat.completions.create(model="gpt-4o", messages=MESSAGES, stream=True)
        next(closed)
        next(closed)
        next(closed)
        closed.close()
        broken = client.chat.completions.create(model="cut", messages=MESSAGES, stream=True)
        with pytest.raises(openai.APIError, match="broken"):
            list(broken)
        with pytest.raises(openai.RateLimitError) as failed:
            client.chat.completions.create(model="fail", messages=MESSAGES)
        assert failed.value.status_code == 429

    left, closed, broken, failed = calls(sw, service, run, 4)
    assert left["output"] == {"role": "assistant", "content": "It "}
    assert closed["output"] == {"role": "assistant", "content": "It is "}
    assert (broken["errorCode"], broken["output"]) == ("APIError", {"role": "assistant", "content": "It is "})
    assert (failed["errorCode"], failed["model"]) == ("429", "fail")
    assert [span.get("status") == "error" for span in (left, closed)] == [False, False]


def test_responses_and_embeddings(sw: Spanwise, service: Service, client: openai.OpenAI) -> None:
    def run() -> None:
        client.responses.create(model="gpt-4o", instructions="Be short.", input="How is the weather?")
        assert [event.type for event in client.responses.create(model="gpt-4o", input="Hi", stream=True)][
            -1
        ] == "response.completed"
        with client.responses.stream(model="gpt-4o", input="Hi") as stream:
            assert stream.get_final_response().output_text == "It is sunny."
        client.embeddings.create(model="text-embedding-3-small", input=["a", "b"])

    whole, streamed, helper, embedding = calls(sw, service, run, 4)
    assert (whole["name"], whole["input"]) == (
        "openai.responses",
        [{"role": "system", "content": "Be short."}, {"role": "user", "content": "How is the weather?"}],
    )
    for span in (whole, streamed, helper):
        assert span["output"][0]["content"][0]["text"] == "It is sunny."
        assert usage(span) == USAGE
    assert (embedding["name"], embedding["kind"], embedding["input"]) == ("openai.embeddings", "embedding", ["a", "b"])
    assert embedding["usage"]["inputTokens"] == 8


def test_parsed_answers_and_azure(sw: Spanwise, service: Service, model: FakeModel, client: openai.OpenAI) -> None:
    azure = sw.wrap_openai(
        openai.AzureOpenAI(api_key="k", azure_endpoint=model.url, api_version="2024-10-21", azure_deployment="d")
    )

    def run() -> None:
        with pytest.raises(pydantic.ValidationError):
            client.chat.completions.parse(model="gpt-4o", messages=MESSAGES, response_format=Weather)
        azure.chat.completions.create(model="gpt-4o", messages=MESSAGES)

    parsed, of_azure = calls(sw, service, run, 2)
    assert parsed["errorCode"] == "ValidationError"
    assert of_azure["provider"] == "azure"


def test_asynchronous_clients(sw: Spanwise, service: Service, aclient: openai.AsyncOpenAI, model: FakeModel) -> None:
    claude = sw.wrap_anthropic(anthropic.AsyncAnthropic(api_key="k", base_url=model.url, max_retries=0))

    async def main() -> None:
        await aclient.chat.completions.create(model="gpt-4o", messages=MESSAGES)
        stream = await aclient.chat.completions.create(model="gpt-4o", messages=MESSAGES, stream=True)
        assert isinstance(stream, openai.AsyncStream)
        assert len([chunk async for chunk in stream]) == 5
        async with aclient.chat.completions.stream(model="gpt-4o", messages=MESSAGES) as helper:
            await helper.get_final_completion()
        async with claude.messages.stream(
            model="claude-sonnet-4-5", max_tokens=9, messages=[{"role": "user", "content": "Hi"}]
        ) as messages:
            assert await messages.get_final_text() == "It is sunny."
        left = await aclient.chat.completions.create(model="gpt-4o", messages=MESSAGES, stream=True)
        await left.__anext__()
        await left.close()

    whole, streamed, helper, message, left = calls(sw, service, lambda: asyncio.run(main()), 5)
    for span in (whole, streamed, helper):
        assert (span["output"], usage(span)) == ({"role": "assistant", "content": "It is sunny."}, USAGE)
    assert message["output"] == {"role": "assistant", "content": [{"type": "text", "text": "It is sunny."}]}
    assert left["output"] == {"role": "assistant", "content": ""}


def test_messages(sw: Spanwise, service: Service, claude: anthropic.Anthropic) -> None:
    asked: Any = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 99,
        "system": "Be short.",
        "messages": [{"role": "user", "content": "Hi"}],
    }
    tools: Any = [{"name": "weather", "input_schema": {"type": "object"}}]

    def run() -> None:
        assert isinstance(claude.messages.create(**asked), anthropic.types.Message)
        for _ in claude.messages.create(**asked, tools=tools, stream=True):
            pass
        with claude.messages.stream(**asked) as stream:
            assert list(stream.text_stream) == ["It is ", "sunny."]
        with claude.messages.stream(**{name: asked[name] for name in asked if name != "system"}) as stream:
            stream.until_done()
        with pytest.raises(anthropic.RateLimitError):
            claude.messages.create(**{**asked, "model": "fail"})

    whole, streamed, helper, without_system, failed = calls(sw, service, run, 5)
    assert without_system["input"] == asked["messages"]
    assert (whole["name"], whole["provider"], whole["model"]) == ("anthropic.messages", "anthropic", "claude-sonnet-4-5")
    assert whole["input"] == [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hi"}]
    text = {"type": "text", "text": "It is sunny."}
    assert whole["output"] == helper["output"] == {"role": "assistant", "content": [text]}
    assert streamed["output"]["content"][0] == text
    tool = streamed["output"]["content"][1]
    assert (tool["type"], tool["name"], tool["input"]) == ("tool_use", "weather", {"city": "Paris"})
    for span in (whole, streamed, helper):
        found = span["usage"]
        assert (found["inputTokens"], found["outputTokens"], found["cachedTokens"], found["cacheWriteTokens"]) == (
            100,
            20,
            40,
            10,
        )
    assert streamed["timeToFirstTokenMs"] > 0
    assert failed["errorCode"] == "429"


@pytest.fixture
def provider() -> Iterator[TracerProvider]:
    """A global provider of this test alone."""
    before = otel._TRACER_PROVIDER, otel._TRACER_PROVIDER_SET_ONCE
    otel._TRACER_PROVIDER, otel._TRACER_PROVIDER_SET_ONCE = None, Once()
    made = TracerProvider()
    otel.set_tracer_provider(made)
    yield made
    otel._TRACER_PROVIDER, otel._TRACER_PROVIDER_SET_ONCE = before


@pytest.mark.parametrize("before", [True, False])
def test_one_span_a_call_beside_openinference(
    fake: FakeService, model: FakeModel, provider: TracerProvider, before: bool
) -> None:
    from openinference.instrumentation.anthropic import AnthropicInstrumentor
    from openinference.instrumentation.openai import OpenAIInstrumentor

    sw = Spanwise("spw_test", fake.url)
    if before:
        assert {"anthropic", "openai"} <= set(sw.instrument())
    client = sw.wrap_openai(openai.OpenAI(api_key="k", base_url=model.url + "/v1"))
    claude = sw.wrap_anthropic(anthropic.Anthropic(api_key="k", base_url=model.url))
    if not before:
        assert {"anthropic", "openai"} <= set(sw.instrument())
        assert sw.instrument() == sw.instrument()
    try:
        with sw.trace("root"):
            client.chat.completions.create(model="gpt-4o", messages=MESSAGES)
            list(client.chat.completions.create(model="gpt-4o", messages=MESSAGES, stream=True))
            claude.messages.create(model="claude-sonnet-4-5", max_tokens=9, messages=[{"role": "user", "content": "Hi"}])
    finally:
        OpenAIInstrumentor().uninstrument()
        AnthropicInstrumentor().uninstrument()
    assert sw.flush(10)
    names = sorted(span.name for span in fake.spans())
    assert [name for name in names if name.startswith(("openai.", "anthropic.messages"))] in (
        [],
        ["anthropic.messages.create"],
    ), names
    with sw.trace("after"):
        client.chat.completions.create(model="gpt-4o", messages=MESSAGES)
    assert sw.flush(10)
    assert [span.name for span in fake.spans()].count("openai.chat") == 1
    sw.shutdown()


@pytest.mark.skipif(find_spec("langchain_openai") is None, reason="without langchain_openai")
def test_one_span_a_call_of_a_framework(fake: FakeService, model: FakeModel, provider: TracerProvider) -> None:
    from langchain_openai import ChatOpenAI
    from openinference.instrumentation.anthropic import AnthropicInstrumentor
    from openinference.instrumentation.langchain import LangChainInstrumentor
    from openinference.instrumentation.openai import OpenAIInstrumentor

    sw = Spanwise("spw_test", fake.url, flush_interval=60)
    assert {"langchain", "openai"} <= set(sw.instrument())
    key: Any = "k"
    asked = ChatOpenAI(model="gpt-4o", base_url=model.url + "/v1", api_key=key, stream_usage=True)
    try:
        with sw.trace("root"):
            asked.invoke("Hi")
            list(asked.stream("Hi"))
            openai.OpenAI(api_key="k", base_url=model.url + "/v1").chat.completions.create(model="gpt-4o", messages=MESSAGES)
    finally:
        for one in (OpenAIInstrumentor, AnthropicInstrumentor, LangChainInstrumentor):
            one().uninstrument()
    assert sw.flush(10)
    # LangChain's own, and the call that is none of LangChain.
    assert sorted(span.name for span in fake.spans()) == ["ChatCompletion", "ChatOpenAI", "ChatOpenAI", "root"]
    sw.shutdown()


def test_one_span_a_call_beside_openllmetry(fake: FakeService, model: FakeModel, provider: TracerProvider) -> None:
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor

    sw = Spanwise("spw_test", fake.url)
    client = sw.wrap_openai(openai.OpenAI(api_key="k", base_url=model.url + "/v1"))
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    try:
        with sw.trace("root"):
            client.chat.completions.create(model="gpt-4o", messages=MESSAGES)
    finally:
        OpenAIInstrumentor().uninstrument()
    assert sw.flush(10)
    assert "openai.chat" not in [span.name for span in fake.spans()]
    sw.shutdown()


def test_the_span_of_anthropics_own_library_is_not_sent_beside_ours(
    fake: FakeService, model: FakeModel, provider: TracerProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spanwise._instrument._installed", dict)
    sw = Spanwise("spw_test", fake.url)
    assert sw.instrument() == []
    claude = sw.wrap_anthropic(anthropic.Anthropic(api_key="k", base_url=model.url))
    claude.messages.create(model="claude-sonnet-4-5", max_tokens=9, messages=[{"role": "user", "content": "Hi"}])
    plain = anthropic.Anthropic(api_key="k", base_url=model.url)
    plain.messages.create(model="claude-sonnet-4-5", max_tokens=9, messages=[{"role": "user", "content": "Hi"}])
    assert sw.flush(10)
    assert sorted(span.name for span in fake.spans()) == ["anthropic.messages", "anthropic.messages.create"]
    sw.shutdown()


def test_without_a_key_the_request_is_the_applications(model: FakeModel) -> None:
    silent = Spanwise()
    client = silent.wrap_openai(openai.OpenAI(api_key="k", base_url=model.url + "/v1"))
    list(client.chat.completions.create(model="gpt-4o", messages=MESSAGES, stream=True))
    assert "stream_options" not in model.bodies[-1]
    nothing: Any = object()
    assert silent.wrap_openai(nothing) is nothing
