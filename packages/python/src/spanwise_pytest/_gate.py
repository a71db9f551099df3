"""The gate: a run against the newest earlier one with a label."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

from spanwise import SpanwiseError
from spanwise._service import Service

#: Seconds within which the scores that were just sent can be read.
_PATIENCE = 60.0
_TOLERANCE = 1e-9
_MOST_SHOWN = 20


@dataclass(frozen=True)
class Gate:
    """With what a run is compared, and how strictly."""

    label: str
    #: Of the pass rate, 0..1.
    max_drop: float
    #: ``pass``, ``fail`` or ``point``.
    on_inconclusive: str


def decide(service: Service, summary: dict[str, Any], gate: Gate) -> tuple[bool, list[str]]:
    """Whether a run passes its gate, and what is to be said of it."""
    try:
        baseline = _baseline(service, summary, gate.label)
        if baseline is None:
            return True, [f"gate: there is no earlier run with the label {gate.label!r}; passed"]
        compared = _compared(service, summary, baseline["id"])
    except SpanwiseError as error:
        return False, [f"gate: refused, since the runs could not be compared: {error}"]
    about = f"baseline {baseline['name']!r} ({baseline['id']}), pass rate {_rate(compared['items'], 'a')}"
    passed = next((one for one in compared["byEvaluator"] if one["evaluator"] == "passed"), None)
    if passed is None or passed["meanDelta"] is None:
        return gate.on_inconclusive != "fail", [about, "gate: inconclusive, since no item is in both runs"]
    drop, low, high = -passed["meanDelta"], -passed["ciHigh"], -passed["ciLow"]
    lines = [
        about,
        f"drop {drop:+.1%}, 95 % interval {low:+.1%} to {high:+.1%}, {passed['n']} items, allowed {gate.max_drop:.1%}",
    ]
    if low > gate.max_drop + _TOLERANCE:
        return False, [*lines, "gate: refused", *_regressed(compared["items"])]
    if high <= gate.max_drop + _TOLERANCE:
        return True, [*lines, "gate: passed"]
    fits = gate.on_inconclusive == "pass" or (gate.on_inconclusive == "point" and drop <= gate.max_drop + _TOLERANCE)
    needed = _items_needed(drop, low, high, gate.max_drop, passed["n"])
    would = f"; about {needed} items would tell" if needed is not None else ""
    word = "passed" if fits else "refused"
    return fits, [
        *lines,
        f"gate: inconclusive, {word} (--spanwise-on-inconclusive {gate.on_inconclusive}){would}",
        *_regressed(compared["items"]),
    ]


def _baseline(service: Service, summary: dict[str, Any], label: str) -> Any:
    cursor = ""
    found: list[Any] = []
    while True:
        page = service.ask("GET", f"/v1/datasets/{summary['dataset_id']}/runs?limit=200{cursor}")
        found += [
            run for run in page["runs"] if (run.get("metadata") or {}).get("label") == label and run["id"] != summary["run_id"]
        ]
        if not page["nextCursor"]:
            break
        cursor = f"&cursor={page['nextCursor']}"
    own = service.ask("GET", f"/v1/datasets/{summary['dataset_id']}/runs/{summary['run_id']}?limit=1")
    created = (own.get("run") or own).get("createdAt", "9")
    earlier = [run for run in found if run["createdAt"] <= created]
    return max(earlier, key=lambda run: (run["createdAt"], run["id"]), default=None)


def _compared(service: Service, summary: dict[str, Any], baseline: str) -> Any:
    """The comparison, once the scores of this run are there."""
    path = f"/v1/datasets/{summary['dataset_id']}/runs/compare?runs={baseline},{summary['run_id']}"
    until = time.monotonic() + _PATIENCE
    while True:
        compared = service.ask("GET", path)
        own = [item["b"] for item in compared["items"] if item["b"] is not None]
        scored = sum(any(score["evaluator"] == "passed" for score in item["scores"]) for item in own)
        if scored >= min(summary["count"], len(own)) or time.monotonic() > until:
            return compared
        time.sleep(0.5)


def _passed(side: Any) -> bool | None:
    scores = [] if side is None else [score for score in side["scores"] if score["evaluator"] == "passed"]
    return bool(scores[0]["score"]) if scores else None


def _rate(items: list[Any], side: str) -> str:
    verdicts = [verdict for item in items if (verdict := _passed(item[side])) is not None]
    return f"{sum(verdicts) / len(verdicts):.1%}" if verdicts else "unknown"


def _regressed(items: list[Any]) -> list[str]:
    """Those that passed then, and do not now."""
    found = [item["datasetItemId"] for item in items if _passed(item["a"]) is True and _passed(item["b"]) is False]
    lines = [f"regressed: item {one}" for one in found[:_MOST_SHOWN]]
    return lines if len(found) <= _MOST_SHOWN else [*lines, f"and {len(found) - _MOST_SHOWN} more"]


def _items_needed(drop: float, low: float, high: float, limit: float, items: int) -> int | None:
    """About how many items would narrow the interval so far that the limit is outside: its width shrinks with the root of their number."""
    distance = abs(limit - drop)
    half = high - drop if drop <= limit else drop - low
    if distance < _TOLERANCE:
        return None
    needed = math.ceil(items * (half / distance) ** 2)
    return max(needed, items + 1) if needed <= 10_000_000 else None
