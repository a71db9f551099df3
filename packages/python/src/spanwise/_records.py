"""Scores, outcomes and changes: queued with the spans."""

from __future__ import annotations

import datetime
import math
import uuid
from collections.abc import Mapping
from typing import Any

from opentelemetry.trace import get_current_span

from ._convert import plain_of, text_of


def new_id() -> str:
    """An id, so that what is sent again counts once."""
    return uuid.uuid4().hex


def now_text() -> str:
    """The time now, ISO 8601."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


def active_trace_id() -> str | None:
    """The id of the active trace."""
    context = get_current_span().get_span_context()
    return format(context.trace_id, "032x") if context.is_valid else None


def active_span_id() -> str | None:
    """The id of the active span."""
    context = get_current_span().get_span_context()
    return format(context.span_id, "016x") if context.is_valid else None


def without_none(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What is given."""
    return {name: value for name, value in fields.items() if value is not None}


def score_event(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A score as a line of ``/v1/ingest``."""
    trace_id, session_id = text_of(fields["trace_id"]), text_of(fields["session_id"])
    if trace_id is None and session_id is None:
        trace_id = active_trace_id()
    passed = fields["passed"]
    return without_none(
        {
            "type": "score",
            "scoreId": text_of(fields["score_id"]) or new_id(),
            "traceId": trace_id,
            "spanId": text_of(fields["span_id"]),
            "sessionId": session_id,
            "evaluator": text_of(fields["evaluator"]) or "",
            "score": number_of(fields["score"]),
            "passed": None if passed is None else bool(passed),
            "label": text_of(fields["label"]),
            "comment": text_of(fields["comment"], 1_000_000),
            "timestamp": now_text(),
        }
    )


def outcome_event(fields: Mapping[str, Any]) -> dict[str, Any]:
    """An outcome of ``/v1/ingest/outcomes``."""
    success = fields["success"]
    return without_none(
        {
            "traceId": text_of(fields["trace_id"]) or active_trace_id(),
            "kind": text_of(fields["kind"]) or "",
            "value": number_of(fields["value"]),
            "currency": text_of(fields["currency"]),
            "success": None if success is None else bool(success),
            "occurredAt": time_of(fields["occurred_at"]) or now_text(),
            "idempotencyKey": text_of(fields["idempotency_key"]) or new_id(),
            "metadata": metadata_of(fields["metadata"]),
        }
    )


def change_event(fields: Mapping[str, Any], service: str | None, environment: str | None) -> dict[str, Any]:
    """A change of ``/v1/projects/{id}/changes``."""
    return without_none(
        {
            "kind": text_of(fields["kind"]) or "",
            "service": text_of(fields["service"]) or service,
            "version": text_of(fields["version"]),
            "commitSha": text_of(fields["commit_sha"]),
            "environment": text_of(fields["environment"]) or environment,
            "actor": text_of(fields["actor"]),
            "url": text_of(fields["url"]),
            "at": time_of(fields["at"]) or now_text(),
            "description": text_of(fields["description"]),
            "idempotencyKey": text_of(fields["idempotency_key"]) or new_id(),
            "metadata": metadata_of(fields["metadata"]),
        }
    )


def number_of(value: object) -> float | None:
    """A number, True or False as 1 or 0; None for what is none."""
    if isinstance(value, bool):
        return int(value)
    try:
        number = float(value)  # type: ignore[arg-type]
    except Exception:
        return None
    if not math.isfinite(number):
        return None
    return int(value) if isinstance(value, int) and abs(value) < 2**53 else number


def time_of(value: object) -> str | None:
    """A time as ISO 8601 with a zone: a datetime (without a zone it is local), seconds since 1970, or a text."""
    try:
        if isinstance(value, datetime.datetime):
            return value.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return time_of(datetime.datetime.fromtimestamp(value, datetime.timezone.utc))
    except Exception:
        return None
    return text_of(value)


def metadata_of(value: object) -> dict[str, Any] | None:
    """Metadata for JSON; None for what is no object."""
    if value is None:
        return None
    plain = plain_of(value, 100_000)
    return plain if isinstance(plain, dict) else None
