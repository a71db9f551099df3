"""Values of the application: readable, bounded, never an error."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import json
import time
import uuid
from typing import Any

import attrs
import pydantic
import pytest

from conftest import Service
from spanwise import Spanwise
from spanwise._convert import CUT, plain_of, to_json, utf8


@dataclasses.dataclass
class Point:
    x: int
    y: Any = None


class Model(pydantic.BaseModel):
    name: str
    inner: Point | None = None
    hidden: str = pydantic.Field(default="s", exclude=True)


@attrs.define
class Attrs:
    a: int


class Color(enum.Enum):
    RED = "red"


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("never printed")


class Worse:
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("nor looked at")

    def __str__(self) -> str:
        return "x" * 1_000_000


def generator() -> Any:
    yield 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Point(1, Point(2)), {"x": 1, "y": {"x": 2, "y": None}}),
        (Model(name="m", inner=Point(1)), {"name": "m", "inner": {"x": 1, "y": None}}),
        (Attrs(3), {"a": 3}),
        (datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc), "2026-01-02T03:04:05+00:00"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (decimal.Decimal("1.10"), "1.10"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (b"x" * 12, "<bytes 12>"),
        ({"a"}, ["a"]),
        (frozenset([1]), [1]),
        (ValueError("wrong"), "wrong"),
        (float("nan"), "NaN"),
        ([float("inf"), -float("inf")], ["Infinity", "-Infinity"]),
        ((1, 2.5, True, None), [1, 2.5, True, None]),
        ({1: "a", None: "b", False: "c", (1,): "d"}, {"1": "a", "null": "b", "false": "c", "(1,)": "d"}),
        (Color.RED, "red"),
        (collections.deque([1, 2]), [1, 2]),
        (range(3), [0, 1, 2]),
        ({"k": {}}.keys(), ["k"]),
        (Hostile(), "<Hostile>"),
        ([Hostile(), 1], ["<Hostile>", 1]),
        (generator(), "<generator>"),
        (map(str, [1]), "<map>"),
        (10**400, "<int>"),
        ("a\ud83d\ude00b", "a😀b"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_readable(value: Any, expected: Any) -> None:
    assert json.loads(utf8(to_json(value))) == expected


def test_lone_surrogates() -> None:
    assert utf8(to_json("a\ud800b")) == '"a\ufffdb"'.encode()


def test_cycles_and_depth() -> None:
    cycle: dict[str, Any] = {"a": 1}
    cycle["self"] = [cycle]
    assert plain_of(cycle) == {"a": 1, "self": ["<cycle>"]}
    point = Point(1)
    point.y = point
    assert plain_of(point) == {"x": 1, "y": "<cycle>"}
    deep: Any = "bottom"
    for _ in range(5_000):
        deep = [deep]
    text = to_json(deep)
    assert text == "[" * 100 + '"<list>"' + "]" * 100
    same = [1]
    assert plain_of([same, same]) == [[1], [1]]


def test_generators_are_not_consumed() -> None:
    one = generator()
    to_json({"g": one})
    assert list(one) == [1]


LARGE: dict[str, Any] = {
    "text": lambda: "x" * 50_000_000,
    "list": lambda: ["y" * 1_000] * 50_000,
    "dict": lambda: {str(n): n for n in range(1_000_000)},
    "nodes": lambda: [[n] for n in range(100_000)],
    "two bytes": lambda: "é" * 600_000,
    "hostile": Worse,
}


@pytest.mark.parametrize("name", LARGE)
def test_large_values_are_cut_in_time(name: str) -> None:
    value = LARGE[name]()
    took = []
    text = ""
    for _ in range(3):
        began = time.process_time()
        text = to_json(value)
        took.append(time.process_time() - began)
    assert len(text.encode()) <= 600_000
    assert CUT in text or name == "hostile"
    if isinstance(json.loads(text), str):
        assert len(json.loads(text).encode()) <= 500_000
    # Conversion stops at 20 ms; the rest is writing what there is.
    assert min(took) < 0.2


def test_hostile_values_reach_the_service(sw: Spanwise, service: Service) -> None:
    items = [1, 2]
    hostile: Any = Hostile()
    no_usage: Any = {"input_tokens": float("nan"), "output_tokens": 3, "other": 4}
    wrong: Any = ["no", "object"]
    seven: Any = 7
    unknown: Any = {"unknown": 1}
    with sw.trace(
        "root", input=items, metadata={"h": Hostile(), "nan": float("nan")}, tags=["ok", hostile, seven], user_id=seven
    ) as trace:
        items.append(3)
        trace.update(output=Worse(), usage=no_usage, cost_usd=wrong, name=hostile)
        trace.update(**unknown)
        with sw.span("large", input="x" * 50_000_000, output=["y" * 400_000] * 3, kind="no kind", metadata=wrong):
            pass
        with sw.span(hostile, input=None, **unknown):
            pass
    assert sw.flush(60)
    spans = service.spans(trace.trace_id, 3)
    root, large = spans["root"], spans["large"]
    assert root["input"] == [1, 2]
    assert root["metadata"] == {"h": "<Hostile>", "nan": "NaN"}
    assert (root["tags"], root["userId"]) == (["ok", "7"], "7")
    assert root["usage"]["outputTokens"] == 3
    assert large["kind"] == "span"
    assert "span" in spans
    assert sw.delivery().rejected == []


def test_what_the_application_throws_itself_is_the_applications(sw: Spanwise) -> None:
    class Own(BaseException):
        def __str__(self) -> str:
            raise RuntimeError("hostile")

    error = Own()
    with pytest.raises(Own) as caught, sw.span("s"):
        raise error
    assert caught.value is error
