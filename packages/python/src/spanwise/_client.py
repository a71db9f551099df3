"""The client."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ._evaluation import Evaluation
from ._lenient import lenient
from ._prompts import Prompt, Prompts, fallback_of
from ._reports import Reports
from ._service import Service
from ._settings import OnUnavailable, read_settings
from ._tracing import Tracing


class Spanwise(Tracing, Reports):
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
        settings = read_settings(
            api_key, base_url, environment, release, service, timeout, max_queue, flush_interval, on_unavailable, redact
        )
        super().__init__(settings, on_error)

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
