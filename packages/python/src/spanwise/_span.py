"""A span of the application: made active by ``with``, or ended by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import Token
from types import TracebackType
from typing import Any, Protocol

from opentelemetry.sdk.trace import Span as SdkSpan
from opentelemetry.trace import Status, StatusCode

from ._context import Context, Frame, attach, current, detach
from ._convert import MAX_NAME, text_of
from ._fields import METADATA, SHARED, TAGS, attributes_of, merge, merged_metadata
from ._lenient import lenient
from ._tracer import SPAN_KEY, ClientTracer

#: These end a generator, or a loop over one.
_NO_ERRORS = (GeneratorExit, StopIteration, StopAsyncIteration)


class PromptLike(Protocol):
    """What a span reads of a prompt."""

    name: str
    version: int | None

    @property
    def variables(self) -> Mapping[str, Any] | None: ...


class Span:
    """An open span. Nothing of it raises; after its end nothing of it does anything."""

    __slots__ = ("_code", "_frame", "_is_ended", "_is_root", "_message", "_span", "_status", "_tokens", "_tracer")

    def __init__(self, tracer: ClientTracer | None, span: SdkSpan | None, frame: Frame | None, is_root: bool) -> None:
        self._tracer = tracer
        self._span = span
        self._frame = frame
        self._is_root = is_root
        self._tokens: list[Token[Context]] = []
        self._is_ended = span is None
        self._status: str | None = None
        self._code: str | None = None
        self._message: str | None = None

    @property
    def trace_id(self) -> str:
        """32 hexadecimal digits; zeros where nothing is recorded."""
        return "0" * 32 if self._span is None else format(self._span.get_span_context().trace_id, "032x")

    @property
    def span_id(self) -> str:
        """16 hexadecimal digits; zeros where nothing is recorded."""
        return "0" * 16 if self._span is None else format(self._span.get_span_context().span_id, "016x")

    @lenient
    def update(
        self,
        *,
        name: str | None = None,
        input: Any = None,
        output: Any = None,
        model: str | None = None,
        provider: str | None = None,
        usage: Mapping[str, int] | None = None,
        cost_usd: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        prompt: PromptLike | None = None,
        status: str | None = None,
        error_code: str | None = None,
        error_message: str | None = None,
        time_to_first_token_ms: float | None = None,
    ) -> None:
        """Adds what is known now. ``usage`` and ``metadata`` are merged with what was given before, the rest replaces it."""
        fields = {
            "input": input,
            "output": output,
            "model": model,
            "provider": provider,
            "usage": usage,
            "cost_usd": cost_usd,
            "metadata": metadata,
            "tags": tags,
            "user_id": user_id,
            "session_id": session_id,
            "prompt": prompt,
            "time_to_first_token_ms": time_to_first_token_ms,
        }
        self.give(fields, name, status, error_code, error_message)

    def give(
        self,
        fields: Mapping[str, Any],
        name: object = None,
        status: object = None,
        error_code: object = None,
        error_message: object = None,
    ) -> None:
        """The same with fields by name, for the wrappers."""
        span, tracer = self._span, self._tracer
        if self._is_ended or span is None or tracer is None:
            return
        try:
            attributes = attributes_of(fields)
            if METADATA in attributes:
                before = (span._attributes or {}).get(METADATA)
                attributes[METADATA] = merged_metadata(before, attributes[METADATA])
            if self._is_root and self._frame is not None:
                shared = {key: attributes[key] for key in SHARED if key in attributes}
                if shared:
                    self._frame.give(shared)
                    attributes = merge(self._frame.around, attributes) if TAGS in shared else attributes
            elif TAGS in attributes and self._frame is not None:
                attributes[TAGS] = merge(self._frame.attributes, attributes)[TAGS]
            if attributes:
                span.set_attributes(attributes)
            title = text_of(name, MAX_NAME)
            if title:
                span.update_name(title)
            if status in ("ok", "error"):
                self._status = str(status)
            self._code = text_of(error_code, 1_000) or self._code
            self._message = text_of(error_message) or self._message
        except Exception as error:
            tracer.tell("span", error)

    def mark_as_call(self) -> None:
        """Spans that the client library makes of the same call, such as Anthropic's own, are not sent beside this one."""
        if self._span is not None:
            self._span._spanwise_call = True  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]

    def give_json(self, attribute: str, text: str) -> None:
        """Sets an attribute that is JSON already."""
        if not self._is_ended and self._span is not None:
            self._span.set_attribute(attribute, text)

    def fail(self, error: BaseException, code: str | None = None) -> None:
        """Records an exception."""
        if self._is_ended or isinstance(error, _NO_ERRORS):
            return
        self._status = "error"
        self._code = code or type(error).__name__
        try:
            self._message = text_of(str(error))
        except Exception:
            self._message = None

    def end(self) -> None:
        """Ends the span now; it is sent."""
        span, tracer = self._span, self._tracer
        if self._is_ended or span is None or tracer is None:
            return
        self._is_ended = True
        if not tracer.is_of_this_process(span):
            return
        try:
            if self._status == "ok":
                span.set_status(Status(StatusCode.OK))
            elif self._status == "error" or self._code is not None or self._message is not None:
                if self._code:
                    span.set_attribute("spanwise.error_code", self._code)
                span._status = Status(StatusCode.ERROR, self._message)
            span.end()
        except Exception as error:
            tracer.tell("span", error)

    def context(self) -> Context:
        """The context in which this span is active."""
        span, tracer = self._span, self._tracer
        if span is None or tracer is None:
            return current()
        return Context({**current(), SPAN_KEY: span, tracer.key: (self._frame, span)})

    def __enter__(self) -> Span:
        if self._span is not None and self._tracer is not None:
            try:
                self._tokens.append(attach(self.context()))
            except Exception as error:
                self._tracer.tell("span", error)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if error is not None:
            self.fail(error)
        if self._tokens:
            detach(self._tokens.pop())
        self.end()

    async def __aenter__(self) -> Span:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, traceback)

    def __repr__(self) -> str:
        return f"<spanwise.Span {self.trace_id}/{self.span_id}>"
