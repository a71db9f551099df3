"""Delivery: what leaves, what is counted, and what happens when the service does not answer."""

from __future__ import annotations

from typing import Any

import pytest
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Link, SpanKind, Status, StatusCode

from conftest import Service, eventually, threads
from fake_service import FakeService, Reply, Request, ok, reply
from manual_clock import ManualClock
from spanwise import Spanwise, SpanwiseError
from spanwise._otlp import RequestWriter


def client(fake: FakeService, **options: Any) -> Spanwise:
    return Spanwise("spw_test", fake.url, **{"flush_interval": 0.05, **options})


def settled(sw: Spanwise) -> bool:
    found = sw.delivery()
    return (
        found.sent == found.accepted + sum(one["count"] for one in found.rejected) + found.dropped["refused"]
        and found.queued == 0
    )


def finished(make: Any) -> list[ReadableSpan]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    make(provider.get_tracer("scope", "2", attributes={"a": 1}))
    return list(exporter.get_finished_spans())


def test_the_encoding_is_that_of_opentelemetry() -> None:
    def make(tracer: Any) -> None:
        with tracer.start_as_current_span("parent", kind=SpanKind.CLIENT) as parent:
            values = {
                "s": "text é",
                "b": True,
                "i": -5,
                "big": 2**40,
                "f": 1.5,
                "list": ["x", "y"],
                "ints": (1, 2),
                "flags": [True],
            }
            with tracer.start_as_current_span(
                "child", links=[Link(parent.get_span_context(), {"l": 1})], attributes=values
            ) as child:
                child.add_event("event", {"e": "x"})
                child.set_status(Status(StatusCode.ERROR, "bad"))

    spans = finished(make)
    expected = encode_spans(spans)
    data, taken, broken = RequestWriter(None, {}).write(spans, 900_000)
    assert (taken, broken) == (2, 0)
    found = ExportTraceServiceRequest.FromString(data)
    for message in (found, expected):
        for span in message.resource_spans[0].scope_spans[0].spans:
            # OpenTelemetry's encoder leaves the trace's flags out, and writes a status that is not set.
            span.flags &= 0x300
            if not span.status.code:
                span.ClearField("status")
    assert found == expected


def test_a_request(fake: FakeService) -> None:
    sw = client(fake, environment="e", release="r", service="s")
    with sw.span("one") as span:
        pass
    sw.score(trace_id=span.trace_id, evaluator="e", score=True, comment="c")
    sw.outcome(trace_id=span.trace_id, kind="sale", value=3, currency="EUR")
    sw.change(kind="deploy", version="2")
    assert sw.flush(30)
    (traces,) = fake.to("/v1/traces")
    assert (traces.method, traces.headers["content-type"], traces.headers["content-encoding"]) == (
        "POST",
        "application/x-protobuf",
        "gzip",
    )
    assert traces.headers["x-api-key"] == "spw_test"
    header = traces.headers["x-spanwise-client"]
    assert header.startswith(
        "sdk-python/1.0.0; sent=1; accepted=0; rejected=0; queue_full=0; too_old=0; refused=0; queued=4; id="
    )
    message = ExportTraceServiceRequest.FromString(traces.content).resource_spans[0]
    attributes = {one.key: one.value.string_value for one in message.resource.attributes}
    assert (attributes["service.name"], attributes["service.version"], attributes["deployment.environment.name"]) == (
        "s",
        "r",
        "e",
    )
    score = fake.to("/v1/ingest")[0].json()
    assert (score["score"], score["comment"], score["traceId"]) == (1, "c", span.trace_id)
    outcomes = fake.to("/v1/ingest/outcomes")[0]
    assert "content-encoding" not in outcomes.headers
    assert outcomes.json()["outcomes"][0]["value"] == 3
    change = fake.to("/v1/projects/p1/changes")[0].json()
    assert (change["kind"], change["version"], change["service"], change["environment"]) == ("deploy", "2", "s", "e")
    assert settled(sw)
    assert sw.delivery().accepted == 4
    assert fake.most_at_once == 1
    sw.shutdown()


