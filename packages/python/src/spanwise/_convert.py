"""Values of the application as JSON: bounded in size and time, readable, and never an error."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import math
import numbers
import re
import time
import types
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from itertools import islice
from typing import Any

#: Bytes of UTF-8 of a value.
MAX_BYTES = 500_000
_MAX_NODES = 20_000
#: CPU of the walk, and time in the application's own code. The time of the walk itself would be longer while other threads run, and values be cut at random.
_MAX_WALK, _MAX_THEIRS = 0.012, 0.012
_MAX_DEPTH = 100
CUT = "… [cut]"
#: Characters of a name or an id, of the 4,096 that the service takes.
MAX_NAME = 4_080
_CYCLE = "<cycle>"
#: Charge of a node, and characters in all, up to which a value is written at once.
_NODE, _SMALL = 40, 60_000
_SIMPLE = frozenset((float, bool, type(None)))
_LARGE = 1 << 63
_CONTAINERS = (dict, list, tuple, set, frozenset, bytes, bytearray)
_LAZY = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
_SURROGATES = re.compile("[\ud800-\udfff]")
_PAIRS = re.compile("[\ud800-\udbff][\udc00-\udfff]")

_cpu = getattr(time, "thread_time", time.perf_counter)
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def to_json(value: object, max_bytes: int = MAX_BYTES) -> str:
    """A value as JSON text of at most about ``max_bytes``. Never raises."""
    try:
        if max_bytes == MAX_BYTES and _small(value, _SMALL, 0) >= 0:
            return _encode(value)
    except Exception:
        pass
    try:
        return _encode(Converter(max_bytes).convert(value, 0))
    except Exception:
        return _encode(_unprintable(value))


def plain_of(value: object, max_bytes: int = MAX_BYTES) -> Any:
    """The same as a Python value that JSON can hold."""
    return json.loads(to_json(value, max_bytes))


def utf8(text: str) -> bytes:
    """A text as UTF-8. Halves of surrogate pairs are joined, lone ones become U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return whole(text).encode()


def whole(text: str) -> str:
    """A text without lone surrogates."""
    if _SURROGATES.search(text) is None:
        return text
    # Much faster than a codec, which asks for each that is wrong.
    return _SURROGATES.sub("\ufffd", _PAIRS.sub(_joined, text))


def _joined(pair: re.Match[str]) -> str:
    return pair.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def text_of(value: object, limit: int = 20_000) -> str | None:
    """A name, an id or a message as text; None for None and for what has no text."""
    if value is None:
        return None
    if type(value) is not str:
        try:
            if isinstance(value, str):
                text = str.__str__(value)
            elif isinstance(value, _CONTAINERS) and _small(value, _SMALL, 0) < 0:
                # The text of a large one takes as long as it is large.
                text = to_json(value, limit)
            else:
                text = str(value)
        except Exception:
            return None
        if type(text) is not str:
            return None
        value = text
    return value if len(value) <= limit else value[:limit] + CUT


