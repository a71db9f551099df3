"""Guardrails: checks and streams."""

from __future__ import annotations

import asyncio
import random
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest

from conftest import Service
from fake_service import FakeService, Reply, Request, reply
from spanwise import GuardrailBlocked, Spanwise, SpanwiseError

PIECES = ["Dear ann@exam", "ple.com, ", "call 😀 the ", "secret plan", "ner. ann@example.org", " bye"]


@pytest.fixture(scope="session")
def slugs(service: Service) -> list[str]:
    """Guardrails of the project: addresses are redacted, a word is blocked."""
    made = f"t{uuid4().hex[:8]}"
    for slug, fields in {
        f"{made}-mail": {"type": "pii", "action": "redact", "config": {"entities": ["email"]}},
        f"{made}-word": {"type": "blocklist", "action": "block", "config": {"terms": ["secret plan"]}},
    }.items():
        answer = service.owner.post(f"/v1/projects/{service.project}/guardrails", json={"slug": slug, "stage": "both", **fields})
        assert answer.status_code == 201, answer.text
    return [f"{made}-mail", f"{made}-word"]


def test_a_check(sw: Spanwise, slugs: list[str], service: Service) -> None:
    with sw.trace("root") as trace:
        verdict = sw.guard.check("😀 mail ann@example.com", guardrails=slugs)
    assert (verdict.action, verdict.text, verdict.blocked, verdict.unavailable) == ("redact", "😀 mail [EMAIL]", False, False)
    mail = next(result for result in verdict.results if result.guardrail == slugs[0])
    (match,) = mail.matches
    assert "😀 mail ann@example.com"[match.start : match.end] == "ann@example.com"
    assert (mail.type, mail.triggered, mail.action, match.label) == ("pii", True, "redact", "email")
    assert verdict.safe_until == len("😀 mail ann@example.com")
    assert verdict.check_id
    blocked = asyncio.run(sw.guard.acheck("the secret plan", guardrails=slugs, stage="output"))
    assert (blocked.action, blocked.blocked) == ("block", True)
    with pytest.raises(SpanwiseError) as unknown:
        sw.guard.check("x", guardrails=["no-such"])
    assert unknown.value.status == 400
    with pytest.raises(SpanwiseError) as large:
        sw.guard.check("x" * 300_000)
    assert large.value.status == 413
    assert sw.flush(30)
    assert service.spans(trace.trace_id, 2)["guardrail check"]["parentSpanId"] == trace.span_id


def test_a_service_that_does_not_check(fake: FakeService) -> None:
    for status in (401, 403, 429, 500, 503):
        fake.answer = lambda request, status=status: reply(status, {"error": "no"})  # type: ignore[misc]
        sw = Spanwise("spw_test", fake.url)
        verdict = sw.guard.check("text")
        assert (verdict.action, verdict.text, verdict.unavailable) == ("block", "text", True)
        assert sw.guard.check("text", on_unavailable="allow").action == "allow"
    fake.answer = lambda request: (200, {"content-type": "text/html"}, b"<html>")
    assert Spanwise("spw_test", fake.url, on_unavailable="allow").guard.check("x").unavailable
    assert Spanwise("spw_test", "http://127.0.0.1:9").guard.check("x").blocked
    assert Spanwise(on_unavailable="allow").guard.check("x").action == "allow"


def gone(pieces: list[str], closed: list[bool]) -> Iterator[str]:
    try:
        yield from pieces
    finally:
        closed.append(True)


def test_streams_of_the_service(sw: Spanwise, slugs: list[str]) -> None:
    closed: list[bool] = []
    pieces = sw.guard.stream(gone(PIECES, closed), guardrails=slugs)
    assert "".join(pieces) == "Dear [EMAIL], call 😀 the secret planner. [EMAIL] bye"
    assert closed == [True]
    got: list[str] = []
    with pytest.raises(GuardrailBlocked) as blocked:
        for piece in sw.guard.stream(
            gone(["Hello, ", "the secret", " plan", " is", " gone", "!"] + ["x"] * 50, closed), guardrails=slugs
        ):
            got.append(piece)
    assert blocked.value.verdict.blocked
    assert "secret" not in "".join(got)
    assert closed == [True, True]


def test_asynchronous_streams(sw: Spanwise, slugs: list[str]) -> None:
    closed: list[bool] = []

    async def source(pieces: list[str]) -> AsyncIterator[str]:
        try:
            for piece in pieces:
                await asyncio.sleep(0.01)
                yield piece
        finally:
            closed.append(True)

    async def main() -> None:
        pieces = [piece async for piece in sw.guard.stream(source(PIECES), guardrails=slugs)]
        assert "".join(pieces) == "Dear [EMAIL], call 😀 the secret planner. [EMAIL] bye"
        assert len(pieces) > 1
        with pytest.raises(GuardrailBlocked):
            async for _ in sw.guard.stream(source(["a secret plan, ", *["x"] * 500]), guardrails=slugs):
                pass

    asyncio.run(main())
    assert closed == [True, True]


