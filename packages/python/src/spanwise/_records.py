"""Scores, outcomes and changes: queued with the spans."""

from __future__ import annotations

import datetime
import json
import math
import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from ._convert import plain_of, text_of

#: Characters of JSON of an outcome's or a change's metadata.
_MAX_METADATA = 16_000
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})")


def new_id() -> str:
    """An id, so that what is sent again counts once."""
    return uuid.uuid4().hex


def now_text() -> str:
    """The time now, ISO 8601."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


def without_none(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What is given."""
    return {name: value for name, value in fields.items() if value is not None}


def score_event(fields: Mapping[str, Any], active: Callable[[], str | None]) -> dict[str, Any]:
    """A score as a line of ``/v1/ingest``."""
    trace_id, session_id = text_of(fields["trace_id"]), text_of(fields["session_id"])
    if trace_id is None and session_id is None:
        trace_id = active()
    return without_none(
        {
            "type": "score",
            "scoreId": text_of(fields["score_id"]) or new_id(),
            "traceId": trace_id,
            "spanId": text_of(fields["span_id"]),
            "sessionId": session_id,
            "evaluator": text_of(fields["evaluator"]) or "",
            "score": number_of(fields["score"]),
            "passed": flag_of(fields["passed"]),
            "label": text_of(fields["label"], 4_000),
            "comment": text_of(fields["comment"], 500_000),
            "timestamp": now_text(),
        }
    )


def outcome_event(fields: Mapping[str, Any], active: Callable[[], str | None]) -> dict[str, Any]:
    """An outcome of ``/v1/ingest/outcomes``."""
    return without_none(
        {
            "traceId": text_of(fields["trace_id"]) or active(),
            "kind": text_of(fields["kind"]) or "",
            "value": number_of(fields["value"]),
            "currency": text_of(fields["currency"]),
            "success": flag_of(fields["success"]),
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


def flag_of(value: object) -> bool | None:
    """A truth; None for None and for what has none."""
    try:
        return None if value is None else bool(value)
    except Exception:
        return None


def number_of(value: object) -> float | None:
    """A number, True or False as 1 or 0; None for what is none."""
    try:
        number = float(value)  # type: ignore[arg-type]
        if not math.isfinite(number):
            return None
        return int(value) if isinstance(value, int) and abs(value) < 2**53 else number
    except Exception:
        return None


def time_of(value: object) -> str | None:
    """A time as ISO 8601 with a zone: a datetime or a text (without a zone it is local), or seconds since 1970. None for what is no time."""
    try:
        if isinstance(value, str):
            if _INSTANT.fullmatch(value):
                return value
            value = datetime.datetime.fromisoformat(value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            value = datetime.datetime.fromtimestamp(value, datetime.timezone.utc)
        if isinstance(value, datetime.datetime):
            return value.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
    except Exception:
        pass
    return None


def metadata_of(value: object) -> dict[str, Any] | None:
    """Metadata for JSON, as much of it as the service takes; None for what is no object."""
    if value is None:
        return None
    for limit in (_MAX_METADATA, _MAX_METADATA // 3, _MAX_METADATA // 8):
        plain = plain_of(value, limit)
        if not isinstance(plain, dict):
            return None
        if len(json.dumps(plain)) <= _MAX_METADATA:
            return plain
    return None
