"""A recorded call of a model."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

from .._context import attach, detach
from .._convert import plain_of
from .._span import Span

Fields = dict[str, Any]


def _given(body: Fields) -> Fields:
    """A body without what the caller left out: Anthropic's helper for streams leaves it to the request to drop that."""
    return {name: value for name, value in body.items() if type(value).__name__ not in ("NotGiven", "Omit")}


class StreamReader(Protocol):
    """Puts a streamed answer together."""

    def add(self, part: Fields) -> bool:
        """Reads a part; whether the model wrote something in it."""
        ...

    def hides(self, part: Fields) -> bool:
        """Whether the application did not ask for a part, and does not get it."""
        ...

    def fields(self) -> Fields:
        """What the parts so far say."""
        ...


@dataclass(frozen=True)
class Endpoint:
    """How the calls of an endpoint are recorded."""

    name: str
    kind: str
    input: Callable[[Fields], Any]
    #: The fields of a whole answer.
    read: Callable[[Fields], Fields]
    #: Of a streamed one; whether its usage was asked for by us.
    reader: Callable[[bool], StreamReader] | None
    #: Streams say nothing of their usage unless they are asked to.
    asks_usage: bool = False


class Call:
    """A call from its request to the end of its answer. Nothing of it raises."""

    def __init__(self, sw: Any, endpoint: Endpoint, options: Any, provider: str, is_stream: bool) -> None:
        self._endpoint = endpoint
        body = _given(options.json_data) if isinstance(options.json_data, dict) else {}
        self._is_stream = is_stream
        self._asked = is_stream and endpoint.asks_usage and body.get("stream_options") is None
        fields = {"request_model": body.get("model"), "provider": provider, "input": endpoint.input(body)}
        self.span: Span = sw._begin(endpoint.name, endpoint.kind, fields)
        self.span.mark_as_call()
        self._began = time.perf_counter()
        self._token: Any = None
        if self._asked:
            options.json_data = {**body, "stream_options": {"include_usage": True}}

    def __enter__(self) -> Call:
        self._token = attach(self.span.context())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        detach(self._token)
        if error is not None:
            self.fail(error)

    def answered(self, answer: Any) -> Any:
        """Reads an answer, now or while the application does. Returns it."""
        try:
            self._read(answer)
        except Exception:
            self.span.end()
        return answer

    def _read(self, answer: Any) -> None:
        response = getattr(answer, "http_response", None)
        if response is not None and callable(getattr(answer, "parse", None)):
            self._read_raw(answer, response)
        elif self._is_stream and hasattr(answer, "_iterator") and self._endpoint.reader is not None:
            self._watch(answer)
        else:
            self.finish(self._endpoint.read(plain_of(answer)))

    def _read_raw(self, answer: Any, response: Any) -> None:
        """Of a raw response: its body is there, or the stream that the application makes of it is watched."""
        if not self._is_stream:
            self.finish(self._endpoint.read(response.json()))
            return
        parse = answer.parse

        def parsed(*args: Any, **kwargs: Any) -> Any:
            stream = parse(*args, **kwargs)
            if hasattr(stream, "_iterator"):
                self.answered(stream)
            return stream

        answer.parse = parsed

    def _watch(self, stream: Any) -> None:
        reader = self._endpoint.reader
        if reader is None:
            return
        inner = stream._iterator
        watch = _Watch(self, reader(self._asked))
        watched: Any = _AsyncWatched(inner, watch) if hasattr(inner, "__anext__") else _Watched(inner, watch)
        stream._iterator = watched
        _watch_closing(stream.response, watch)

    def first_part(self) -> None:
        """The model wrote something, for the first time."""
        self.span.give({"time_to_first_token_ms": (time.perf_counter() - self._began) * 1_000})

    def finish(self, fields: Fields) -> None:
        """Ends the span with what the answer says."""
        self.span.give(fields, None, fields.get("status"), fields.get("error_code"), fields.get("error_message"))
        self.span.end()

    def fail(self, error: BaseException) -> None:
        """Ends the span with an exception: its code is the status of the answer."""
        status = getattr(error, "status_code", None)
        self.span.fail(error, str(status) if isinstance(status, int) else None)
        self.span.end()


class _Watch:
    """What is known of a stream while it is read."""

    def __init__(self, call: Call, reader: StreamReader) -> None:
        self._call = call
        self._reader = reader
        self._is_begun = False
        self._is_over = False
        #: A part is being read: an error ends the span itself.
        self.is_reading = False

    def hides(self, part: Any) -> bool:
        """Reads a part; whether the application does not get it."""
        try:
            fields = plain_of(part)
            if self._reader.add(fields) and not self._is_begun:
                self._is_begun = True
                self._call.first_part()
            return self._reader.hides(fields)
        except Exception:
            return False

    def end(self, error: BaseException | None = None) -> None:
        """The stream is exhausted, closed, left or broken."""
        if self._is_over:
            return
        self._is_over = True
        try:
            fields = self._reader.fields()
        except Exception:
            fields = {}
        if error is None:
            self._call.finish(fields)
        else:
            self._call.span.give(fields)
            self._call.fail(error)


def _watch_closing(response: Any, watch: _Watch) -> None:
    """The libraries close a stream by closing its response."""
    for name in ("close", "aclose"):
        close = getattr(response, name, None)
        if close is None:
            continue

        def closing(close: Any = close) -> Any:
            if not watch.is_reading:
                watch.end()
            return close()

        try:
            setattr(response, name, closing)
        except AttributeError:
            pass


class _Watched:
    """The parts of a stream, as the application gets them."""

    def __init__(self, inner: Any, watch: _Watch) -> None:
        self._inner = inner
        self._watch = watch

    def __iter__(self) -> _Watched:
        return self

    def __next__(self) -> Any:
        watch = self._watch
        watch.is_reading = True
        try:
            while True:
                part = next(self._inner)
                if not watch.hides(part):
                    return part
        except StopIteration:
            watch.end()
            raise
        except BaseException as error:
            watch.end(error)
            raise
        finally:
            watch.is_reading = False

    def close(self) -> None:
        self._watch.end()
        close = getattr(self._inner, "close", None)
        if close is not None:
            close()

    def __del__(self) -> None:
        self._watch.end()


class _AsyncWatched:
    """The same of an asynchronous stream."""

    def __init__(self, inner: Any, watch: _Watch) -> None:
        self._inner = inner
        self._watch = watch

    def __aiter__(self) -> _AsyncWatched:
        return self

    async def __anext__(self) -> Any:
        watch = self._watch
        watch.is_reading = True
        try:
            while True:
                part = await self._inner.__anext__()
                if not watch.hides(part):
                    return part
        except StopAsyncIteration:
            watch.end()
            raise
        except BaseException as error:
            watch.end(error)
            raise
        finally:
            watch.is_reading = False

    async def aclose(self) -> None:
        self._watch.end()
        close = getattr(self._inner, "aclose", None)
        if close is not None:
            await close()

    def __del__(self) -> None:
        self._watch.end()