def redacting(delay: float = 0.0) -> Callable[[Request], Reply]:
    """A service that replaces runs of digits, and blocks ``bad`` followed by a space."""

    def answer(request: Request) -> Reply:
        time.sleep(delay)
        body = request.json()
        text, final = body["text"], body.get("final", True)

        def units(at: int) -> int:
            return len(text[:at].encode("utf-16-le")) // 2

        digits = [{"start": units(m.start()), "end": units(m.end()), "label": "n"} for m in re.finditer(r"\d+", text)]
        bad = [
            {"start": units(m.start()), "end": units(m.end()), "label": "bad"}
            for m in re.finditer(r"bad(?= )" if not final else r"bad\b", text)
        ]
        open_at = re.search(r"(?:\d+|b|ba|bad)\Z", text)
        safe = len(text) if final or open_at is None else open_at.start()
        action = "block" if bad else "redact" if digits else "allow"
        results = [
            {
                "guardrail": "digits",
                "type": "regex",
                "triggered": bool(digits),
                "action": "redact" if digits else "allow",
                "matches": digits,
                "reason": None,
            },
            {
                "guardrail": "bad",
                "type": "blocklist",
                "triggered": bool(bad),
                "action": "block" if bad else "allow",
                "matches": bad,
                "reason": None,
            },
        ]
        redacted = re.sub(r"\d+", "[N]", text)
        return reply(
            200,
            {
                "checkId": "c",
                "action": action,
                "text": redacted,
                "results": results,
                "safeUntil": units(safe),
                "policyVersion": 1,
            },
        )

    return answer


def slow(piece: str) -> str:
    time.sleep(0.0015)
    return piece


def cut(text: str, generator: random.Random) -> list[str]:
    pieces = []
    while text:
        size = generator.randint(1, 6)
        pieces.append(text[:size])
        text = text[size:]
    return pieces


def test_whatever_the_cuts_the_pieces_are_the_text_of_one_check(fake: FakeService) -> None:
    fake.answer = redacting()
    sw = Spanwise("spw_test", fake.url)
    generator = random.Random(7)
    for _ in range(40):
        text = "".join(
            generator.choice(["12", "3", " ", "😀", "word", "ba", "badge", "é"]) for _ in range(generator.randint(0, 12))
        )
        whole = sw.guard.check(text, stage="output")
        got: list[str] = []
        source = iter(cut(text, generator))
        slowly = (slow(piece) for piece in source)
        try:
            got += sw.guard.stream(slowly if generator.random() < 0.5 else source)
            assert not whole.blocked
            assert "".join(got) == whole.text
        except GuardrailBlocked:
            assert whole.blocked
            assert whole.text.startswith("".join(got))
            assert "bad" not in re.sub("badge", "", "".join(got))
    sw.shutdown()


def test_pieces_that_come_meanwhile_go_together(fake: FakeService) -> None:
    fake.answer = redacting(0.2)
    sw = Spanwise("spw_test", fake.url)
    assert "".join(sw.guard.stream(["a "] * 500)) == "a " * 500
    assert len(fake.requests) <= 4
    assert fake.most_at_once == 1
    assert [request.json().get("final", True) for request in fake.requests][-1] is True

    async def source() -> AsyncIterator[str]:
        for _ in range(500):
            yield "b "

    async def main() -> str:
        return "".join([piece async for piece in sw.guard.stream(source())])

    fake.requests.clear()
    assert asyncio.run(main()) == "b " * 500
    assert len(fake.requests) <= 4
    assert fake.most_at_once == 1
    sw.shutdown()


def test_a_slow_source_is_released_before_its_next_piece(fake: FakeService) -> None:
    fake.answer = redacting()
    sw = Spanwise("spw_test", fake.url)
    go = threading.Event()

    def source() -> Iterator[str]:
        yield "first "
        assert go.wait(20)
        yield "second"

    pieces = sw.guard.stream(source())
    assert next(pieces) == "first "
    go.set()
    assert "".join(pieces) == "second"
    sw.shutdown()


def test_the_sources_exception_passes(fake: FakeService) -> None:
    fake.answer = redacting()
    sw = Spanwise("spw_test", fake.url)
    error = RuntimeError("of the source")

    def source() -> Iterator[str]:
        yield "a"
        raise error

    async def asource() -> AsyncIterator[str]:
        yield "a"
        raise error

    async def main() -> None:
        async for _ in sw.guard.stream(asource()):
            pass

    with pytest.raises(RuntimeError) as caught:
        list(sw.guard.stream(source()))
    assert caught.value is error
    with pytest.raises(RuntimeError) as caught:
        asyncio.run(main())
    assert caught.value is error
    wrong: Any = [b"bytes"]
    with pytest.raises(SpanwiseError):
        list(sw.guard.stream(wrong))
    sw.shutdown()


def test_streams_without_the_service_and_over_the_limit(fake: FakeService) -> None:
    away = Spanwise("spw_test", "http://127.0.0.1:9")
    with pytest.raises(GuardrailBlocked) as blocked:
        list(away.guard.stream(["a", "b"]))
    assert blocked.value.verdict.unavailable
    assert "".join(away.guard.stream(["a", "b", "c"], on_unavailable="allow")) == "abc"
    fake.answer = redacting()
    sw = Spanwise("spw_test", fake.url)
    long = ["12 " * 30_000, "é" * 100_000, "7", "8"]
    got: list[str] = []
    with pytest.raises(GuardrailBlocked):
        for piece in sw.guard.stream(long):
            got.append(piece)
    assert "".join(got).startswith("[N] [N]")
    passed = "".join(sw.guard.stream(long, on_unavailable="allow"))
    assert passed.startswith("[N] " * 30_000)
    assert passed.endswith("é78")
    with pytest.raises(GuardrailBlocked):
        list(sw.guard.stream(["bad ", *long], on_unavailable="allow"))
    sw.shutdown()
    away.shutdown(0.1)
