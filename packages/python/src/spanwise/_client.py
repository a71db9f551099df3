"""The client."""

from __future__ import annotations

import atexit
import hashlib
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from datetime import datetime
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.trace import get_current_span

from . import _tracer
from ._context import EMPTY, Context, Frame, attach, current, detach
from ._convert import text_of
from ._counts import Counts, Delivery
from ._delivery import CHANGES, OUTCOMES, SCORES, Sender
from ._evaluation import Evaluation
from ._fields import SHARED, attributes_of, kind_of, merge
from ._guard import Guard
from ._http import Http
from ._observe import _First
from ._prompts import Prompt, Prompts, fallback_of
from ._records import change_event, new_id, outcome_event, score_event
from ._reporter import Reporter
from ._service import Service
from ._settings import OnUnavailable, read_settings
from ._span import PromptLike, Span, lenient
from ._tracer import ClientTracer

if TYPE_CHECKING:
    from concurrent.futures import Executor

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")
_EXIT_WAIT = 5.0


class Spanwise:
    """A client of a Spanwise service.

    Recording never raises into the application and never makes it wait: what goes wrong goes to the logger ``spanwise``, to ``on_error`` and to
    ``delivery()``. Times are seconds.
    """

    @lenient
    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        environment: str | None = None,
        release: str | None = None,
        service: str | None = None,
        *,
        timeout: float = 10.0,
        max_queue: int = 10_000,
        flush_interval: float = 1.0,
        on_unavailable: OnUnavailable = "block",
        redact: Callable[[str], str] | None = None,
        on_error: Callable[[Exception], object] | None = None,
    ) -> None:
        self._settings = read_settings(
            api_key, base_url, environment, release, service, timeout, max_queue, flush_interval, on_unavailable, redact
        )
        settings = self._settings
        self._reporter = Reporter(on_error, settings.api_key)
        self._http = Http(settings.base_url, settings.api_key, settings.timeout)
        self._is_closed = False
        self._sender: Sender | None = None
        self._tracer: ClientTracer | None = None
        self._executor: Executor | None = None
        # Clients of one project of one service are one: their spans nest in each other.
        self._key = "spanwise-" + hashlib.sha256(f"{settings.base_url} {settings.api_key}".encode()).hexdigest()[:16]
        self._prompts: Prompts | None = None
        #: The guardrails of the project.
        self.guard = Guard(self, self._http, settings, self._reporter)
        if settings.problem is not None:
            self._reporter.tell("settings", settings.problem)
        else:
            resource = _resource(settings.service, settings.release, settings.environment)
            self._sender = Sender(settings, self._reporter, resource)
            self._http.figures = self._sender.header
            self._tracer = ClientTracer(self._sender, resource, self._reporter.tell, self._key)
        _clients.add(self)
        if _First.client is None:
            _First.client = self

    def __repr__(self) -> str:
        return f"<Spanwise {self._settings.base_url}>"

    # Tracing

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
        """Begins a trace. User, session and tags are those of every span inside it."""
        fields = {
            "user_id": user_id,
            "session_id": session_id,
            "agent_name": agent_name,
            "tags": tags,
            "metadata": metadata,
            "input": input,
            "output": output,
        }
        # The name of an agent holds for what is below a span of that kind.
        kind = "agent" if agent_name is not None and kind == "span" else kind
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

    @lenient
    def score(
        self,
        *,
        trace_id: str | None = None,
        span_id: str | None = None,
        session_id: str | None = None,
        evaluator: str = "",
        score: float | bool | None = None,
        passed: bool | None = None,
        label: str | None = None,
        comment: str | None = None,
        score_id: str | None = None,
    ) -> str:
        """Records a score, by default of the active trace. Returns its id."""
        fields = {
            "trace_id": trace_id,
            "span_id": span_id,
            "session_id": session_id,
            "evaluator": evaluator,
            "score": score,
            "passed": passed,
            "label": label,
            "comment": comment,
            "score_id": score_id,
        }
        return self._record(SCORES, lambda: score_event(fields), "scoreId")

    @lenient
    def outcome(
        self,
        *,
        trace_id: str | None = None,
        kind: str = "",
        value: float | None = None,
        currency: str | None = None,
        success: bool | None = None,
        occurred_at: datetime | str | float | None = None,
        idempotency_key: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> str:
        """Records what came of a trace, by default of the active one. Returns the idempotency key."""
        fields = {
            "trace_id": trace_id,
            "kind": kind,
            "value": value,
            "currency": currency,
            "success": success,
            "occurred_at": occurred_at,
            "idempotency_key": idempotency_key,
            "metadata": metadata,
        }
        return self._record(OUTCOMES, lambda: outcome_event(fields), "idempotencyKey")

    @lenient
    def change(
        self,
        *,
        kind: str = "",
        service: str | None = None,
        version: str | None = None,
        commit_sha: str | None = None,
        environment: str | None = None,
        actor: str | None = None,
        url: str | None = None,
        at: datetime | str | float | None = None,
        description: str | None = None,
        idempotency_key: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> str:
        """Records a change, such as a deployment. Returns the idempotency key."""
        fields = {
            "kind": kind,
            "service": service,
            "version": version,
            "commit_sha": commit_sha,
            "environment": environment,
            "actor": actor,
            "url": url,
            "at": at,
            "description": description,
            "idempotency_key": idempotency_key,
            "metadata": metadata,
        }
        of = self._settings
        return self._record(CHANGES, lambda: change_event(fields, of.service, of.environment), "idempotencyKey")

    # Prompts and evaluation

    def prompt(
        self,
        name: str,
        *,
        label: str | None = None,
        version: int | None = None,
        fallback: str | Sequence[Mapping[str, Any]] | Prompt | None = None,
        max_age: float = 60.0,
    ) -> Prompt:
        """A prompt of the project: the version with a label (default ``production``, else ``latest``), or of a number.

        A copy is returned however old, and refreshed in the background when it is older than ``max_age`` seconds. Without a copy the first use waits;
        ``fallback`` stands in for what cannot be had, else :class:`SpanwiseError` is raised.
        """
        if label is not None and version is not None:
            raise ValueError("Give a label or a version, not both.")
        if self._tracer is None or self._is_closed:
            copy = None if self._prompts is None else self._prompts.copy((name, label, version))
            return copy or fallback_of(name, fallback, self._settings.problem or "The client is shut down.")
        if self._prompts is None:
            self._prompts = Prompts(self._http, self._reporter.tell, self._reporter.well)
        return self._prompts.get((name, label, version), fallback, max_age)

    async def aprompt(
        self,
        name: str,
        *,
        label: str | None = None,
        version: int | None = None,
        fallback: str | Sequence[Mapping[str, Any]] | Prompt | None = None,
        max_age: float = 60.0,
    ) -> Prompt:
        """The same beside an event loop."""
        return await self._in_thread(self.prompt, name, label=label, version=version, fallback=fallback, max_age=max_age)

    def evaluate(
        self,
        dataset: str | Iterable[Mapping[str, Any]],
        task: Callable[[Any], Any],
        evaluators: Sequence[Callable[..., Any]] = (),
        *,
        name: str | None = None,
        label: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        concurrency: int = 8,
        timeout: float | None = None,
    ) -> Evaluation:
        """Runs a task over the items of a dataset (its name or id, or a list), and scores what it returns.

        Each item is a trace with its scores, and a dataset of the project gets a run. ``timeout`` are seconds of a task. Raises :class:`SpanwiseError`
        before any task has run when the service is away or has no such dataset.
        """
        from ._evaluate import run_apart

        options = {"name": name, "label": label, "metadata": metadata, "concurrency": concurrency, "timeout": timeout}
        evaluation: Evaluation = run_apart(lambda: self._evaluation(dataset, task, evaluators, options))
        return evaluation

    async def aevaluate(
        self,
        dataset: str | Iterable[Mapping[str, Any]],
        task: Callable[[Any], Any],
        evaluators: Sequence[Callable[..., Any]] = (),
        *,
        name: str | None = None,
        label: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        concurrency: int = 8,
        timeout: float | None = None,
    ) -> Evaluation:
        """The same in the running loop."""
        options = {"name": name, "label": label, "metadata": metadata, "concurrency": concurrency, "timeout": timeout}
        return await self._evaluation(dataset, task, evaluators, options)

    async def _evaluation(self, dataset: Any, task: Any, evaluators: Any, options: Mapping[str, Any]) -> Evaluation:
        from ._evaluate import evaluate

        return await evaluate(self, self._service(), self._in_thread, dataset, task, evaluators, options)

    def _service(self) -> Service:
        problem = self._settings.problem or ("The client is shut down." if self._is_closed else None)
        return Service(self._http, problem)

    def _evaluation_trace(self, name: str, fields: Mapping[str, Any]) -> Span:
        """The trace of an item of an evaluation: what is within it is of the environment ``evaluation``."""
        if self._tracer is None or self._is_closed:
            return NOTHING
        attributes = attributes_of(fields)
        return _begun(self._tracer, name, "chain", attributes, True, _OF_EVALUATIONS)

    # Delivery

    def delivery(self) -> Delivery:
        """What became of everything that was given to this client."""
        if self._sender is None:
            return Counts().report(0, self._reporter.last_error)
        return self._sender.report()

    def flush(self, timeout: float = 5.0) -> bool:
        """Waits until all that is queued is sent, at most ``timeout`` seconds. Whether it is."""
        return self._sender is None or self._safely(lambda: self._sender_flush(timeout), False)

    async def aflush(self, timeout: float = 5.0) -> bool:
        """The same beside an event loop."""
        return await self._in_thread(self.flush, timeout)

    def shutdown(self, timeout: float = 5.0) -> bool:
        """Flushes; afterwards nothing of the client does anything."""
        if self._is_closed:
            return True
        self._is_closed = True
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

    def _sender_flush(self, timeout: float) -> bool:
        return self._sender is None or self._sender.flush(_seconds(timeout))

    def _is_recording(self) -> bool:
        return self._tracer is not None and not self._is_closed

    def _begin(self, name: object, kind: object, fields: Mapping[str, Any], *, is_trace: bool = False) -> Span:
        tracer = self._tracer
        if tracer is None or self._is_closed:
            return NOTHING
        try:
            return _begun(tracer, text_of(name, 4_096) or "span", kind_of(kind), attributes_of(fields), is_trace)
        except Exception as error:
            self._reporter.tell("span", error)
            return NOTHING

    def _observed(self, name: str, kind: str, arguments: dict[str, Any] | None) -> Span | None:
        if self._tracer is None or self._is_closed:
            return None
        span = self._begin(name, kind, {"input": arguments})
        return None if span is NOTHING else span

    def _record(self, queue: int, make: Callable[[], dict[str, Any]], id_name: str) -> str:
        try:
            event = make()
            sender = self._sender
            if sender is not None and not self._is_closed:
                if queue == OUTCOMES and "traceId" not in event:
                    sender.refuse("An outcome needs a trace_id outside of a trace; it is dropped.")
                else:
                    size = 300 + sum(len(value) for value in event.values() if isinstance(value, str))
                    sender.put(queue, event, size)
            return str(event[id_name])
        except Exception as error:
            self._reporter.tell("record", error)
            return new_id()

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
    if not isinstance(timeout, (int, float)) or timeout != timeout:
        return 5.0
    return float(min(max(0.0, timeout), threading.TIMEOUT_MAX))


_clients: weakref.WeakSet[Spanwise] = weakref.WeakSet()


def _after_fork() -> None:
    _tracer.after_fork()
    for client in list(_clients):
        client._after_fork()


def _at_exit() -> None:
    until = time.monotonic() + _EXIT_WAIT
    for client in list(_clients):
        client.shutdown(max(0.0, until - time.monotonic()))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