def cut_text(text: str, max_bytes: int) -> str:
    """A text of at most ``max_bytes`` of UTF-8, which ends in a mark when something is missing."""
    if len(text) * 3 <= max_bytes:
        return text
    head = text[: max_bytes + 1]
    if not head.isascii() and _SURROGATES.search(head) is not None:
        # Each may become three bytes.
        head = whole(head[: max_bytes // 3])
    data = head.encode()
    if len(data) <= max_bytes and len(head) == len(text):
        return text
    return data[: max(0, max_bytes - 10)].decode("utf-8", "ignore") + CUT


def _small(value: object, left: int, depth: int) -> int:
    """What is left of a budget after a value of exact JSON types; negative when it is spent or the value has others."""
    kind = type(value)
    left -= _NODE
    if kind is str:
        return left - len(value)  # type: ignore[arg-type]
    if kind is int:
        return left if -_LARGE < value < _LARGE else -1  # type: ignore[operator]
    if kind in _SIMPLE:
        return left
    if depth > 20 or left < 0:
        return -1
    depth += 1
    if kind is dict:
        for key, item in value.items():  # type: ignore[attr-defined]
            if type(key) is not str:
                return -1
            left = _small(item, left - len(key), depth)
            if left < 0:
                return -1
        return left
    if kind is list or kind is tuple:
        for item in value:  # type: ignore[attr-defined]
            left = _small(item, left, depth)
            if left < 0:
                return -1
        return left
    return -1


def _unprintable(value: object) -> str:
    return f"<{type(value).__name__}>"


class Converter:
    """Makes a value of JSON's types out of any value, until the budget of bytes, nodes or time is spent."""

    def __init__(self, max_bytes: int) -> None:
        self._bytes = max_bytes
        self._nodes = _MAX_NODES
        self._until = _cpu() + _MAX_WALK
        self._theirs_left = _MAX_THEIRS
        self._path: set[int] = set()
        self.full = False

    def convert(self, value: object, depth: int) -> Any:
        """The value for JSON."""
        self._nodes -= 1
        self._bytes -= 2
        if self._nodes <= 0 or self._bytes <= 0 or (self._nodes & 127 == 0 and _cpu() > self._until):
            self.full = True
        if self.full:
            return CUT
        try:
            return self._convert(value, depth)
        except Exception:
            return self._text(_unprintable(value))

    def _convert(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind is str:
            return self._text(value)
        if kind is bool or value is None:
            return value
        if kind is int:
            return self._integer(value)
        if kind is float:
            return value if math.isfinite(value) else _float_text(value)
        if isinstance(value, (dict, list, tuple, set, frozenset)):
            return self._container(value, depth)
        return self._other(value, depth)

    def _integer(self, value: int) -> Any:
        self._bytes -= 20 if value.bit_length() <= 64 else value.bit_length() // 3
        return value if value.bit_length() <= 1_000 else _unprintable(value)

    def _container(self, value: Any, depth: int) -> Any:
        if depth >= _MAX_DEPTH:
            return _unprintable(value)
        mark = id(value)
        if mark in self._path:
            return _CYCLE
        self._path.add(mark)
        try:
            # What a subclass overrides may do anything.
            if isinstance(value, dict):
                # At once: another thread may be changing it.
                return self._entries(list(islice(dict.items(value), self._nodes + 1)), depth + 1)
            if isinstance(value, (list, tuple)):
                return self._items(iter_exactly(value), depth + 1)
            if type(value) in (set, frozenset):
                return self._items(list(islice(value, self._nodes + 1)), depth + 1)
            if isinstance(value, Mapping):
                return self._entries(((key, self._theirs(value.__getitem__, key)) for key in self._timed(value)), depth + 1)
            return self._items(self._timed(value), depth + 1)
        finally:
            self._path.discard(mark)

    def _theirs(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Runs code of the application's classes, which may take long."""
        began = time.perf_counter()
        try:
            return call(*arguments)
        finally:
            self._theirs_left -= time.perf_counter() - began
            if self._theirs_left < 0:
                self.full = True

    def _timed(self, items: Iterable[Any]) -> Iterator[Any]:
        """The items of an object of the application."""
        iterator = self._theirs(iter, items)
        while True:
            try:
                item = self._theirs(next, iterator)
            except StopIteration:
                return
            yield item

    def _entries(self, entries: Iterable[tuple[object, object]], depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, item in entries:
            if self.full:
                result["…"] = CUT
                break
            result[self._key(key)] = self.convert(item, depth)
        return result

    def _key(self, key: Any) -> str:
        if type(key) is not str:
            if key is None or key is True or key is False:
                key = {None: "null", True: "true", False: "false"}[key]
            key = self._theirs(text_of, key, 1_000) or _unprintable(key)
        name: str = key[:1_000]
        self._bytes -= len(name) + 2
        return name

    def _items(self, items: Iterable[object], depth: int) -> list[Any]:
        result: list[Any] = []
        for item in items:
            if self.full:
                result.append(CUT)
                break
            result.append(self.convert(item, depth))
        return result

    def _text(self, text: str) -> str:
        if len(text) * 3 > self._bytes:
            kept = cut_text(text, max(20, self._bytes))
            self.full = self.full or kept is not text
            text = kept
        self._bytes -= len(text) if text.isascii() else len(utf8(text))
        return text

    def _other(self, value: Any, depth: int) -> Any:
        if isinstance(value, enum.Enum):
            return self.convert(value.value, depth + 1) if depth < _MAX_DEPTH else _unprintable(value)
        if isinstance(value, str):
            return self._text(str.__str__(value))
        if isinstance(value, (bytes, bytearray, memoryview)):
            return f"<bytes {value.nbytes if isinstance(value, memoryview) else len(value)}>"
        if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
            return value.isoformat()
        if isinstance(value, (decimal.Decimal, uuid.UUID)):
            return str(value)
        if isinstance(value, BaseException):
            return self._text(self._theirs(str, value) or type(value).__name__)
        if isinstance(value, (type, *_LAZY)):
            return self._text(repr(value)) if isinstance(value, type) else _unprintable(value)
        fields = _fields_of(value)
        if fields is not None:
            return self._object(value, fields, depth)
        if isinstance(value, numbers.Integral):
            return self._integer(int(value))
        if isinstance(value, numbers.Real):
            number = float(value)
            return number if math.isfinite(number) else _float_text(number)
        if isinstance(value, (Mapping, Sequence, Set, ValuesView)):
            return self._container(value, depth)
        if isinstance(value, Iterator):
            return _unprintable(value)
        text = self._theirs(str, value)
        return self._text(text if type(text) is str else str.__str__(text))

    def _object(self, value: Any, fields: Iterable[str], depth: int) -> Any:
        if depth >= _MAX_DEPTH:
            return _unprintable(value)
        mark = id(value)
        if mark in self._path:
            return _CYCLE
        self._path.add(mark)
        try:
            return self._entries(self._members(value, fields), depth + 1)
        finally:
            self._path.discard(mark)

    def _members(self, value: Any, fields: Iterable[str]) -> Iterator[tuple[str, object]]:
        for name in fields:
            try:
                member = self._theirs(getattr, value, name)
            except AttributeError:
                continue
            except Exception:
                member = _unprintable(value)
            yield name, member


def iter_exactly(value: list[Any] | tuple[Any, ...]) -> Iterator[Any]:
    """The items of a list or tuple, whatever a subclass says of them."""
    return list.__iter__(value) if isinstance(value, list) else tuple.__iter__(value)


def _float_text(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _fields_of(value: object) -> list[str] | None:
    """The names of the fields of a dataclass, of a pydantic model or of an attrs class."""
    kind = type(value)
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind)]
    members = getattr(kind, "__pydantic_fields__", None)
    if isinstance(members, dict):
        names = [name for name, field in members.items() if getattr(field, "exclude", None) is not True]
        extra = getattr(value, "__pydantic_extra__", None)
        return names + [name for name in extra if isinstance(name, str)] if isinstance(extra, dict) else names
    members = getattr(kind, "__fields__", None)
    if isinstance(members, dict):
        return [name for name in members if isinstance(name, str)]
    attributes = getattr(kind, "__attrs_attrs__", None)
    if isinstance(attributes, tuple):
        return [attribute.name for attribute in attributes]
    return None
