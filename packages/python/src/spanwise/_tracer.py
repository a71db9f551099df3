"""Makes the spans of a client: OpenTelemetry's, of a provider that reads no environment."""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace import Span as SdkSpan
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.sdk.trace.sampling import ALWAYS_ON

from ._context import EMPTY, NO_FRAME, Context, Frame, OtelSpan, current, get_current_span
from ._delivery import SPANS, Sender
from ._version import __version__

_NAME = "spanwise"
#: Scopes of client libraries that make spans of their own.
_LIBRARIES = frozenset(("com.anthropic.sdk.python",))
#: Scopes of instrumentations of libraries that call models by other libraries, and of those that they call by: the same call would be there twice.
_FRAMEWORKS = frozenset(("openinference.instrumentation.langchain", "openinference.instrumentation.litellm"))
_CLIENTS = frozenset(
    (
        "openinference.instrumentation.anthropic",
        "openinference.instrumentation.openai",
        "opentelemetry.instrumentation.anthropic",
        "opentelemetry.instrumentation.openai.v1",
    )
)
_TOKENS = ("llm.token_count.prompt", "gen_ai.usage.input_tokens")
#: Nanoseconds by which the clocks of two instrumentations may differ.
_APART = 2_000_000
#: Spans of others that are known to be open.
_MOST_OPEN = 100_000


class _Ids(IdGenerator):
    """Random ids. The application may seed ``random``; a child process must not repeat its parent's."""

    def __init__(self) -> None:
        self.seed()

    def seed(self) -> None:
        self._bits = random.Random(os.urandom(32)).getrandbits

    def generate_span_id(self) -> int:
        return self._bits(64) or 1

    def generate_trace_id(self) -> int:
        return self._bits(128) or 1

    def is_trace_id_random(self) -> bool:
        return True


#: Counts the forks that led to this process: a span that began before one is its parent's.
_generation = 0
_ids = _Ids()


def after_fork() -> None:
    """In a child."""
    global _generation
    _generation += 1
    _ids.seed()


class _Own(SpanProcessor):
    """Queues the client's own spans when they end."""

    def __init__(self, tracer: ClientTracer) -> None:
        self._tracer = tracer

    def on_end(self, span: ReadableSpan) -> None:
        try:
            self._tracer.queue(span)
        except Exception as error:
            self._tracer.tell("span", error)


class _Foreign(SpanProcessor):
    """Gives the spans of another provider what the trace gives, and queues them when they end."""

    def __init__(self, tracer: ClientTracer, keep: Callable[[ReadableSpan], bool] | None) -> None:
        self._tracer = tracer
        self._keep = keep
        self._open: set[int] = set()
        #: Spans that are not sent: those that a library makes of a recorded call, and those that are the parent process's.
        self._left_out: set[int] = set()
        #: Calls that ended last, as the library's instrumentation saw them.
        self._calls: deque[ReadableSpan] = deque(maxlen=200)
        #: The same of frameworks.
        self._framework_calls: deque[ReadableSpan] = deque(maxlen=200)

    def after_fork(self) -> None:
        """What is open belongs to the parent process."""
        self._left_out |= self._open
        self._open = set()

    def on_start(self, span: SdkSpan, parent_context: Context | None = None) -> None:
        try:
            context = current() if parent_context is None else parent_context
            scope = span.instrumentation_scope
            number = span.get_span_context().span_id
            if scope is not None and scope.name in _LIBRARIES and hasattr(get_current_span(context), "_spanwise_call"):
                self._left_out.add(number)
                return
            if len(self._open) > _MOST_OPEN:
                self._open.clear()
            self._open.add(number)
            frame = self._tracer.frame_of(context)
            missing = {name: value for name, value in frame.attributes.items() if name not in (span.attributes or {})}
            if missing:
                span.set_attributes(missing)
        except Exception as error:
            self._tracer.tell("instrument", error)

    def on_end(self, span: ReadableSpan) -> None:
        try:
            context = span.get_span_context()
            if context is None:
                return
            self._open.discard(context.span_id)
            if context.span_id in self._left_out:
                self._left_out.discard(context.span_id)
            elif context.trace_flags.sampled and (self._keep is None or self._keep(span)) and not self._is_double(span):
                self._tracer.queue(span)
        except Exception as error:
            self._tracer.tell("instrument", error)

    def _is_double(self, span: ReadableSpan) -> bool:
        """Whether a span is of a call that is recorded already. Of two the framework's stays, in its place, unless only the other one has tokens."""
        name = "" if span.instrumentation_scope is None else span.instrumentation_scope.name
        if name in _CLIENTS:
            own, others = self._calls, [one for one in self._framework_calls if _began_within(span, one)]
            pool = self._framework_calls
        elif name in _FRAMEWORKS and (span.attributes or {}).get("openinference.span.kind") == "LLM":
            own, others = self._framework_calls, [one for one in self._calls if _began_within(one, span)]
            pool = self._calls
        else:
            return False
        if not others:
            # The other one may end later: a stream ends when it is closed.
            own.append(span)
            return False
        other = min(others, key=lambda one: abs((span.end_time or 0) - (one.end_time or 0)))
        pool.remove(other)
        of_client, of_framework = (span, other) if name in _CLIENTS else (other, span)
        dropped = of_framework if _has_tokens(of_client) and not _has_tokens(of_framework) else of_client
        if dropped is other:
            self._tracer.forget(other)
        return dropped is span

    def shutdown(self) -> None:
        pass

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._tracer.flush(timeout_millis / 1_000)


