"""Spans as an OTLP request in protobuf, written by hand: half the time of building messages first."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan

from ._convert import CUT, Converter, cut_text, utf8

Redact = Callable[[str], str]
#: Attributes that are JSON, which is cut as such.
JSON_ATTRIBUTES = frozenset(("spanwise.input", "spanwise.output", "spanwise.metadata", "spanwise.prompt.variables"))
_FAILED = "[redaction failed]"

_fixed64 = struct.Struct("<Q").pack
_fixed32 = struct.Struct("<I").pack
_double = struct.Struct("<d").pack
_BYTES = [bytes((number,)) for number in range(128)]
_MAX_KEYS = 4_096
_keys: dict[str, bytes] = {}


def varint(number: int) -> bytes:
    """A whole number from 0 as protobuf writes it; negative ones as 64 bits."""
    if 0 <= number < 128:
        return _BYTES[number]
    number &= 0xFFFFFFFFFFFFFFFF
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def field(tag: int, data: bytes) -> bytes:
    """A field with a length: tag (field number * 8 + 2), length, bytes."""
    return varint(tag) + varint(len(data)) + data


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
    """Writes spans. ``redact`` sees every text of their attributes, events and status."""

    def __init__(self, redact: Redact | None) -> None:
        self._redact = redact
        self._limit = 0

    def write(self, span: ReadableSpan, limit: int = 0) -> bytes:
        """A span as a field of ScopeSpans. With ``limit`` texts are cut to so many bytes."""
        self._limit = limit
        context = span.get_span_context()
        if context is None:
            raise ValueError("a span without a context")
        parts = [
            b"\x0a\x10" + context.trace_id.to_bytes(16, "big") + b"\x12\x08" + context.span_id.to_bytes(8, "big"),
        ]
        if context.trace_state:
            parts.append(field(26, utf8(context.trace_state.to_header())))
        parent = span.parent
        flags = int(context.trace_flags) | 0x100
        if parent is not None:
            parts.append(b"\x22\x08" + parent.span_id.to_bytes(8, "big"))
            if parent.is_remote:
                flags |= 0x200
        name = utf8(span.name)
        parts.append(b"\x2a" + varint(len(name)) + name)
        parts.append(b"\x30" + varint(span.kind.value + 1))
        parts.append(b"\x39" + _fixed64(span.start_time or 0) + b"\x41" + _fixed64(span.end_time or span.start_time or 0))
        attributes = span._attributes if hasattr(span, "_attributes") else span.attributes
        self._attributes(parts, 0x4A, attributes or {})
        for event in span._events if hasattr(span, "_events") else span.events:
            inner = [b"\x09" + _fixed64(event.timestamp), field(0x12, utf8(event.name))]
            self._attributes(inner, 0x1A, event.attributes or {})
            parts.append(field(0x5A, b"".join(inner)))
        for link in span._links if hasattr(span, "_links") else span.links:
            at = link.context
            inner = [b"\x0a\x10" + at.trace_id.to_bytes(16, "big") + b"\x12\x08" + at.span_id.to_bytes(8, "big")]
            self._attributes(inner, 0x22, link.attributes or {})
            inner.append(b"\x35" + _fixed32(0x300 if at.is_remote else 0x100))
            parts.append(field(0x6A, b"".join(inner)))
        for tag, dropped in ((80, span.dropped_attributes), (96, span.dropped_events), (112, span.dropped_links)):
            if dropped:
                parts.append(varint(tag) + varint(dropped))
        self._status(parts, span)
        parts.append(b"\x85\x01" + _fixed32(flags))
        data = b"".join(parts)
        return b"\x12" + varint(len(data)) + data

    def _status(self, parts: list[bytes], span: ReadableSpan) -> None:
        status = span.status
        code = status.status_code.value
        if not code:
            return
        inner = b"\x18" + varint(code)
        if status.description:
            inner = field(0x12, utf8(self._text(status.description))) + inner
        parts.append(field(0x7A, inner))

    def _text(self, text: str, key: str = "") -> str:
        if self._redact is not None:
            text = redacted(self._redact, text)
        limit = self._limit
        if limit and len(text) * 3 > limit:
            return _cut_json(text, limit) if key in JSON_ATTRIBUTES else cut_text(text, limit)
        return text

    def _attributes(self, parts: list[bytes], tag: int, attributes: Mapping[str, Any]) -> None:
        start = _BYTES[tag]
        for key, value in attributes.items():
            head = _keys.get(key)
            if head is None:
                head = field(0x0A, utf8(key))
                if len(_keys) < _MAX_KEYS and len(key) < 200:
                    _keys[key] = head
            data = self._value(value, key)
            length = varint(len(data))
            parts.append(start + varint(len(head) + 1 + len(length) + len(data)) + head + b"\x12" + length + data)

    def _value(self, value: Any, key: str = "") -> bytes:
        """An AnyValue."""
        kind = type(value)
        if kind is str:
            if self._limit or self._redact is not None:
                value = self._text(value, key)
            try:
                data: bytes = value.encode()
            except UnicodeEncodeError:
                data = utf8(value)
            return b"\x0a" + varint(len(data)) + data
        if kind is bool:
            return b"\x10\x01" if value else b"\x10\x00"
        if kind is int:
            return b"\x18" + varint(value) if -(1 << 63) <= value < 1 << 63 else self._value(str(value))
        if kind is float:
            return b"\x21" + bytes(_double(value))
        if kind is bytes:
            return field(0x3A, value)
        if value is None:
            return b""
        if isinstance(value, Mapping):
            inner: list[bytes] = []
            self._attributes(inner, 0x0A, {str(name): member for name, member in value.items()})
            return field(0x32, b"".join(inner))
        if isinstance(value, Sequence) and not isinstance(value, str):
            return field(0x2A, b"".join(field(0x0A, self._value(item)) for item in value))
        if isinstance(value, int):
            return self._value(int(value))
        if isinstance(value, float):
            return self._value(float(value))
        return self._value(str.__str__(value) if isinstance(value, str) else str(value))


def _cut_json(text: str, limit: int) -> str:
    """JSON of at most about ``limit`` bytes. What is no JSON, since it was redacted, is cut as a text."""
    try:
        value = json.loads(text)
    except ValueError:
        return cut_text(text, limit)
    cut = json.dumps(Converter(limit).convert(value, 0), ensure_ascii=False)
    return cut if len(cut) <= limit * 2 else json.dumps(CUT, ensure_ascii=False)


def scope_bytes(name: str, version: str, attributes: Mapping[str, Any] | None = None) -> bytes:
    """An InstrumentationScope as a field of ScopeSpans."""
    inner = [field(0x0A, utf8(name)), field(0x12, utf8(version))]
    SpanWriter(None)._attributes(inner, 0x1A, attributes or {})
    return field(0x0A, b"".join(inner))


def resource_bytes(attributes: Mapping[str, Any]) -> bytes:
    """A Resource as a field of ResourceSpans."""
    inner: list[bytes] = []
    SpanWriter(None)._attributes(inner, 0x0A, attributes)
    return field(0x0A, b"".join(inner))


def request_bytes(groups: Iterable[tuple[bytes, Iterable[tuple[bytes, Iterable[bytes]]]]]) -> bytes:
    """An ExportTraceServiceRequest of spans by resource and scope."""
    return b"".join(
        field(0x0A, resource + b"".join(field(0x12, scope + b"".join(spans)) for scope, spans in scopes))
        for resource, scopes in groups
    )
