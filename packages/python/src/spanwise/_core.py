"""What all parts of a client share: its settings, its queue, its ends."""

from __future__ import annotations

import atexit
import hashlib
import os
import threading
import time
import weakref
from collections.abc import Callable
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from opentelemetry.trace import INVALID_SPAN_CONTEXT, SpanContext, get_current_span

from . import _tracer
from ._counts import Counts, Delivery
from ._delivery import Sender
from ._guard import Guard
from ._http import Http
from ._observe import _First
from ._reporter import Reporter
from ._settings import Settings
from ._tracer import ClientTracer

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ._prompts import Prompts

P = ParamSpec("P")
R = TypeVar("R")
_EXIT_WAIT = 5.0


class Core:
    """A client without what it is for."""

    def __init__(self, settings: Settings, on_error: object) -> None:
        self._settings = settings
        self._reporter = Reporter(on_error, settings.api_key)
        self._http = Http(settings.base_url, settings.api_key, settings.timeout)
        self._is_closed = False
        self._sender: Sender | None = None
        self._tracer: ClientTracer | None = None
        self._executor: Executor | None = None
        self._prompts: Prompts | None = None
        # Clients of one project of one service are one: their spans nest in each other.
        self._key = (
            "spanwise-" + hashlib.sha256(f"{settings.base_url} {settings.api_key}".encode(errors="replace")).hexdigest()[:16]
        )
        #: The guardrails of the project.
        self.guard = Guard(self, self._http, settings, self._reporter)
        if settings.problem is not None:
            self._reporter.tell("settings", settings.problem)
        else:
            resource = _resource(settings.service, settings.release, settings.environment)
            self._sender = Sender(settings, self._reporter, resource)
            self._http.figures = self._sender.header
            self._tracer = ClientTracer(self._sender, resource, self._reporter.tell, self._key)
            # Kept until it is shut down: what it has queued is sent at the end, also where the application lets it go.
            _open.add(self)
        _clients.add(self)
        if _First.client is None:
            _First.client = self

    def __repr__(self) -> str:
        return f"<Spanwise {self._settings.base_url}>"

    def delivery(self) -> Delivery:
        """What became of everything that was given to this client."""
        if self._sender is None:
            return Counts().report(0, self._reporter.last_error)
        return self._sender.report()

    def flush(self, timeout: float = 5.0) -> bool:
        """Waits until all that is queued is sent, at most ``timeout`` seconds. Whether it is."""
        sender = self._sender
        return sender is None or self._safely(lambda: sender.flush(_seconds(timeout)), False)

    async def aflush(self, timeout: float = 5.0) -> bool:
        """The same beside an event loop."""
        return await self._in_thread(self.flush, timeout)

    def shutdown(self, timeout: float = 5.0) -> bool:
        """Flushes; afterwards nothing of the client does anything."""
        if self._is_closed:
            return True
        self._is_closed = True
        _open.discard(self)
        if self._tracer is not None:
            self._tracer.is_closed = True
        if _First.client is self:
            _First.client = None
        sender = self._sender
        done = sender is None or self._safely(lambda: sender.close(_seconds(timeout)), False)
        self._safely(self._http.close, None)
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False)
        return done

    # Inside

    def _is_recording(self) -> bool:
        return self._tracer is not None and not self._is_closed

    def _active(self) -> SpanContext:
        """What is active, as far as it is this client's or of an instrumentation."""
        return (
            INVALID_SPAN_CONTEXT
            if self._tracer is None
            else get_current_span(self._tracer.parent_context()[0]).get_span_context()
        )

    def _active_trace_id(self) -> str | None:
        active = self._active()
        return format(active.trace_id, "032x") if active.is_valid else None

    def _safely(self, call: Callable[[], R], otherwise: R) -> R:
        try:
            return call()
        except Exception as error:
            self._reporter.tell("unexpected", error)
            return otherwise

    async def _in_thread(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Runs what waits for the network in a thread of this client, not of the application's executor."""
        import asyncio
        from concurrent.futures import ThreadPoolExecutor

        executor = self._executor
        if executor is None:
            executor = self._executor = ThreadPoolExecutor(32, thread_name_prefix="spanwise")
        run = copy_context().run
        return await asyncio.get_running_loop().run_in_executor(executor, lambda: run(call, *args, **kwargs))

    def _after_fork(self) -> None:
        self._http.after_fork()
        self._executor = None
        if self._prompts is not None:
            self._prompts.after_fork()
        if self._sender is not None:
            self._sender.after_fork()
        if self._tracer is not None:
            self._tracer.after_fork()


def _resource(service: str | None, release: str | None, environment: str | None) -> dict[str, Any]:
    given = {
        "telemetry.sdk.language": "python",
        "telemetry.sdk.name": "spanwise",
        "service.name": service,
        "service.version": release,
        "deployment.environment.name": environment,
    }
    return {name: value for name, value in given.items() if value is not None}


def _seconds(timeout: object) -> float:
    try:
        seconds = float(timeout)  # type: ignore[arg-type]
        return min(max(0.0, seconds), threading.TIMEOUT_MAX) if seconds == seconds else _EXIT_WAIT
    except Exception:
        return _EXIT_WAIT


_clients: weakref.WeakSet[Core] = weakref.WeakSet()
_open: set[Core] = set()


def _after_fork() -> None:
    _tracer.after_fork()
    for client in list(_clients):
        client._after_fork()


def _at_exit() -> None:
    until = time.monotonic() + _EXIT_WAIT
    for client in list(_open):
        client.shutdown(max(0.0, until - time.monotonic()))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
