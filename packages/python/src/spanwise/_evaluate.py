"""A task over the items of a dataset, with evaluators: traces, scores and a dataset run."""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from ._convert import plain_of, text_of
from ._evaluation import EvaluatedItem, Evaluation, Score
from ._service import Service
from ._span import Span

if TYPE_CHECKING:
    from ._client import Spanwise

_FLUSH = 60.0
_OFFERED = ("input", "output", "expected_output", "metadata")


@dataclass
class Item:
    """An item of a dataset, or of a list."""

    id: str
    input: Any
    expected_output: Any
    metadata: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        if name not in ("id", *_OFFERED) or name == "output":
            raise KeyError(name)
        return getattr(self, name)


@dataclass
class Run:
    """A run that is under way."""

    name: str
    items: list[Item]
    dataset_id: str | None
    run_id: str | None


def begin_run(
    service: Service,
    dataset: str | Iterable[Mapping[str, Any]],
    name: str | None,
    label: str | None,
    metadata: Mapping[str, Any] | None,
) -> Run:
    """A run of a dataset's items, or of those of a list, which is none of the service. Errors: :class:`SpanwiseError`."""
    title = name or f"evaluate {datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
    if not isinstance(dataset, str):
        service.project()
        return Run(title, [_listed(index, item) for index, item in enumerate(dataset)], None, None)
    dataset_id = str(service.dataset(dataset)["id"])
    items = [
        Item(one["id"], one.get("input"), one.get("expectedOutput"), one.get("metadata") or {})
        for one in service.items(dataset_id)
    ]
    about = {**plain_of(dict(metadata or {}), 60_000), **({} if label is None else {"label": label})}
    return Run(title, items, dataset_id, service.create_run(dataset_id, title, about))


def _listed(index: int, item: Mapping[str, Any]) -> Item:
    return Item(str(index), item.get("input"), item.get("expected_output"), dict(item.get("metadata") or {}))


def item_trace(sw: Spanwise, run: Run, item: Item) -> Span:
    """The trace of an item."""
    about = {"datasetItemId": item.id, "datasetRunId": run.run_id} if run.run_id else {"item": item.id}
    return sw._evaluation_trace(run.name, {"input": item.input, "tags": [run.name], "metadata": about})


def run_item(item: EvaluatedItem) -> dict[str, Any]:
    """A result of a dataset run."""
    return {
        "datasetItemId": item.id,
        "traceId": item.trace_id,
        "output": plain_of(item.output, 250_000),
        "latencyMs": item.latency_ms,
        "error": False if item.error is None else item.error,
    }


def record_scores(sw: Spanwise, item: EvaluatedItem) -> None:
    """The scores of an item, and whether it passed, on its trace."""
    for slug, score in item.scores.items():
        if score.score is not None:
            sw.score(trace_id=item.trace_id, evaluator=slug, score=score.score, passed=score.passed, comment=score.comment)
    sw.score(trace_id=item.trace_id, evaluator="passed", score=1 if item.passed else 0, passed=item.passed)


def slug_of(evaluator: Any) -> str:
    """The name by which an evaluator's scores are recorded."""
    name = getattr(evaluator, "__name__", None) or getattr(getattr(evaluator, "func", None), "__name__", None)
    return (name or type(evaluator).__name__).replace("_", "-")


