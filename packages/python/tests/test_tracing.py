"""Traces and spans, as the real service shows them."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import inspect
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from opentelemetry import trace as otel
from opentelemetry.sdk.trace import TracerProvider

from conftest import Service
from spanwise import Spanwise, observe


def test_trace_with_spans(sw: Spanwise, service: Service) -> None:
    with sw.trace(
        "chat",
        kind="agent",
        user_id="u1",
        session_id="s1",
        agent_name="helper",
        tags=["a", "b"],
        metadata={"plan": "pro", "n": 1},
        input='{"not": "an object"}',
        output="",
    ) as trace:
        with sw.span("call", kind="llm", model="gpt-4o", provider="openai", input=[{"role": "user", "content": "Hi"}]) as span:
            span.update(
                output={"role": "assistant", "content": "Ho"},
                usage={
                    "input_tokens": 100,
                    "output_tokens": 20,
                    "cached_tokens": 40,
                    "cache_write_tokens": 5,
                    "reasoning_tokens": 7,
                },
                cost_usd=0.25,
                time_to_first_token_ms=123.5,
                metadata={"k": [1, None]},
                tags=["c"],
            )
    assert sw.flush(30)
    spans = service.spans(trace.trace_id, 2)
    root, call = spans["chat"], spans["call"]
    assert (root["spanId"], root["traceId"], root.get("parentSpanId")) == (trace.span_id, trace.trace_id, None)
    assert root["kind"] == "agent"
    assert root["agentName"] == call["agentName"] == "helper"
    assert root["userId"] == call["userId"] == "u1"
    assert root["sessionId"] == call["sessionId"] == "s1"
    assert (root["tags"], call["tags"]) == (["a", "b"], ["a", "b", "c"])
    assert (root["input"], root["output"]) == ('{"not": "an object"}', "")
    assert root["metadata"] == {"plan": "pro", "n": 1}
    assert call["parentSpanId"] == root["spanId"]
    assert (call["kind"], call["model"], call["provider"]) == ("llm", "gpt-4o", "openai")
    assert call["input"] == [{"role": "user", "content": "Hi"}]
    assert call["output"] == {"role": "assistant", "content": "Ho"}
    usage = {
        name: call["usage"][name]
        for name in ("inputTokens", "outputTokens", "cachedTokens", "cacheWriteTokens", "reasoningTokens")
    }
    assert usage == {"inputTokens": 100, "outputTokens": 20, "cachedTokens": 40, "cacheWriteTokens": 5, "reasoningTokens": 7}
    assert (call["costUsd"], call["costStatus"], call["timeToFirstTokenMs"]) == (0.25, "provided", 123.5)
    assert call["metadata"] == {"k": [1, None]}
    assert (call["environment"], call["release"]) == ("test", "1.2.3")
    assert sw.delivery().accepted == 2


def test_errors_are_on_each_span_that_they_leave(sw: Spanwise, service: Service) -> None:
    error = ValueError("status_code: 429")
    with pytest.raises(ValueError) as caught, sw.trace("outer") as trace:
        try:
            with sw.span("caught"):
                raise KeyError("inner")
        except KeyError:
            pass
        with sw.span("left"):
            raise error
    assert caught.value is error
    assert sw.flush(30)
    spans = service.spans(trace.trace_id, 3)
    assert {name: (span["status"], span["errorCode"]) for name, span in spans.items()} == {
        "outer": ("error", "ValueError"),
        "left": ("error", "ValueError"),
        "caught": ("error", "KeyError"),
    }
    assert spans["left"]["errorMessage"] == "status_code: 429"
    with sw.span("set by hand") as span:
        span.update(status="error", error_code="E1", error_message="it failed", name="renamed")
    with pytest.raises(StopIteration), sw.span("no error") as stopped:
        raise StopIteration
    assert sw.flush(30)
    by_hand = service.spans(span.trace_id, 1)["renamed"]
    assert (by_hand["status"], by_hand["errorCode"], by_hand["errorMessage"]) == ("error", "E1", "it failed")
    assert service.spans(stopped.trace_id, 1)["no error"].get("status") != "error"


def test_a_trace_begins_anew_and_a_span_by_hand_is_not_active(sw: Spanwise, service: Service) -> None:
    with sw.trace("one", user_id="u1") as one:
        by_hand = sw.span("by hand")
        with sw.span("sibling"):
            pass
        by_hand.end()
        by_hand.end()
        by_hand.update(output="too late")
        with sw.trace("two") as two:
            pass
        sw.span("never ended")
    assert one.trace_id != two.trace_id
    assert sw.flush(30)
    spans = service.spans(one.trace_id, 3)
    assert spans["sibling"]["parentSpanId"] == spans["by hand"]["parentSpanId"] == one.span_id
    assert spans["by hand"].get("output") is None
    root = service.spans(two.trace_id, 1)["two"]
    assert (root.get("parentSpanId"), root.get("userId")) == (None, None)


def test_the_context_of_a_middleware(sw: Spanwise, service: Service) -> None:
    provider = TracerProvider()
    sw.instrument(provider)
    foreign = provider.get_tracer("theirs")
    with sw.context(user_id="u2", session_id="s2", tags=["m"], metadata={"path": "/"}):
        with sw.span("root", metadata={"own": 1}) as root, foreign.start_as_current_span("foreign"), sw.span("below"):
            pass
    with sw.span("outside") as outside:
        pass
    assert sw.flush(30)
    spans = service.spans(root.trace_id, 3)
    assert {(span["userId"], span["sessionId"], tuple(span["tags"])) for span in spans.values()} == {("u2", "s2", ("m",))}
    assert spans["root"]["metadata"] == {"path": "/", "own": 1}
    assert spans["foreign"]["metadata"] == {"path": "/"}
    assert spans["foreign"]["parentSpanId"] == root.span_id
    assert spans["below"]["parentSpanId"] == spans["foreign"]["spanId"]
    assert service.spans(outside.trace_id, 1)["outside"].get("userId") is None


def test_what_is_given_to_a_trace_later_is_on_later_spans(sw: Spanwise, service: Service) -> None:
    with sw.trace("root") as trace:
        trace.update(user_id="late", tags=["x"])
        with sw.span("after"):
            pass
    assert sw.flush(30)
    spans = service.spans(trace.trace_id, 2)
    assert [(span["userId"], span["tags"]) for span in spans.values()] == [("late", ["x"])] * 2


def test_threads_and_tasks(sw: Spanwise, service: Service) -> None:
    async def child(name: str) -> None:
        async with sw.span(name):
            await asyncio.sleep(0)

    async def main() -> None:
        await asyncio.gather(*(child(f"task {index}") for index in range(5)))
        with pytest.raises(asyncio.CancelledError):
            with sw.span("cancelled"):
                raise asyncio.CancelledError

    with sw.trace("root") as trace:
        asyncio.run(main())
        context = contextvars.copy_context()

        def work() -> None:
            with sw.span("thread"):
                pass

        thread = threading.Thread(target=context.run, args=(work,))
        thread.start()
        thread.join()
        detached = threading.Thread(target=work)
        detached.start()
        detached.join()
    assert sw.flush(30)
    spans = service.spans(trace.trace_id, 8)
    assert all(span.get("parentSpanId") == trace.span_id for name, span in spans.items() if name != "root")
    assert spans["cancelled"]["errorCode"] == "CancelledError"


class Shop:
    @observe
    def method(self, item: str, *, count: int = 1) -> str:
        return f"{count} {item}"

    @observe(name="of the class", kind="tool")
    @classmethod
    def of_class(cls, item: str) -> str:
        return f"{cls.__name__} {item}"

    @staticmethod
    @observe()
    def of_none(*items: str, **named: int) -> list[Any]:
        return [items, named]


@observe
async def fetched(url: str) -> dict[str, str]:
    """Fetches."""
    await asyncio.sleep(0)
    return {"url": url}


def test_observed_functions(sw: Spanwise, service: Service) -> None:
    assert inspect.iscoroutinefunction(fetched)
    assert (fetched.__name__, fetched.__doc__, str(inspect.signature(fetched))) == (
        "fetched",
        "Fetches.",
        "(url: 'str') -> 'dict[str, str]'",
    )
    with sw.trace("root") as trace:
        shop = Shop()
        assert shop.method("apple", count=2) == "2 apple"
        assert Shop.of_class("pear") == "Shop pear"
        assert Shop.of_none("a", "b", x=1) == [("a", "b"), {"x": 1}]
        assert asyncio.run(fetched("http://x")) == {"url": "http://x"}
    assert sw.flush(30)
    spans = service.spans(trace.trace_id, 5)
    assert (spans["method"]["input"], spans["method"]["output"]) == ({"item": "apple", "count": 2}, "2 apple")
    assert (spans["of the class"]["input"], spans["of the class"]["kind"]) == ({"item": "pear"}, "tool")
    assert spans["of_none"]["input"] == {"items": ["a", "b"], "named": {"x": 1}}
    assert spans["of_none"]["output"] == [["a", "b"], {"x": 1}]
    assert spans["fetched"]["output"] == {"url": "http://x"}


def test_observed_failures_and_secrets(sw: Spanwise, service: Service) -> None:
    error = RuntimeError("no")

    @observe(capture_input=False, capture_output=False)
    def quiet(secret: str) -> str:
        return secret

    @observe
    def failing() -> None:
        raise error

    with sw.trace("root") as trace:
        quiet("s3cret")
        with pytest.raises(RuntimeError) as caught:
            failing()
    assert caught.value is error
    assert sw.flush(30)
    spans = service.spans(trace.trace_id, 3)
    assert (spans["quiet"].get("input"), spans["quiet"].get("output")) == (None, None)
    assert spans["failing"]["errorCode"] == "RuntimeError"


def test_observed_generators(sw: Spanwise, service: Service) -> None:
    seen: list[Any] = []

    @observe
    def words(count: int) -> Iterator[str]:
        with sw.span("in the body"):
            for index in range(count):
                with sw.span(f"step {index}"):
                    pass
                seen.append((yield f"w{index} "))
        return "the end"  # type: ignore[return-value]

    assert inspect.isgeneratorfunction(words)
    with sw.trace("root") as trace:
        generator: Any = words(3)
        with sw.span("consumer"):
            assert next(generator) == "w0 "
            with sw.span("of the consumer"):
                pass
            assert generator.send("sent") == "w1 "
            assert next(generator) == "w2 "
            with pytest.raises(StopIteration) as stop:
                next(generator)
    assert stop.value.value == "the end"
    assert seen == ["sent", None, None]
    assert sw.flush(30)
    spans = service.spans(trace.trace_id, 8)
    body = spans["in the body"]
    assert body["parentSpanId"] == spans["words"]["spanId"]
    assert all(spans[f"step {index}"]["parentSpanId"] == body["spanId"] for index in range(3))
    assert spans["of the consumer"]["parentSpanId"] == spans["consumer"]["spanId"]
    assert spans["words"]["parentSpanId"] == spans["consumer"]["spanId"]
    assert (spans["words"]["input"], spans["words"]["output"]) == ({"count": 3}, "w0 w1 w2 ")


def test_generators_that_are_left_closed_and_thrown_into(sw: Spanwise, service: Service) -> None:
    closed: list[str] = []

    @observe
    def numbers(name: str) -> Iterator[Any]:
        try:
            for index in range(9):
                try:
                    yield {"n": index}
                except KeyError:
                    yield "caught"
        finally:
            closed.append(name)

    with sw.trace("root") as trace:
        for _ in numbers("left"):
            break
        gc.collect()
        by_hand: Any = numbers("closed")
        next(by_hand)
        by_hand.close()
        thrown: Any = numbers("thrown")
        next(thrown)
        assert thrown.throw(KeyError("k")) == "caught"
        with pytest.raises(ZeroDivisionError):
            thrown.throw(ZeroDivisionError())
        numbers("never begun")
    assert closed == ["left", "closed", "thrown"]
    assert sw.flush(30)
    found = service.trace(trace.trace_id, lambda one: len(one["spans"]) == 4)["spans"]
    spans = {span["input"]["name"]: span for span in found if span["name"] == "numbers"}
    assert spans["left"]["output"] == [{"n": 0}]
    assert spans["left"].get("status") != "error"
    assert spans["thrown"]["output"] == [{"n": 0}, "caught"]
    assert spans["thrown"]["errorCode"] == "ZeroDivisionError"


def test_observed_async_generators(sw: Spanwise, service: Service) -> None:
    @observe
    async def pieces(count: int) -> AsyncIterator[str]:
        for index in range(count):
            async with sw.span(f"step {index}"):
                await asyncio.sleep(0)
            yield f"p{index}"

    assert inspect.isasyncgenfunction(pieces)

    async def main() -> list[str]:
        got = []
        async with sw.span("consumer"):
            async for piece in pieces(2):
                got.append(piece)
                async with sw.span(f"of the consumer {piece}"):
                    await asyncio.sleep(0)
        left: Any = pieces(5)
        await left.__anext__()
        await left.aclose()
        return got

    with sw.trace("root") as trace:
        assert asyncio.run(main()) == ["p0", "p1"]
    assert sw.flush(30)
    found = service.trace(trace.trace_id, lambda one: len(one["spans"]) == 9)["spans"]
    consumer = next(span for span in found if span["name"] == "consumer")
    whole = next(span for span in found if span["name"] == "pieces" and span["output"] == "p0p1")
    assert all(span["parentSpanId"] == consumer["spanId"] for span in found if span["name"].startswith("of the consumer"))
    assert sum(span["parentSpanId"] == whole["spanId"] for span in found if span["name"].startswith("step")) == 2
    assert any(span["name"] == "pieces" and span["output"] == "p0" for span in found)


def test_without_a_client_or_a_key(caplog: pytest.LogCaptureFixture) -> None:
    @observe
    def plain(value: int) -> int:
        return value + 1

    assert plain(1) == 2
    silent = Spanwise(base_url="http://127.0.0.1:9")
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert plain(1) == 2
    with silent.trace("t") as trace, silent.span("s") as span:
        span.update(output=1)
    assert trace.trace_id == "0" * 32
    assert silent.score(evaluator="e", score=1)
    assert silent.flush() is True
    assert silent.instrument() == []
    assert silent.shutdown() is True
    assert silent.delivery().sent == 0
    assert len(caplog.records) == 1


@pytest.mark.parametrize("given", [{"client": "none"}, {"name": 5}, {"kind": None}, {"no_such": 1}])
def test_observe_takes_anything(given: dict[str, Any]) -> None:
    decorator: Any = observe
    client = Spanwise("spw_test", "http://127.0.0.1:9", flush_interval=60)

    def double(value: int) -> int:
        return value * 2

    assert decorator(**given)(double)(2) == 4
    assert decorator("search")(double)(3) == 6
    assert decorator(property(double)).fget is double
    client.shutdown(0)


def test_two_clients_are_apart(sw: Spanwise, service: Service) -> None:
    made = service.owner.post(f"/v1/projects/{service.project}/api-keys", json={"name": "second"}).json()
    other = Spanwise(made["key"], service.url)
    with sw.trace("of one", user_id="u1") as one, other.span("of two") as two, sw.span("below one"), other.span("below two"):
        assert two.trace_id != one.trace_id
        assert otel.get_current_span() is not None
    assert sw.flush(30)
    assert other.flush(30)
    other.shutdown()
    assert service.spans(one.trace_id, 2)["below one"]["parentSpanId"] == one.span_id
    spans = service.spans(two.trace_id, 2)
    assert spans["below two"]["parentSpanId"] == two.span_id
    assert spans["of two"].get("userId") is None
