"""What the TypeScript SDK makes of 1,000 random cases each (packages/vectors) is what this one makes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conftest import ROOT
from spanwise._batches import CHANGES, OUTCOMES, SCORES, Batch, BatchWriter
from spanwise._clock import Clock
from spanwise._http import Answer
from spanwise._outbox import Outbox
from spanwise._prompts import compile_text
from spanwise._redaction import released
from spanwise._verdict import verdict_of


def cases(name: str) -> list[Any]:
    path = ROOT / "packages" / "vectors" / f"{name}.jsonl"
    if not path.exists():
        pytest.skip("outside of the repository")
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(found) >= 1_000
    return found


def test_compiled_prompts() -> None:
    for case in cases("compiled-prompts"):
        missing: dict[str, None] = {}
        assert (compile_text(case["text"], case["variables"], missing), list(missing)) == (case["compiled"], case["missing"]), (
            case
        )


def test_guarded_texts() -> None:
    """The SDK of TypeScript has the engine; this one has the service's answers alone."""
    undecided = 0
    for case in cases("guarded-texts"):
        before = ""
        for step in case["steps"]:
            verdict = verdict_of(step["text"], step["answer"])
            assert verdict is not None
            decided = released(step["text"], verdict)
            if decided is None:
                undecided += 1
                continue
            text, at = decided
            # What was shown stays, however the text goes on, and no less of it is shown than there.
            assert text.startswith(before), case
            assert text.startswith(step["shown"]) or step["shown"].startswith(text), case
            before = text
            assert verdict.safe_until <= at <= len(step["text"])
        if case["whole"]["action"] != "block":
            assert case["whole"]["text"].startswith(before), case
    assert undecided == 0


class VirtualClock(Clock):
    """A clock that stands until it is moved."""

    def __init__(self, number: float) -> None:
        self.at = 0.0
        self.now = lambda: self.at
        self.random = lambda: number


KINDS = {"scores": SCORES, "outcomes": OUTCOMES, "changes": CHANGES}


class Course:
    """A course of events of ``packages/sdk/scripts/delivery-vectors.ts``."""

    def __init__(self, case: Any) -> None:
        self.clock = VirtualClock(case["random"])
        self.outbox = Outbox(case["maxQueue"], case["flushMs"] / 1_000, self.clock)
        self.writer = BatchWriter(None, {})
        self.replies = list(case["replies"])
        self.requests: list[list[Any]] = []
        self.made = 0
        self.away_until = -1.0

    def put(self, kind: str, count: int, size: int) -> None:
        for _ in range(count):
            self.made += 1
            start = f'{{"n":{self.made},"x":"'
            self.outbox.put(KINDS[kind], {"n": self.made, "x": "x" * (size - len(start) - 2)}, size)

    def run(self, seconds: float, flush: bool = False) -> None:
        """All requests that leave in the next seconds."""
        until = self.clock.at + seconds
        target = self.outbox.sequence
        if flush := flush and self.outbox.oldest() <= target:
            self.outbox.begin_flush()
        while (delay := self.outbox.delay()) is not None and self.clock.at + delay <= until:
            self.clock.at += delay
            self.step()
            if flush and self.outbox.oldest() > target:
                flush = False
                self.outbox.flushes = 0
        self.outbox.flushes = 0
        self.clock.at = until

    def step(self) -> None:
        taken = self.outbox.take()
        if taken is None:
            return
        if not taken.body:
            taken, rest = self.writer.write(taken.kind, taken.records)
            assert self.outbox.written(taken, rest)
        self.outbox.sending(taken)
        if self.clock.at < self.away_until:
            self.outbox.failed("the service is away")
            return
        kind = next(name for name, number in KINDS.items() if number == taken.kind)
        self.requests.append([self.clock.at * 1_000, kind, taken.records[0].item["n"], len(taken.records)])
        reply = self.replies.pop(0) if self.replies else {}
        self.away_until = self.clock.at + reply.get("awayMs", 0) / 1_000
        if "isCut" in reply or "awayMs" in reply:
            self.outbox.failed("the connection was cut")
        else:
            self.outbox.answered(taken, answer(reply, kind, taken))


def answer(reply: Any, kind: str, batch: Batch) -> Answer:
    if "status" in reply:
        headers = {"retry-after": reply["retryAfter"]} if "retryAfter" in reply else {}
        return Answer(reply["status"], headers, b'{"error":"Not now."}')
    if kind == "changes":
        return Answer(201, {}, b'{"id":"c1"}')
    every = reply.get("rejectsEvery")
    place, first = ("line", 1) if kind == "scores" else ("index", 0)
    rejected = [
        {place: index + first, "code": "invalid_request", "error": "It is wrong."}
        for index in range(len(batch.records))
        if every and (index + 1) % every == 0
    ]
    status = 400 if len(rejected) == len(batch.records) else 202
    return Answer(status, {}, json.dumps({"rejected": rejected}).encode())


def test_deliveries() -> None:
    reached = {"queue_full": 0, "too_old": 0, "refused": 0, "rejected": 0, "accepted": 0}
    for case in cases("deliveries"):
        course = Course(case)
        outbox = course.outbox
        queued = []
        for step in case["steps"]:
            if "put" in step:
                course.put(step["put"], step["count"], step["bytes"])
            else:
                course.run(step.get("waitMs", step.get("flushMs")) / 1_000, "flushMs" in step)
            queued.append(outbox.queued)
        while outbox.queued:
            course.run(3_600)
        found = outbox.counts
        assert queued == case["queued"], case
        assert course.requests == case["requests"], case
        expected = case["delivery"]
        assert (found.accepted, found.rejected, found.dropped) == (
            expected["accepted"],
            expected["rejected"],
            expected["dropped"],
        ), case
        # Here a record that became too old does not count as sent.
        assert found.sent == found.accepted + found.rejected + found.dropped["refused"], case
        if not found.dropped["too_old"]:
            assert found.sent == expected["sent"]
        for name in reached:
            reached[name] += found.dropped.get(name, 0) or int(getattr(found, name, 0))
    assert all(reached.values()), reached
