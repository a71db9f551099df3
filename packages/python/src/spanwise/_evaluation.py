"""The result of an evaluation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Score:
    """What an evaluator says of an item; ``error`` is what it raised."""

    score: float | None
    passed: bool | None = None
    comment: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class EvaluatedItem:
    """An item with what the task made of it."""

    id: str
    input: Any
    expected_output: Any
    output: Any
    #: What the task raised.
    error: str | None
    trace_id: str
    latency_ms: float
    scores: dict[str, Score]
    #: No error, and no evaluator failed it or raised.
    passed: bool


class EvaluatorSummary(NamedTuple):
    """The scores of an evaluator."""

    avg_score: float | None
    #: Of the items with a verdict.
    pass_rate: float | None
    count: int  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleMethodOverride]


class Evaluation:
    """What came of a task over the items of a dataset. Printed it is a table."""

    def __init__(
        self,
        items: Sequence[EvaluatedItem],
        slugs: Sequence[str],
        *,
        run_id: str | None = None,
        run_name: str = "",
        dataset_id: str | None = None,
    ) -> None:
        self.items = list(items)
        self.run_id = run_id
        self.run_name = run_name
        self.dataset_id = dataset_id
        count = len(self.items)
        self.pass_rate: float | None = sum(item.passed for item in self.items) / count if count else None
        self.error_rate: float | None = sum(item.error is not None for item in self.items) / count if count else None
        latencies = sorted(item.latency_ms for item in self.items)
        self.latency_p50_ms = _quantile(latencies, 0.5)
        self.latency_p95_ms = _quantile(latencies, 0.95)
        self.by_evaluator: dict[str, EvaluatorSummary] = {slug: self._summary(slug) for slug in slugs}

    def _summary(self, slug: str) -> EvaluatorSummary:
        scores = [item.scores[slug] for item in self.items if slug in item.scores]
        numbers = [one.score for one in scores if one.score is not None]
        verdicts = [one.passed for one in scores if one.passed is not None]
        return EvaluatorSummary(
            sum(numbers) / len(numbers) if numbers else None,
            sum(verdicts) / len(verdicts) if verdicts else None,
            len(numbers),
        )

    def __repr__(self) -> str:
        return f"<Evaluation {self.run_name!r}: {len(self.items)} items, pass rate {_percent(self.pass_rate)}>"

    def __str__(self) -> str:
        rows = [("evaluator", "score", "passed", "items")]
        for slug, summary in self.by_evaluator.items():
            score = "–" if summary.avg_score is None else f"{summary.avg_score:.3f}"
            rows.append((slug, score, _percent(summary.pass_rate), str(summary.count)))
        rows.append(("all", "", _percent(self.pass_rate), str(len(self.items))))
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = [
            f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}".rstrip() for row in rows
        ]
        failed = sum(item.error is not None for item in self.items)
        figures = f"errors {failed}, latency p50 {_milliseconds(self.latency_p50_ms)}, p95 {_milliseconds(self.latency_p95_ms)}"
        return "\n".join((self.run_name, *lines, figures))


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    return ordered[math.floor(share * (len(ordered) - 1))] if ordered else None


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _milliseconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f} ms"
