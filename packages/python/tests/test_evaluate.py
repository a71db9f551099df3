"""Evaluation of a task over a dataset."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any
from uuid import uuid4

import pytest

from conftest import Service, eventually
from spanwise import Evaluation, Spanwise, SpanwiseError, observe


def dataset(service: Service, count: int) -> tuple[str, str]:
    """A dataset of sums; its name and id."""
    name = f"Sums {uuid4()}"
    made = service.post("/v1/datasets", {"name": name})
    items = [{"input": {"a": n, "b": 1}, "expectedOutput": n + 1, "metadata": {"n": n}} for n in range(count)]
    service.post(f"/v1/datasets/{made['id']}/items", {"items": items})
    return name, made["id"]


def exact_match(output: Any, expected_output: Any) -> bool:
    return bool(output == expected_output)


async def distance(output: Any, expected_output: Any, metadata: Any) -> dict[str, Any]:
    await asyncio.sleep(0)
    return {"score": abs(output - expected_output), "comment": f"item {metadata['n']}"}


def only_even(input: Any, metadata: Any) -> float | None:
    return 1.0 if input["a"] % 2 == 0 else None


def raising(output: Any) -> bool:
    if output == 3:
        raise RuntimeError("cannot tell")
    return True


def test_200_items(sw: Spanwise, service: Service) -> None:
    name, dataset_id = dataset(service, 200)
    at_once: list[int] = []
    running = 0
    lock = threading.Lock()

    @observe(client=sw, kind="tool")
    def add(a: int, b: int) -> int:
        return a + b

    def task(given: Any) -> int:
        nonlocal running
        with lock:
            running += 1
            at_once.append(running)
        time.sleep(0.002)
        try:
            if given["a"] == 7:
                raise ValueError("seven")
            return add(given["a"], given["b"]) + (1 if given["a"] == 9 else 0)
        finally:
            with lock:
                running -= 1

    found = sw.evaluate(
        name, task, [exact_match, distance, only_even, raising], name="first", label="main", metadata={"v": 1}, concurrency=4
    )
    assert isinstance(found, Evaluation)
    assert max(at_once) <= 4
    assert [item.input["a"] for item in found.items] == list(range(200))
    failed = {item.input["a"] for item in found.items if not item.passed}
    # A task that raised, a wrong sum, and an evaluator that raised.
    assert failed == {7, 9, 2}
    assert found.pass_rate == 197 / 200
    assert found.error_rate == 1 / 200
    assert found.items[7].error == "ValueError: seven"
    assert found.items[9].scores["exact-match"].passed is False
    assert found.items[2].scores["raising"].error == "RuntimeError: cannot tell"
    assert found.by_evaluator["exact-match"] == (198 / 199, 198 / 199, 199)
    assert found.by_evaluator["distance"][1:] == (None, 199)
    assert found.by_evaluator["only-even"] == (1.0, None, 100)
    assert found.dataset_id == dataset_id
    assert "exact-match" in str(found)
    assert "98.5%" in str(found)
    run = service.get(f"/v1/datasets/{dataset_id}/runs/{found.run_id}")
    assert run["aggregates"]["itemCount"] == 200
    listed = service.get(f"/v1/datasets/{dataset_id}/runs")["runs"][0]
    assert (listed["name"], listed["metadata"]) == ("first", {"v": 1, "label": "main"})
    trace = service.trace(found.items[9].trace_id, lambda one: len(one["scores"]) == 4 and len(one["spans"]) == 2)
    root = next(span for span in trace["spans"] if not span.get("parentSpanId"))
    assert (root["kind"], root["environment"], root["tags"], root["name"]) == ("chain", "evaluation", ["first"], "first")
    # Its spans say it too, since they arrive before their root.
    assert [span["attributes"]["spanwise.source"] for span in trace["spans"]] == ["evaluation"] * 2
    path = f"/v1/projects/{service.project}/spans"
    assert service.get(path, filter="trace.name:first")["spans"] == []
    assert len(service.get(path, filter="trace.name:first source:evaluation", limit=200)["spans"]) == 200
    assert all(span["environment"] == "evaluation" for span in trace["spans"])
    scores = {score["evaluator"]: (score["score"], score["passed"]) for score in trace["scores"]}
    assert scores["passed"] == (0, False)
    assert scores["exact-match"] == (0, False)
    eventually(lambda: len(service.get(f"/v1/datasets/{dataset_id}/runs/{found.run_id}")["aggregates"]["byEvaluator"]) == 5)


def test_lists_and_asynchronous_tasks(sw: Spanwise, service: Service) -> None:
    async def task(given: int) -> int:
        await asyncio.sleep(10 if given == 2 else 0)
        return given * 2

    items = [{"input": n, "expected_output": n * 2} for n in range(4)]
    found = asyncio.run(sw.aevaluate(items, task, [exact_match], timeout=0.5))
    assert [item.output for item in found.items] == [0, 2, None, 6]
    assert found.items[2].error is not None
    assert "TimeoutError" in found.items[2].error
    assert (found.run_id, found.dataset_id) == (None, None)

    async def within_a_loop() -> Evaluation:
        return sw.evaluate(items, lambda given: given * 2, [exact_match])

    assert asyncio.run(within_a_loop()).pass_rate == 1
    hanging = sw.evaluate([{"input": 1}], lambda given: time.sleep(5), timeout=0.2)
    assert hanging.error_rate == 1


def test_what_cannot_begin(sw: Spanwise) -> None:
    ran: list[Any] = []
    for client, data in (
        (sw, "no such dataset"),
        (Spanwise("spw_test", "http://127.0.0.1:9"), "x"),
        (Spanwise(), [{"input": 1}]),
    ):
        with pytest.raises(SpanwiseError):
            client.evaluate(data, ran.append)
    assert ran == []
