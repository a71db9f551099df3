"""Requests that carry queued records: what is in them, and what the service answers."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from opentelemetry.sdk.trace import ReadableSpan

from ._convert import utf8
from ._http import Answer
from ._otlp import Redact, SpanWriter, redacted, request_bytes, resource_bytes, scope_bytes

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
    body: bytes
    headers: Mapping[str, str]
    #: Records that could not be written.
    broken: int = 0


class BatchWriter:
    """Writes batches."""

    def __init__(self, redact: Redact | None, resource: Mapping[str, Any]) -> None:
        self._redact = redact
        self._spans = SpanWriter(redact)
        self._own_resource = resource_bytes(resource)
        #: What spans share, by the ids of its objects, which are kept so that the ids stay theirs.
        self._shared: dict[tuple[int, int], tuple[bytes, bytes, object, object]] = {}

    def write(self, kind: int, records: Sequence[Record], size_limit: int | None = None) -> tuple[Batch, list[Record]]:
        """A batch of the first records, and those that did not fit."""
        if kind == SPANS:
            return self._span_batch(records, size_limit)
        lines: list[bytes] = []
        size = 40
        taken: list[Record] = []
        broken = 0
        for record in records:
            try:
                line = utf8(json.dumps(self._redacted(record.item), ensure_ascii=False, separators=(",", ":")))
            except Exception:
                taken.append(record)
                broken += 1
                continue
            if taken and size + len(line) + 1 > MAX_BODY:
                break
            size += len(line) + 1
            taken.append(record)
            lines.append(line)
        rest = list(records[len(taken) :])
        if kind == SCORES:
            body, headers = gzip.compress(b"\n".join(lines) + b"\n", 6, mtime=0), dict(_NDJSON)
        elif kind == OUTCOMES:
            body, headers = b'{"outcomes":[' + b",".join(lines) + b"]}", dict(_JSON)
        else:
            body, headers = b"".join(lines), dict(_JSON)
        return Batch(kind, taken, body if lines else b"", headers, broken), rest

    def _redacted(self, item: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._redact is None or item.get("type") != "score":
            return item
        texts = {name: redacted(self._redact, item[name]) for name in ("comment", "label") if name in item}
        return {**item, **texts}

    def _span_batch(self, records: Sequence[Record], size_limit: int | None) -> tuple[Batch, list[Record]]:
        limit = size_limit or _ROOM
        groups: dict[bytes, dict[bytes, list[bytes]]] = {}
        size = 0
        taken: list[Record] = []
        broken = 0
        for record in records:
            span: ReadableSpan = record.item
            try:
                resource, scope = self._shared_of(span)
                data = self._spans.write(span)
                new = 0 if scope in groups.get(resource, ()) else len(resource) + len(scope) + 20
                if len(data) + new > limit:
                    data = self._shortened(span, limit - new)
            except Exception:
                taken.append(record)
                broken += 1
                continue
            if size + len(data) + new > limit and taken:
                break
            size += len(data) + new
            taken.append(record)
            groups.setdefault(resource, {}).setdefault(scope, []).append(data)
        body = b""
        if groups:
            body = gzip.compress(request_bytes((r, s.items()) for r, s in groups.items()), _level(size), mtime=0)
        return Batch(SPANS, taken, body, _PROTOBUF, broken), list(records[len(taken) :])

    def _shortened(self, span: ReadableSpan, limit: int) -> bytes:
        for share in (0.4, 0.15, 0.05, 0.01, 0.001):
            data = self._spans.write(span, max(100, int(limit * share)))
            if len(data) <= limit:
                return data
        raise ValueError("the span is too large")

    def _shared_of(self, span: ReadableSpan) -> tuple[bytes, bytes]:
        scope = span.instrumentation_scope
        is_own = scope is not None and scope.name == "spanwise"
        resource = None if is_own else span.resource
        key = (id(resource), id(scope))
        found = self._shared.get(key)
        if found is None:
            if len(self._shared) > 1_000:
                self._shared.clear()
            name, version = (scope.name, scope.version or "") if scope is not None else ("", "")
            attributes = getattr(scope, "attributes", None)
            data = self._own_resource if resource is None else resource_bytes(resource.attributes)
            found = (data, scope_bytes(name, version, attributes), resource, scope)
            self._shared[key] = found
        return found[0], found[1]


_GZIP = {"content-encoding": "gzip"}
_PROTOBUF = {"content-type": "application/x-protobuf", **_GZIP}
_NDJSON = {"content-type": "application/x-ndjson", **_GZIP}
_JSON = {"content-type": "application/json"}


def _level(size: int) -> int:
    """Large texts compress well at the fastest level; a body must not exceed what the service takes on the wire."""
    return 1 if size < 2_000_000 else 6


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
