"""The part of a client that makes traces and spans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.trace import get_current_span

from ._context import EMPTY, Context, Frame, attach, current, detach
from ._convert import MAX_NAME, text_of
from ._core import Core
from ._fields import SHARED, attributes_of, kind_of, merge
from ._lenient import lenient
from ._span import PromptLike, Span
from ._tracer import ClientTracer

C = TypeVar("C")


class Tracing(Core):
    """Traces, spans, and the clients and instrumentations that make some."""

    @lenient
    def trace(
        self,
        name: str,
        *,
        kind: str = "span",
        user_id: str | None = None,
        session_id: str | None = None,
        agent_name: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        input: Any = None,
        output: Any = None,
    ) -> Span:
        """Begins a trace. User, session and tags are those of every span inside it; of kind ``agent`` the agent is, too."""
        fields = {
            "user_id": user_id,
            "session_id": session_id,
            "agent_name": agent_name,
            "tags": tags,
            "metadata": metadata,
            "input": input,
            "output": output,
        }
        return self._begin(name, kind, fields, is_trace=True)

    @lenient
    def span(
        self,
        name: str,
        *,
        kind: str = "span",
        model: str | None = None,
        provider: str | None = None,
        input: Any = None,
        output: Any = None,
        usage: Mapping[str, int] | None = None,
        cost_usd: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        prompt: PromptLike | None = None,
    ) -> Span:
        """Begins a span below the active one, or a trace where there is none. Without ``with`` it is not active, and ``end`` ends it."""
        fields = {
            "model": model,
            "provider": provider,
            "input": input,
            "output": output,
            "usage": usage,
            "cost_usd": cost_usd,
            "metadata": metadata,
            "prompt": prompt,
        }
        return self._begin(name, kind, fields)

    @lenient
    @contextmanager
    def context(
        self,
        *,
        user_id: str | None = None,
        session_id: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Iterator[None]:
        """Gives these to every span that begins inside, of other instrumentations too."""
        fields = {"user_id": user_id, "session_id": session_id, "tags": tags, "metadata": metadata}
        token = None
        if self._tracer is not None:
            try:
                token = attach(self._with_fields(self._tracer, attributes_of(fields)))
            except Exception as error:
                self._reporter.tell("span", error)
        try:
            yield
        finally:
            if token is not None:
                detach(token)

    def _with_fields(self, tracer: ClientTracer, attributes: dict[str, Any]) -> Context:
        context = current()
        before = tracer.frame_of(context)
        frame = Frame(merge(before.around, attributes), before.given)
        frame.attributes = merge(before.attributes, attributes)
        active: Any = context.get(tracer.key)
        return Context({**context, tracer.key: (frame, None if active is None else active[1])})

    @lenient
    def instrument(
        self, provider: TracerProvider | None = None, *, filter: Callable[[ReadableSpan], bool] | None = None
    ) -> list[str]:
        """Sends the spans of OpenTelemetry's global provider, or of ``provider``, too, and switches on the instrumentations that are installed.

        Returns the names of the instrumented libraries. ``filter`` says which spans of others are sent.
        """
        if self._tracer is None or self._is_closed:
            return []
        try:
            # What finds installed packages is loaded where it is needed, as all that few use.
            from ._instrument import instrument

            return instrument(self._tracer, provider, filter if callable(filter) else None)
        except Exception as error:
            self._reporter.tell("instrument", error)
            return []

    def wrap_openai(self, client: C) -> C:
        """Records the calls of a client of the package ``openai``: chat completions, responses and embeddings. Returns the client."""
        from ._wrap import wrap_client

        return self._safely(lambda: wrap_client(self, client, "openai"), client)

    def wrap_anthropic(self, client: C) -> C:
        """Records the calls of a client of the package ``anthropic``: messages. Returns the client."""
        from ._wrap import wrap_client

        return self._safely(lambda: wrap_client(self, client, "anthropic"), client)

    # Records

    # Inside

    def _begin(self, name: object, kind: object, fields: Mapping[str, Any], *, is_trace: bool = False) -> Span:
        tracer = self._tracer
        if tracer is None or self._is_closed:
            return NOTHING
        try:
            return _begun(tracer, text_of(name, MAX_NAME) or "span", kind_of(kind), attributes_of(fields), is_trace)
        except Exception as error:
            self._reporter.tell("span", error)
            return NOTHING

    def _observed(self, name: str, kind: str, arguments: dict[str, Any] | None) -> Span | None:
        if self._tracer is None or self._is_closed:
            return None
        span = self._begin(name, kind, {"input": arguments})
        return None if span is NOTHING else span

    def _evaluation_trace(self, name: str, fields: Mapping[str, Any]) -> Span:
        """The trace of an item of an evaluation: what is within it is of the environment ``evaluation``."""
        if self._tracer is None or self._is_closed:
            return NOTHING
        attributes = attributes_of(fields)
        return _begun(self._tracer, name, "chain", attributes, True, _OF_EVALUATIONS)


#: Its spans say it too, since they arrive before their root.
_SOURCE = "spanwise.source"
_OF_EVALUATIONS = {"deployment.environment.name": "evaluation", _SOURCE: "evaluation"}


def _begun(
    tracer: ClientTracer,
    name: str,
    kind: str,
    attributes: dict[str, Any],
    is_trace: bool,
    of_all: Mapping[str, Any] | None = None,
) -> Span:
    context, frame = tracer.parent_context()
    if is_trace:
        context = EMPTY
    is_root = not get_current_span(context).get_span_context().is_valid
    attributes["spanwise.kind"] = kind
    if is_root:
        frame = Frame({**frame.around, **(of_all or {})}, {})
        own = merge(frame.around, attributes)
        shared = {key: own[key] for key in (*SHARED, _SOURCE) if key in own}
        if shared:
            frame.give(shared)
        attributes = own
    elif frame.attributes:
        attributes = merge(frame.attributes, attributes)
    return Span(tracer, tracer.start(name, context, attributes), frame, is_root)


#: Of a client that records nothing.
NOTHING = Span(None, None, None, False)
