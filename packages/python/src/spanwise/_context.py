"""What a client keeps in OpenTelemetry's context, and how a context is made active and left."""

from __future__ import annotations

from contextvars import Token
from typing import Any

from opentelemetry import context as otel_context
from opentelemetry.context import Context
from opentelemetry.trace import Span as OtelSpan
from opentelemetry.trace import get_current_span, set_span_in_context

#: An empty context: a span that begins in it begins a trace.
EMPTY = Context()


class Frame:
    """What every span of a trace carries: the attributes of the trace, and those of the contexts around its spans."""

    __slots__ = ("around", "attributes", "given")

    def __init__(self, around: dict[str, Any], given: dict[str, Any]) -> None:
        #: Of ``context()``; also for traces that begin inside.
        self.around = around
        #: Of the trace.
        self.given = given
        self.attributes = {**around, **given}

    def give(self, attributes: dict[str, Any]) -> None:
        """Adds attributes of the trace."""
        self.given.update(attributes)
        self.attributes = {**self.around, **self.given}


NO_FRAME = Frame({}, {})


def attach(context: Context) -> Token[Context]:
    """Makes a context active."""
    return otel_context.attach(context)


_runtime = getattr(otel_context, "_RUNTIME_CONTEXT", None)


def detach(token: Token[Context]) -> None:
    """Makes the context before active again, also where another context of Python is the current one: without a message in the log."""
    try:
        if _runtime is not None:
            _runtime.detach(token)
        else:
            otel_context.detach(token)
    except ValueError:
        # Entered in one thread or task, and left in another: a dependency of FastAPI, a generator.
        old = token.old_value
        if isinstance(old, Context):
            otel_context.attach(old)
    except Exception:
        pass


def current() -> Context:
    """The active context."""
    return otel_context.get_current()


__all__ = [
    "EMPTY",
    "NO_FRAME",
    "Context",
    "Frame",
    "OtelSpan",
    "attach",
    "current",
    "detach",
    "get_current_span",
    "set_span_in_context",
]
