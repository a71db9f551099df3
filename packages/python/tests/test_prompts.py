"""Prompts: compiled, cached, and used while the service is away."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from uuid import uuid4

import pytest

from conftest import Service, eventually
from fake_service import FakeService, Reply, Request, reply
from spanwise import Prompt, Spanwise, SpanwiseError


def test_prompts_of_the_service(sw: Spanwise, service: Service) -> None:
    name = f"greeting {uuid4()}"
    service.post("/v1/prompts", {"name": name, "prompt": "Hello {{ name }}!", "config": {"t": 0.5}, "labels": ["production"]})
    service.post("/v1/prompts", {"name": name, "type": "chat", "prompt": [{"role": "user", "content": "Hi {{name}}, {{data}}"}]})
    first = sw.prompt(name)
    assert (first.name, first.version, first.type, first.prompt, first.config, first.is_fallback) == (
        name,
        1,
        "text",
        "Hello {{ name }}!",
        {"t": 0.5},
        False,
    )
    assert "production" in first.labels
    text = first.compile(name="{{name}} \\ $1", unused=1)
    assert text == "Hello {{name}} \\ $1!"
    latest = asyncio.run(sw.aprompt(name, label="latest"))
    assert latest.compile(name="Ann", data={"a": [1, None]}) == [{"role": "user", "content": 'Hi Ann, {"a":[1,null]}'}]
    assert sw.prompt(name, version=2).version == 2
    with pytest.raises(ValueError, match=r"\{\{data\}\}"):
        latest.compile(name="x")
    with pytest.raises(ValueError, match="not both"):
        sw.prompt(name, label="a", version=1)
    with pytest.raises(SpanwiseError) as missing:
        sw.prompt("no such prompt")
    assert (missing.value.status, missing.value.code) == (404, "not_found")
    assert sw.prompt("no such prompt", fallback="x").is_fallback
    assert sw.prompt("no such prompt", fallback="{{self}}").compile(self="me") == "me"
    first.compile(name="Ann")
    with sw.span("call", kind="llm", prompt=first) as span:
        pass
    assert sw.flush(30)
    found = service.spans(span.trace_id, 1)["call"]
    assert (found["promptName"], found["promptVersion"]) == (name, 1)
    assert found["promptVariables"] == {"name": "Ann"}


def prompt_answer(version: int, text: str) -> Reply:
    return reply(200, {"version": version, "resolvedPrompt": text, "config": {}, "labels": []}, etag=f'"{version}"')


def test_copies_are_refreshed_behind_and_kept(fake: FakeService) -> None:
    state: dict[str, Any] = {"answer": prompt_answer(1, "one")}

    def answer(request: Request) -> Reply:
        if request.headers.get("if-none-match") == '"1"' and state["answer"][0] == 200 and b'"one"' in state["answer"][2]:
            return 304, {}, b""
        return state["answer"]  # type: ignore[no-any-return]

    fake.answer = answer
    sw = Spanwise("spw_test", fake.url)
    assert sw.prompt("p", max_age=0).prompt == "one"
    assert sw.prompt("p").prompt == "one"
    assert len(fake.requests) == 1
    assert fake.requests[0].headers["x-spanwise-client"].startswith("sdk-python/")
    assert sw.prompt("p", max_age=0).prompt == "one"
    eventually(lambda: len(fake.requests) == 2)
    assert fake.requests[1].headers["if-none-match"] == '"1"'
    state["answer"] = prompt_answer(2, "two")

    def refreshed() -> bool:
        return sw.prompt("p", max_age=0).prompt == "two"

    eventually(refreshed)
    state["answer"] = reply(503, {"error": "away"})
    for _ in range(5):
        assert sw.prompt("p", max_age=0, fallback="not used").prompt == "two"
        time.sleep(0.01)
    # Not each use asks a service that is away.
    assert len(fake.requests) < 20
    sw.shutdown()


def test_what_is_gone_is_dropped_at_the_refresh(fake: FakeService) -> None:
    fake.answer = lambda request: prompt_answer(1, "one")
    sw = Spanwise("spw_test", fake.url)
    sw.prompt("p")
    fake.answer = lambda request: (404, {"content-type": "text/html"}, b"a proxy's")
    sw.prompt("p", max_age=0)
    eventually(lambda: len(fake.requests) == 2)
    assert sw.prompt("p").prompt == "one"
    other = Spanwise("spw_test", fake.url)
    fake.answer = lambda request: prompt_answer(1, "one")
    other.prompt("p")
    fake.answer = lambda request: reply(404, {"error": "gone", "code": "not_found"})

    def dropped() -> bool:
        try:
            other.prompt("p", max_age=0)
        except SpanwiseError as error:
            return error.status == 404
        return False

    eventually(dropped)
    sw.shutdown()
    other.shutdown()


def test_without_a_copy(caplog: pytest.LogCaptureFixture) -> None:
    sw = Spanwise("spw_test", "http://127.0.0.1:9", timeout=1)
    with pytest.raises(SpanwiseError, match="cannot be fetched"):
        sw.prompt("p")
    messages = sw.prompt("p", fallback=[{"role": "user", "content": "Hi {{x}}"}])
    assert (messages.version, messages.is_fallback, messages.compile(x=1)) == (None, True, [{"role": "user", "content": "Hi 1"}])
    assert sw.prompt("p", fallback=Prompt("other", 3, "text", {"a": 1}, [], False)).config == {"a": 1}
    silent = Spanwise()
    assert silent.prompt("p", fallback="t").compile() == "t"
    with pytest.raises(SpanwiseError, match="API key"):
        silent.prompt("p")
    sw.shutdown()
