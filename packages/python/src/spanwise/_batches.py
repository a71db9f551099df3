"""Requests that carry queued records: what is in them, and what the service answers."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ._convert import utf8
from ._http import Answer
from ._otlp import Redact, RequestWriter, redacted

#: Bytes of a request before compression.
MAX_BODY = 900_000
_ROOM = 896_000
SPANS, SCORES, OUTCOMES, CHANGES = range(4)
#: Records of a request.
MAX_RECORDS = (512, 100, 100, 1)


class Record(NamedTuple):
    """A record that waits to be sent."""

    sequence: int
    #: Monotonic seconds.
    at: float
    item: Any
    size: int


@dataclass(frozen=True)
class Rejection:
    """Records of a request that the service rejected."""

    line: int | None
    code: str
    error: str
    count: int


@dataclass
class Batch:
    """A request: sent again it has the same bytes."""

    kind: int
    records: list[Record]
    #: Empty until it is written.
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Records that could not be written.
    broken: int = 0


class BatchWriter:
    """Writes requests."""

    def __init__(self, redact: Redact | None, resource: Mapping[str, Any]) -> None:
        self._redact = redact
        self._spans = RequestWriter(redact, resource)

    def write(self, kind: int, records: Sequence[Record]) -> tuple[Batch, list[Record]]:
        """A request of the first records, and those that did not fit."""
        if kind == SPANS:
            return self._span_batch(records)
        before, after = _FRAMES[kind]
        lines: list[bytes] = []
        size = len(before) + len(after) - 1
        taken: list[Record] = []
        broken = 0
        for record in records:
            try:
                line = utf8(json.dumps(self._redacted(record.item), ensure_ascii=False, separators=(",", ":")))
            except Exception:
                taken.append(record)
                broken += 1
                continue
            if lines and size + len(line) + 1 > MAX_BODY:
                break
            size += len(line) + 1
            taken.append(record)
            lines.append(line)
        rest = list(records[len(taken) :])
        body = before + (b"\n" if kind == SCORES else b",").join(lines) + after
        if kind == SCORES:
            body = gzip.compress(body, _GZIP_LEVEL, mtime=0)
        headers = _NDJSON if kind == SCORES else _JSON
        return Batch(kind, taken, body if lines else b"", headers, broken), rest

    def _redacted(self, item: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._redact is None or item.get("type") != "score":
            return item
        texts = {name: redacted(self._redact, item[name]) for name in ("comment", "label") if name in item}
        return {**item, **texts}

    def _span_batch(self, records: Sequence[Record]) -> tuple[Batch, list[Record]]:
        data, taken, broken = self._spans.write([record.item for record in records], _ROOM)
        # Large texts compress well at the fastest level.
        body = gzip.compress(data, 1, mtime=0) if data else b""
        return Batch(SPANS, list(records[:taken]), body, _PROTOBUF, broken), list(records[taken:])


_GZIP = {"content-encoding": "gzip"}
_PROTOBUF = {"content-type": "application/x-protobuf", **_GZIP}
_NDJSON = {"content-type": "application/x-ndjson", **_GZIP}
_JSON = {"content-type": "application/json"}
_GZIP_LEVEL = 6
#: Of a body, before and after its lines.
_FRAMES = {SCORES: (b"", b"\n"), OUTCOMES: (b'{"outcomes":[', b"]}"), CHANGES: (b"", b"")}


def results_of(kind: int, answer: Answer) -> list[Rejection] | None:
    """What was rejected of a request with status 2xx, or 400 with lines. None: it is no answer about records."""
    if kind == SPANS:
        return _partial_success(answer) if answer.status < 300 else None
    body = answer.json()
    if not isinstance(body, dict):
        return None
    if kind == CHANGES:
        return [] if answer.status < 300 and isinstance(body.get("id"), str) else None
    rejected = body.get("rejected")
    if not isinstance(rejected, list) or (answer.status >= 300 and not rejected):
        return None
    place, first = ("line", 0) if kind == SCORES else ("index", 1)
    return [
        Rejection(int(one.get(place, 0)) + first, str(one.get("code")), str(one.get("error")), 1)
        for one in rejected
        if isinstance(one, dict)
    ]


def _partial_success(answer: Answer) -> list[Rejection] | None:
    if not answer.content:
        return []
    kind = answer.headers.get("content-type", "")
    if kind.startswith("application/json"):
        body = answer.json()
        if not isinstance(body, dict):
            return None
        partial = body.get("partialSuccess") or {}
        count, message = int(partial.get("rejectedSpans", 0)), str(partial.get("errorMessage", ""))
    elif kind.startswith("application/x-protobuf"):
        # Loaded here: only what was rejected needs it.
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

        try:
            success = ExportTraceServiceResponse.FromString(answer.content).partial_success
        except Exception:
            return None
        count, message = success.rejected_spans, success.error_message
    else:
        return None
    return [Rejection(None, "invalid_request", message, count)] if count > 0 else []