def test_batches_of_512_spans_and_900_kb(fake: FakeService) -> None:
    sw = client(fake, flush_interval=60)
    for _ in range(1_030):
        sw.span("s").end()
    for _ in range(4):
        sw.span("large", input="x" * 450_000).end()
    sw.span("larger", input="x" * 490_000, output=["y"] * 15_000, metadata={"z": "z" * 480_000}).end()
    assert sw.flush(30)
    requests = fake.to("/v1/traces")
    assert all(len(request.spans()) <= 512 and len(request.content) <= 900_000 for request in requests)
    assert sum(len(request.spans()) for request in requests) == 1_035
    assert [len(request.spans()) for request in requests][:2] == [512, 512]
    sw.shutdown()


def test_a_retry_has_the_same_bytes_and_waits_as_asked(fake: FakeService) -> None:
    answers = [reply(503, {"error": "later"}, retry_after="0.2"), reply(500, {"error": "no"}), reply(408, {}), None]

    def answer(request: Request) -> Reply:
        return answers.pop(0) or ok(request)

    fake.answer = answer
    told: list[Exception] = []
    sw = client(fake, on_error=told.append)
    sw.span("s").end()
    eventually(lambda: settled(sw) and sw.delivery().accepted == 1)
    requests = fake.to("/v1/traces")
    assert len(requests) == 4
    assert len({request.body for request in requests}) == 1
    assert requests[1].at - requests[0].at >= 0.2
    assert requests[2].at - requests[1].at >= 0.2
    assert sw.delivery().sent == 1
    assert len(told) == 1
    sw.span("s").end()
    answers[:] = [reply(500, {}), None]
    eventually(lambda: sw.delivery().accepted == 2)
    assert len(told) == 2
    sw.shutdown()


@pytest.mark.parametrize(("status", "refused"), [(400, 1), (403, 1), (404, 1), (413, 1), (415, 1)])
def test_what_is_refused_for_good(fake: FakeService, status: int, refused: int, caplog: pytest.LogCaptureFixture) -> None:
    fake.answer = lambda request: reply(status, {"error": "because"})
    sw = client(fake)
    sw.span("s").end()
    assert sw.flush(30)
    found = sw.delivery()
    assert (found.sent, found.accepted, found.dropped["refused"], found.queued) == (1, 0, refused, 0)
    assert "because" in (found.last_error or "")
    assert "spw_test" not in caplog.text
    sw.shutdown()


def test_a_wrong_key_is_kept(fake: FakeService) -> None:
    fake.answer = lambda request: reply(401, {"error": "unknown key"})
    sw = client(fake)
    sw.span("s").end()
    assert sw.flush(0.5) is False
    assert (sw.delivery().queued, sw.delivery().dropped["refused"]) == (1, 0)
    assert len(fake.requests) == 1
    sw.shutdown(0.1)


def test_too_large_a_request_is_halved(fake: FakeService) -> None:
    def answer(request: Request) -> Reply:
        return ok(request) if len(request.spans()) <= 2 else reply(413, {"error": "large"})

    fake.answer = answer
    sw = client(fake, flush_interval=60)
    for _ in range(7):
        sw.span("s").end()
    assert sw.flush(10)
    assert settled(sw)
    assert (sw.delivery().sent, sw.delivery().accepted) == (7, 7)
    sw.shutdown()


def test_rejected_spans_and_lines(fake: FakeService) -> None:
    def answer(request: Request) -> Reply:
        if request.path == "/v1/traces":
            partial = ExportTraceServiceResponse()
            partial.partial_success.rejected_spans = 2
            partial.partial_success.error_message = "two are bad"
            return 202, {"content-type": "application/x-protobuf"}, partial.SerializeToString()
        return reply(400, {"error": "all", "code": "x", "rejected": [{"line": 1, "code": "invalid_request", "error": "bad"}]})

    fake.answer = answer
    sw = client(fake, flush_interval=60)
    for _ in range(3):
        sw.span("s").end()
    sw.score(evaluator="", score=1, trace_id="t")
    assert sw.flush(30)
    found = sw.delivery()
    assert found.rejected == [
        {"line": None, "code": "invalid_request", "error": "two are bad", "count": 2},
        {"line": 1, "code": "invalid_request", "error": "bad", "count": 1},
    ]
    assert (found.sent, found.accepted) == (4, 1)
    sw.shutdown()