def _began_within(inner: ReadableSpan, outer: ReadableSpan) -> bool:
    """Whether a span of the same trace began within another one."""
    one, other = inner.get_span_context(), outer.get_span_context()
    if one is None or other is None or one.trace_id != other.trace_id:
        return False
    return (outer.start_time or 0) - _APART <= (inner.start_time or 0) <= (outer.end_time or 0)


def _has_tokens(span: ReadableSpan) -> bool:
    attributes = span.attributes or {}
    return any(name in attributes for name in _TOKENS)


class ClientTracer:
    """The tracer of a client."""

    def __init__(
        self, sender: Sender, resource: Mapping[str, Any], tell: Callable[[str, Exception | str], None], key: str
    ) -> None:
        self._sender = sender
        self.tell = tell
        #: Under which the context has this client's frame and active span.
        self.key = key
        self.is_closed = False
        self._is_lambda = bool(os.environ.get("AWS_LAMBDA_FUNCTION_NAME"))
        unset = SpanLimits.UNSET
        limits = SpanLimits(
            max_span_attributes=unset,
            max_event_attributes=unset,
            max_link_attributes=unset,
            max_attributes=unset,
            max_events=unset,
            max_links=unset,
            max_span_attribute_length=unset,
            max_attribute_length=unset,
        )
        provider = TracerProvider(
            sampler=ALWAYS_ON,
            resource=Resource(dict(resource)),
            shutdown_on_exit=False,
            id_generator=_ids,
            span_limits=limits,
        )
        self._processors: list[_Foreign] = []
        provider.add_span_processor(_Own(self))
        self._tracer = provider.get_tracer(_NAME, __version__)

    def frame_of(self, context: Context) -> Frame:
        """The frame of a context."""
        active: tuple[Frame, OtelSpan] | None = context.get(self.key)  # type: ignore[assignment]
        return NO_FRAME if active is None else active[0]

    def parent_context(self) -> tuple[Context, Frame]:
        """The context in which a span begins now. Spans of another client are no parents."""
        context = current()
        active: tuple[Frame, OtelSpan | None] | None = context.get(self.key)  # type: ignore[assignment]
        frame = NO_FRAME if active is None else active[0]
        span = get_current_span(context)
        owner = getattr(span, "_spanwise_owner", self.key)
        if owner == self.key:
            return context, frame
        own = None if active is None else active[1]
        return (EMPTY if own is None else with_span(EMPTY, own)), frame

    def start(self, name: str, context: Context, attributes: dict[str, Any]) -> SdkSpan:
        """A span that begins now."""
        span = self._tracer.start_span(name, context, attributes=attributes)
        span._spanwise_owner = self.key  # type: ignore[attr-defined]
        span._spanwise_generation = _generation  # type: ignore[attr-defined]
        return span  # type: ignore[return-value]

    def is_of_this_process(self, span: SdkSpan) -> bool:
        """Whether a span began in this process, and not in the one that it was forked from."""
        return bool(span._spanwise_generation == _generation)  # type: ignore[attr-defined]

    def queue(self, span: ReadableSpan) -> None:
        """Queues a span that ended."""
        size = 500
        for value in (span._attributes or {}).values():
            size += len(value) + 60 if type(value) is str else 60
        self._sender.put(SPANS, span, size)
        if self._is_lambda and (span.parent is None or span.parent.is_remote):
            self._sender.flush(2.0)

    def forget(self, span: ReadableSpan) -> None:
        """Takes a span out of the queue, where it still is."""
        self._sender.forget(SPANS, lambda item: item is span)

    def flush(self, timeout: float) -> bool:
        """Sends what is queued."""
        return self._sender.flush(timeout)

    def exporting(self, keep: Callable[[ReadableSpan], bool] | None) -> SpanProcessor:
        """A processor that sends the spans of other providers too."""
        processor = _Foreign(self, keep)
        self._processors.append(processor)
        return processor

    def after_fork(self) -> None:
        """In a child process."""
        for processor in self._processors:
            processor.after_fork()


def with_span(context: Context, span: OtelSpan) -> Context:
    """A context with an active span."""
    return Context({**context, SPAN_KEY: span})


def _span_key() -> str:
    from opentelemetry import trace

    marker = trace.NonRecordingSpan(trace.INVALID_SPAN_CONTEXT)
    context = trace.set_span_in_context(marker, Context())
    return next(iter(context))


SPAN_KEY = _span_key()