class Evaluator:
    """A function that scores, with the parameters that it takes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.slug = slug_of(function)
        self._function = function
        try:
            parameters = inspect.signature(function).parameters.values()
            takes_all = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters)
            self._names = _OFFERED if takes_all else tuple(one.name for one in parameters if one.name in _OFFERED)
        except (TypeError, ValueError):
            self._names = _OFFERED

    async def score(self, item: Item, output: Any, in_thread: Callable[..., Any]) -> Score | None:
        """The score of an output; None when there is none."""
        offered = {"input": item.input, "output": output, "expected_output": item.expected_output, "metadata": item.metadata}
        given = {name: offered[name] for name in self._names}
        try:
            value = await _called(self._function, (), given, in_thread)
            return _score_of(value)
        except Exception as error:
            return Score(None, error=_error_text(error))


def _score_of(value: Any) -> Score | None:
    if value is None:
        return None
    if isinstance(value, Mapping):
        passed = value.get("passed")
        number = value.get("score")
        if number is None and passed is not None:
            number = bool(passed)
        verdict = bool(number) if passed is None and isinstance(number, bool) else None if passed is None else bool(passed)
        return Score(_number(number), verdict, text_of(value.get("comment")))
    return Score(_number(value), bool(value) if _is_truth(value) else None)


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is no score")
    return number


def _error_text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}"[:2_000] if text else type(error).__name__


async def _in_thread(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Runs a function in a thread of its own, which a hanging one does not keep the process alive by."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = copy_context()

    def settle(set_: Callable[[Any], None], value: Any) -> None:
        if not future.done():
            set_(value)

    def work() -> None:
        try:
            result, set_ = context.run(function, *args, **kwargs), future.set_result
        except StopIteration as error:
            result, set_ = RuntimeError(f"StopIteration: {error}"), future.set_exception
        except BaseException as error:
            result, set_ = error, future.set_exception
        try:
            loop.call_soon_threadsafe(settle, set_, result)
        except RuntimeError:
            # Nobody waits any more.
            pass

    threading.Thread(target=work, name="spanwise-task", daemon=True).start()
    return await future


async def _called(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], in_thread: Callable[..., Any]
) -> Any:
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):  # noqa: B004
        return await function(*args, **kwargs)
    result = await in_thread(function, *args, **kwargs)
    return await result if inspect.isawaitable(result) else result


async def _evaluated(
    sw: Spanwise, run: Run, item: Item, task: Callable[[Any], Any], evaluators: Sequence[Evaluator], timeout: float | None
) -> EvaluatedItem:
    output: Any = None
    error: str | None = None
    with item_trace(sw, run, item) as trace:
        began = time.perf_counter()
        try:
            output = await asyncio.wait_for(_called(task, (item.input,), {}, _in_thread), timeout)
        except Exception as thrown:
            error = _error_text(thrown)
            trace.fail(thrown)
        latency = (time.perf_counter() - began) * 1_000
        trace.update(output=output)
    scores: dict[str, Score] = {}
    if error is None:
        for evaluator in evaluators:
            score = await evaluator.score(item, output, _in_thread)
            if score is not None:
                scores[evaluator.slug] = score
    passed = error is None and all(score.error is None and score.passed is not False for score in scores.values())
    done = EvaluatedItem(item.id, item.input, item.expected_output, output, error, trace.trace_id, latency, scores, passed)
    record_scores(sw, done)
    return done


async def evaluate(
    sw: Spanwise,
    service: Service,
    in_thread: Callable[..., Any],
    dataset: str | Iterable[Mapping[str, Any]],
    task: Callable[[Any], Any],
    evaluators: Sequence[Callable[..., Any]],
    options: Mapping[str, Any],
) -> Evaluation:
    """As ``Spanwise.evaluate``; ``in_thread`` runs what waits for the network."""
    scoring = [Evaluator(function) for function in evaluators]
    slugs = [one.slug for one in scoring]
    if len(set(slugs)) < len(slugs) or "passed" in slugs:
        raise ValueError("Each evaluator needs a name of its own, other than passed.")
    run: Run = await in_thread(begin_run, service, dataset, options["name"], options["label"], options["metadata"])
    limit = asyncio.Semaphore(max(1, int(options["concurrency"])))

    async def one(item: Item) -> EvaluatedItem:
        async with limit:
            return await _evaluated(sw, run, item, task, scoring, options["timeout"])

    items = await asyncio.gather(*(one(item) for item in run.items))
    # The traces are there before the results that name them.
    await in_thread(sw.flush, _FLUSH)
    if run.dataset_id is not None and run.run_id is not None:
        await in_thread(service.add_run_items, run.dataset_id, run.run_id, [run_item(item) for item in items])
    return Evaluation(items, slugs, run_id=run.run_id, run_name=run.name, dataset_id=run.dataset_id)


def run_apart(make: Callable[[], Any]) -> Any:
    """Runs a coroutine to its end, also within a running loop, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    result: list[Any] = []
    failure: list[BaseException] = []
    context = copy_context()

    def work() -> None:
        try:
            result.append(context.run(asyncio.run, make()))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=work, name="spanwise-evaluate")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return result[0]