def test_a_proxy_that_answers_for_the_service(fake: FakeService) -> None:
    fake.answer = lambda request: (200, {"content-type": "text/html"}, b"<html>")
    sw = client(fake)
    sw.span("s").end()
    assert sw.flush(0.3) is False
    assert "not one of Spanwise" in (sw.delivery().last_error or "")
    fake.answer = ok
    assert sw.flush(30)
    sw.shutdown()


def test_the_queue_is_bounded_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    sw = Spanwise("spw_test", "http://127.0.0.1:9", max_queue=100, flush_interval=60)
    for _ in range(250):
        sw.span("s").end()
    assert (sw.delivery().queued, sw.delivery().dropped["queue_full"]) == (100, 150)
    assert [record.levelname for record in caplog.records if "full" in record.message] == ["WARNING"]
    sw.shutdown(0.1)
    large = Spanwise("spw_test", "http://127.0.0.1:9", max_queue=10_000, flush_interval=60)
    for _ in range(200):
        large.span("s", input="x" * 499_000).end()
    assert 130 <= large.delivery().queued <= 135
    large.shutdown(0.1)


def test_a_service_that_is_away_for_five_minutes(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = ManualClock()
    monkeypatch.setattr("spanwise._clock.system", clock)
    fake.answer = lambda request: reply(503, {"error": "away"})
    told: list[Exception] = []
    sw = Spanwise("spw_test", fake.url, on_error=told.append)
    for second in range(300):
        for index in range(40):
            sw.span(f"{second} {index}", input="x" * 200).end()
        clock.advance(1)
    away = sw.delivery()
    assert (away.queued, away.dropped["queue_full"], away.sent) == (10_000, 2_000, 40)
    # Half a second, doubling to thirty: not a request more, each with the same bytes.
    assert len(fake.requests) == 15
    assert len({request.body for request in fake.requests}) == 1
    assert len(caplog.records) == len(told) == 2
    fake.answer = ok
    fake.requests.clear()
    clock.advance(60)
    assert {span.name for span in fake.spans()} == {f"{second} {index}" for second in range(250) for index in range(40)}
    assert (sw.delivery().accepted, sw.delivery().sent, sw.delivery().queued) == (10_000, 10_000, 0)
    fake.answer = lambda request: reply(503, {"error": "away again"})
    sw.span("later").end()
    clock.advance(2)
    assert len(told) == 3
    sw.shutdown(0)


def test_redaction(fake: FakeService) -> None:
    def redact(text: str) -> Any:
        if text == "raises":
            raise RuntimeError("no")
        return None if text == "none" else text.replace("secret", "[x]")

    provider = TracerProvider()
    sw = client(fake, redact=redact, flush_interval=60)
    sw.instrument(provider)
    with sw.trace("secret name", input={"a": "secret"}, tags=["secret"]) as trace:
        trace.update(status="error", error_message="secret")
        with provider.get_tracer("x").start_as_current_span("foreign", attributes={"k": "raises", "n": "none"}) as foreign:
            foreign.add_event("e", {"k": ["secret", "fine"]})
    sw.score(trace_id="t", evaluator="e", score=1, comment="secret", label="secret")
    assert sw.flush(30)
    spans = {span.name: span for span in fake.spans()}
    attributes = {one.key: one.value for one in spans["secret name"].attributes}
    assert attributes["spanwise.input"].string_value == '{"a":"[x]"}'
    assert attributes["spanwise.tags"].array_value.values[0].string_value == "[x]"
    assert spans["secret name"].status.message == "[x]"
    found = {one.key: one.value.string_value for one in spans["foreign"].attributes}
    assert (found["k"], found["n"]) == ("[redaction failed]", "[redaction failed]")
    assert [one.string_value for one in spans["foreign"].events[0].attributes[0].value.array_value.values] == ["[x]", "fine"]
    score = fake.to("/v1/ingest")[0].json()
    assert (score["comment"], score["label"]) == ("[x]", "[x]")
    sw.shutdown()


def test_instrument_adds_the_exporter_once_and_filters(fake: FakeService) -> None:
    provider = TracerProvider()
    sw = client(fake)
    sw.instrument(provider, filter=lambda span: span.name != "left out")
    sw.instrument(provider)
    tracer = provider.get_tracer("x")
    for name in ("kept", "left out"):
        with tracer.start_as_current_span(name):
            pass
    sw.span("own").end()
    assert sw.flush(30)
    assert sorted(span.name for span in fake.spans()) == ["kept", "own"]
    sw.shutdown()


def test_the_environment_of_opentelemetry_does_not_touch_spans(fake: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "OTEL_TRACES_SAMPLER": "always_off",
        "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "1",
        "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "3",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9",
        "OTEL_RESOURCE_ATTRIBUTES": "a=b",
        "OTEL_SERVICE_NAME": "named",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    sw = client(fake)
    sw.span("s", input="long enough", model="m").end()
    assert sw.flush(30)
    message = ExportTraceServiceRequest.FromString(fake.to("/v1/traces")[0].content).resource_spans[0]
    assert {one.key: one.value.string_value for one in message.resource.attributes}["service.name"] == "named"
    assert len(message.scope_spans[0].spans[0].attributes) == 3
    sw.shutdown()
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    disabled = client(fake)
    disabled.span("s").end()
    assert disabled.delivery().sent == 0


def test_after_shutdown_nothing_happens(fake: FakeService) -> None:
    sw = client(fake)
    sw.span("s").end()
    assert sw.flush(float("inf")) is True
    assert sw.flush(float("nan")) is True
    assert sw.shutdown(5) is True
    with sw.trace("t"):
        sw.score(evaluator="e", score=1)
    assert sw.shutdown() is True
    assert (sw.delivery().accepted, sw.delivery().queued) == (1, 0)
    asked = len(fake.requests)
    assert sw.prompt("greeting", fallback="Hello").is_fallback
    with pytest.raises(SpanwiseError, match="shut down"):
        sw.prompt("greeting")
    assert sw.guard.check("text").unavailable
    assert len(fake.requests) == asked
    eventually(lambda: "spanwise-sender" not in threads())


def test_figures_of_ingest_health(sw: Spanwise, service: Service) -> None:
    sw.span("counted").end()
    assert sw.flush(30)
    health = service.get(f"/v1/projects/{service.project}/ingest-health")
    assert any(client["client"] == "sdk-python" for client in health.get("clients", [])), health


def test_records_on_the_real_service(sw: Spanwise, service: Service) -> None:
    with sw.trace("root") as trace:
        first = sw.score(evaluator="quality", score=0.5, passed=True, comment="fine")
        sw.outcome(kind="order", value=9.5, currency="EUR", success=True, metadata={"a": 1})
    sw.score(trace_id=trace.trace_id, evaluator="quality", score=0.75, score_id=first)
    key = sw.change(kind="deploy", version="1.2.3", description="from the tests")
    assert sw.flush(30)
    found = service.trace(
        trace.trace_id, lambda one: len(one["scores"]) == 1 and one["scores"][0]["score"] == 0.75 and one["outcomes"]
    )
    assert found["scores"][0]["scoreId"] == first
    assert (found["outcomes"][0]["kind"], found["outcomes"][0]["value"]) == ("order", 9.5)
    changes = service.get(f"/v1/projects/{service.project}/changes")["changes"]
    assert any(change["version"] == "1.2.3" and change["description"] == "from the tests" for change in changes), key
    assert sw.delivery().accepted == 5
