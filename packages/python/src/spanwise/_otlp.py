"""Spans as an OTLP request in protobuf: the messages of ``opentelemetry-proto``, filled here.

``encode_spans`` of ``opentelemetry-exporter-otlp-proto-common`` fills the same messages, in five times the time (35 µs a span beside 7, see
docs/performance.md): with it a traced call would cost more than 1.1 of OpenTelemetry's own. It also knows no redaction, no largest size of a request, and
fails at lone surrogates.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ScopeSpans, Span
from opentelemetry.sdk.trace import ReadableSpan

from ._convert import CUT, Converter, cut_text, whole

Redact = Callable[[str], str]
#: Attributes that are JSON, which is cut as such.
JSON_ATTRIBUTES = frozenset(("spanwise.input", "spanwise.output", "spanwise.metadata", "spanwise.prompt.variables"))
_FAILED = "[redaction failed]"
#: What a field with a message takes beside the message, and a group of spans beside its resource and scope.
_FIELD, _GROUP = 5, 20
_MAX_SHARED = 1_000
_SAMPLED_KNOWN, _REMOTE_KNOWN = 0x100, 0x300


def redacted(redact: Redact | None, text: str) -> str:
    """A text after the application's ``redact``."""
    if redact is None:
        return text
    try:
        result = redact(text)
    except Exception:
        return _FAILED
    return result if type(result) is str else _FAILED


class SpanWriter:
    """Fills messages with spans. ``redact`` sees every text of their attributes, events and status."""

    def __init__(self, redact: Redact | None) -> None:
        self._redact = redact
        self._limit = 0

    def fill(self, message: Span, span: ReadableSpan, limit: int = 0) -> None:
        """Writes a span into an empty message. With ``limit`` texts are cut to so many bytes."""
        self._limit = limit
        context = span.get_span_context()
        if context is None:
            raise ValueError("a span without a context")
        message.trace_id = context.trace_id.to_bytes(16, "big")
        message.span_id = context.span_id.to_bytes(8, "big")
        if context.trace_state:
            message.trace_state = whole(context.trace_state.to_header())
        parent = span.parent
        flags = int(context.trace_flags) | _SAMPLED_KNOWN
        if parent is not None:
            message.parent_span_id = parent.span_id.to_bytes(8, "big")
            if parent.is_remote:
                flags |= _REMOTE_KNOWN
        message.flags = flags
        message.name = whole(span.name)
        message.kind = span.kind.value + 1  # type: ignore[assignment]
        message.start_time_unix_nano = span.start_time or 0
        message.end_time_unix_nano = span.end_time or span.start_time or 0
        # These are copied when they are asked for.
        self.attributes(message.attributes, (span._attributes if hasattr(span, "_attributes") else span.attributes) or {})
        for event in span._events if hasattr(span, "_events") else span.events:
            of_event = message.events.add(time_unix_nano=event.timestamp, name=whole(event.name))
            self.attributes(of_event.attributes, event.attributes or {})
        for link in span._links if hasattr(span, "_links") else span.links:
            at = link.context
            of_link = message.links.add(
                trace_id=at.trace_id.to_bytes(16, "big"),
                span_id=at.span_id.to_bytes(8, "big"),
                flags=_REMOTE_KNOWN if at.is_remote else _SAMPLED_KNOWN,
            )
            self.attributes(of_link.attributes, link.attributes or {})
        if dropped := span.dropped_attributes:
            message.dropped_attributes_count = dropped
        if dropped := span.dropped_events:
            message.dropped_events_count = dropped
        if dropped := span.dropped_links:
            message.dropped_links_count = dropped
        status = span.status
        if status.status_code.value:
            message.status.code = status.status_code.value  # type: ignore[assignment]
            if status.description:
                message.status.message = whole(self._text(status.description))

    def attributes(self, target: Any, attributes: Mapping[str, Any]) -> None:
        """Writes attributes into an empty list of them."""
        add = target.add
        for key, value in attributes.items():
            entry = add()
            try:
                entry.key = key
            except UnicodeError:
                entry.key = whole(key)
            self._value(entry.value, value, key)

    def _text(self, text: str, key: str = "") -> str:
        if self._redact is not None:
            text = redacted(self._redact, text)
        limit = self._limit
        if limit and len(text) * 3 > limit:
            return _cut_json(text, limit) if key in JSON_ATTRIBUTES else cut_text(text, limit)
        return text

    def _value(self, target: AnyValue, value: Any, key: str = "") -> None:
        kind = type(value)
        if kind is str:
            if self._limit or self._redact is not None:
                value = self._text(value, key)
            try:
                target.string_value = value
            except UnicodeError:
                target.string_value = whole(value)
        elif kind is bool:
            target.bool_value = value
        elif kind is int:
            if -(1 << 63) <= value < 1 << 63:
                target.int_value = value
            else:
                target.string_value = str(value)
        elif kind is float:
            target.double_value = value
        elif kind is bytes:
            target.bytes_value = value
        elif value is None:
            target.SetInParent()
        elif isinstance(value, Mapping):
            target.kvlist_value.SetInParent()
            self.attributes(target.kvlist_value.values, {str(name): member for name, member in value.items()})
        elif isinstance(value, Sequence) and not isinstance(value, str):
            target.array_value.SetInParent()
            for item in value:
                self._value(target.array_value.values.add(), item)
        elif isinstance(value, int):
            self._value(target, int(value))
        elif isinstance(value, float):
            self._value(target, float(value))
        else:
            self._value(target, str.__str__(value) if isinstance(value, str) else str(value), key)


