"""The runs of a session of pytest."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from spanwise import Spanwise, SpanwiseError
from spanwise._evaluate import Item, Run, item_trace, record_scores, run_item
from spanwise._evaluation import EvaluatedItem
from spanwise._service import Service
from spanwise._span import Span

from ._gate import Gate, decide

_FLUSH = 60.0
#: Seconds that a worker waits for the one that makes the run.
_PATIENCE = 60.0


@dataclass
class Results:
    """A run with the results of its items."""

    run: Run
    gate: str | None
    items: list[EvaluatedItem] = field(default_factory=list)

    @property
    def summary(self) -> dict[str, Any]:
        """What the process that decides needs."""
        return {
            "name": self.run.name,
            "dataset_id": self.run.dataset_id,
            "run_id": self.run.run_id,
            "gate": self.gate,
            "passed": sum(item.passed for item in self.items),
            "errors": sum(item.error is not None for item in self.items),
            "count": len(self.items),
        }


class Runs:
    """The runs of the marked tests."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._sw = Spanwise()
        self._service: Service = self._sw._service()
        self._datasets: dict[str, tuple[str, list[Item]]] = {}
        self._results: dict[str, Results] = {}
        self._of_workers: dict[str, dict[str, Any]] = {}
        self.lines: list[str] = []
        #: Why the marked tests cannot run.
        self.failure: str | None = None

    def items(self, mark: pytest.Mark) -> list[Item]:
        """The items of a mark's dataset; none when they cannot be had, which :attr:`failure` says."""
        dataset = mark.kwargs.get("dataset", mark.args[0] if mark.args else None)
        if not isinstance(dataset, str):
            self.failure = "spanwise: name a dataset, as in @pytest.mark.spanwise(dataset='Questions')."
            return []
        try:
            if dataset not in self._datasets:
                dataset_id = str(self._service.dataset(dataset)["id"])
                found = self._service.items(dataset_id)
                items = [Item(one["id"], one.get("input"), one.get("expectedOutput"), one.get("metadata") or {}) for one in found]
                self._datasets[dataset] = (dataset_id, items)
            return self._datasets[dataset][1]
        except SpanwiseError as error:
            self.failure = f"spanwise: {error}"
            return []

    def recorded(self, function: pytest.Function, mark: pytest.Mark) -> Callable[..., Any]:
        """A test whose runs are recorded, each in a trace."""
        test = function.obj
        item: Any = function.callspec.params["item"]
        gate = self._config.getoption("--spanwise-gate") or mark.kwargs.get("gate")
        name = mark.kwargs.get("name") or getattr(function, "originalname", None) or function.name
        key = f"{function.nodeid.split('[')[0]} {name}"
        dataset = mark.kwargs.get("dataset", mark.args[0] if mark.args else "")

        def results() -> Results:
            if key not in self._results:
                self._results[key] = Results(self._begin(key, name, dataset), gate)
            return self._results[key]

        if inspect.iscoroutinefunction(test):

            @wraps(test)
            async def asynchronous(*args: Any, **kwargs: Any) -> Any:
                with _Recorded(self._sw, results(), item):
                    await test(*args, **kwargs)

            return asynchronous

        @wraps(test)
        def call(*args: Any, **kwargs: Any) -> Any:
            with _Recorded(self._sw, results(), item):
                test(*args, **kwargs)

        return call

    def run_coroutine(self, function: pytest.Function) -> object | None:
        """Runs a marked test that is a coroutine, where no plugin for these does."""
        if function.get_closest_marker("spanwise") is None or not inspect.iscoroutinefunction(function.obj):
            return None
        manager = self._config.pluginmanager
        mode = str(self._config.getini("asyncio_mode")) if manager.hasplugin("asyncio") else ""
        if mode == "auto" or any(function.get_closest_marker(name) for name in ("asyncio", "anyio", "trio")):
            return None
        # pyright does not know the fields of pytest's own class.
        names: Any = function._fixtureinfo.argnames  # pyright: ignore[reportAttributeAccessIssue]
        asyncio.run(function.obj(**{name: function.funcargs[name] for name in names}))
        return True

    def take(self, found: list[dict[str, Any]]) -> None:
        """Takes what a worker did."""
        for one in found:
            known = self._of_workers.setdefault(one["run_id"], {**one, "passed": 0, "errors": 0, "count": 0})
            for figure in ("passed", "errors", "count"):
                known[figure] += one[figure]

    def finish(self) -> list[dict[str, Any]]:
        """Stores the results of this process."""
        self._sw.flush(_FLUSH)
        for results in self._results.values():
            run = results.run
            if run.dataset_id is not None and run.run_id is not None:
                try:
                    self._service.add_run_items(run.dataset_id, run.run_id, [run_item(item) for item in results.items])
                except SpanwiseError as error:
                    self.lines.append(f"{run.name}: the results could not be stored: {error}")
        return [results.summary for results in self._results.values()]

    def decide(self) -> bool:
        """Stores the results, and compares each run with its baseline. Whether all gates let it pass."""
        self.take(self.finish())
        passed = True
        for summary in self._of_workers.values():
            rate = summary["passed"] / summary["count"] if summary["count"] else 0.0
            self.lines.append(
                f"{summary['name']}: pass rate {rate:.1%} ({summary['passed']} of {summary['count']}, {summary['errors']} errors), "
                f"run {summary['run_id']}"
            )
            if summary["gate"]:
                gate = Gate(
                    label=summary["gate"],
                    max_drop=float(self._config.getoption("--spanwise-max-drop") or 0),
                    on_inconclusive=str(self._config.getoption("--spanwise-on-inconclusive")),
                )
                fits, lines = decide(self._service, summary, gate)
                self.lines += [f"  {line}" for line in lines]
                passed = passed and fits
        self._sw.shutdown()
        return passed

    def _begin(self, key: str, name: str, dataset: str) -> Run:
        """The run, which the workers of xdist share."""
        uid = getattr(self._config, "workerinput", {}).get("testrunuid")
        if uid is None:
            return self._new_run(name, dataset)
        path = Path(tempfile.gettempdir()) / f"spanwise-{hashlib.sha256(f'{uid} {key}'.encode()).hexdigest()[:24]}"
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            until = time.monotonic() + _PATIENCE
            while not path.read_text():
                if time.monotonic() > until:
                    pytest.exit("spanwise: another worker did not make the run.", returncode=4)
                time.sleep(0.05)
            found = json.loads(path.read_text())
            return Run(name, [], found["dataset_id"], found["run_id"])
        run = self._new_run(name, dataset)
        path.write_text(json.dumps({"dataset_id": run.dataset_id, "run_id": run.run_id}))
        return run

    def _new_run(self, name: str, dataset: str) -> Run:
        try:
            dataset_id = self._datasets[dataset][0]
            label = self._config.getoption("--spanwise-label")
            about = {} if label is None else {"label": label}
            return Run(name, [], dataset_id, self._service.create_run(dataset_id, name, about))
        except SpanwiseError as error:
            pytest.exit(f"spanwise: {error}", returncode=4)


class _Recorded:
    """An item of a run while its test runs."""

    def __init__(self, sw: Spanwise, results: Results, item: Item) -> None:
        self._sw = sw
        self._results = results
        self._item = item
        self._trace: Span = item_trace(sw, results.run, item)
        self._began = 0.0

    def __enter__(self) -> None:
        self._trace.__enter__()
        self._began = time.perf_counter()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: Any) -> None:
        latency = (time.perf_counter() - self._began) * 1_000
        self._trace.__exit__(kind, error, traceback)
        if error is not None and not isinstance(error, Exception) and not isinstance(error, pytest.fail.Exception):
            # It was skipped, or pytest ends.
            return
        failed = isinstance(error, (AssertionError, pytest.fail.Exception))
        text = None if error is None or failed else f"{type(error).__name__}: {error}"[:2_000]
        item = self._item
        done = EvaluatedItem(
            item.id, item.input, item.expected_output, None, text, self._trace.trace_id, latency, {}, passed=error is None
        )
        self._results.items.append(done)
        record_scores(self._sw, done)
        if error is not None and self._results.gate:
            pytest.xfail(f"{type(error).__name__}: {error}")