def _cut_json(text: str, limit: int) -> str:
    """JSON of at most about ``limit`` bytes. What is no JSON, since it was redacted, is cut as a text."""
    try:
        value = json.loads(text)
    except ValueError:
        return cut_text(text, limit)
    cut = json.dumps(Converter(limit).convert(value, 0), ensure_ascii=False)
    return cut if len(cut) <= limit * 2 else json.dumps(CUT, ensure_ascii=False)


class RequestWriter:
    """Writes requests of spans. The service's own resource is that of all spans that this package makes."""

    def __init__(self, redact: Redact | None, resource: Mapping[str, Any]) -> None:
        self._spans = SpanWriter(redact)
        self._own = self._resource(resource)
        #: Resources and scopes by the ids of their objects, which are kept so that the ids stay theirs.
        self._shared: dict[tuple[int, int], tuple[Resource, InstrumentationScope, bytes, object, object]] = {}

    def write(self, spans: Sequence[ReadableSpan], limit: int) -> tuple[bytes, int, int]:
        """A request of the first spans: its bytes, at most ``limit`` of them; how many spans were taken, and how many of them could not be written."""
        request = ExportTraceServiceRequest()
        groups: dict[bytes, ScopeSpans] = {}
        size = taken = broken = 0
        for span in spans:
            try:
                resource, scope, key = self._shared_of(span)
                group = groups.get(key)
                new = 0
                if group is None:
                    new = len(key) + _GROUP
                    group = ScopeSpans(scope=scope)
                more = self._filled(group, span, limit - new) + new
            except Exception:
                taken += 1
                broken += 1
                continue
            if groups and size + more > limit:
                del group.spans[-1]
                break
            if new:
                request.resource_spans.add(resource=resource).scope_spans.append(group)
                groups[key] = request.resource_spans[-1].scope_spans[0]
            size += more
            taken += 1
        return (request.SerializeToString() if groups else b""), taken, broken

    def _filled(self, group: ScopeSpans, span: ReadableSpan, limit: int) -> int:
        """Adds a span to a group; the bytes that it takes. A span that is too large for a request is cut."""
        for share in (0, 0.4, 0.15, 0.05, 0.01, 0.001):
            message = group.spans.add()
            try:
                self._spans.fill(message, span, max(100, int(limit * share)) if share else 0)
                size: int = message.ByteSize() + _FIELD
                if size <= limit:
                    return size
            except Exception:
                del group.spans[-1]
                raise
            del group.spans[-1]
        raise ValueError("the span is too large")

    def _shared_of(self, span: ReadableSpan) -> tuple[Resource, InstrumentationScope, bytes]:
        scope = span.instrumentation_scope
        is_own = scope is not None and scope.name == "spanwise"
        resource = None if is_own else span.resource
        ids = (id(resource), id(scope))
        found = self._shared.get(ids)
        if found is None:
            if len(self._shared) >= _MAX_SHARED:
                self._shared.clear()
            of_scope = InstrumentationScope()
            if scope is not None:
                of_scope.name, of_scope.version = whole(scope.name), whole(scope.version or "")
                SpanWriter(None).attributes(of_scope.attributes, getattr(scope, "attributes", None) or {})
            of_resource = self._own if resource is None else self._resource(resource.attributes)
            key = of_resource.SerializeToString() + b"|" + of_scope.SerializeToString()
            self._shared[ids] = found = (of_resource, of_scope, key, resource, scope)
        return found[0], found[1], found[2]

    @staticmethod
    def _resource(attributes: Mapping[str, Any]) -> Resource:
        message = Resource()
        SpanWriter(None).attributes(message.attributes, attributes)
        return message
