"""The plugin for pytest: a marked test runs once an item of a dataset, and a gate compares its run with an earlier one.

Without the mark it does nothing, and loads nothing of the SDK.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ._session import Runs

_RUNS: pytest.StashKey[Runs] = pytest.StashKey()
_MARK = "spanwise"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("spanwise", "Spanwise: evaluation by datasets")
    group.addoption("--spanwise-label", metavar="L", help="label of the runs, by which later ones are compared with them")
    group.addoption(
        "--spanwise-gate", metavar="L", help="compare with the newest earlier run with this label (over the mark's gate)"
    )
    group.addoption(
        "--spanwise-max-drop", metavar="X", type=float, default=0.0, help="drop of the pass rate that is allowed, 0..1"
    )
    group.addoption(
        "--spanwise-on-inconclusive",
        choices=("pass", "fail", "point"),
        default="point",
        help="what a run counts as whose items are too few to tell; point: by the drop itself (default)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """The mark."""
    config.addinivalue_line(
        "markers", "spanwise(dataset, gate=None, name=None): runs once an item of a dataset, as the argument item"
    )


def _runs(config: pytest.Config) -> Runs:
    runs = config.stash.get(_RUNS, None)
    if runs is None:
        from ._session import Runs as Made

        runs = config.stash[_RUNS] = Made(config)
    return runs


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test an item."""
    mark = metafunc.definition.get_closest_marker(_MARK)
    if mark is None or "item" not in metafunc.fixturenames:
        return
    items = _runs(metafunc.config).items(mark)
    metafunc.parametrize("item", items, ids=[str(index) for index in range(len(items))])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each in a trace. Ends pytest with 4 when their items cannot be had: an error of a collector would end it with 2."""
    found = config.stash.get(_RUNS, None)
    if found is not None and found.failure is not None:
        raise pytest.UsageError(found.failure)
    for item in items:
        mark = item.get_closest_marker(_MARK)
        if mark is not None and isinstance(item, pytest.Function) and "item" in getattr(item, "callspec", _NoParams).params:
            item.obj = _runs(config).recorded(item, mark)


class _NoParams:
    params: dict[str, Any] = {}  # noqa: RUF012


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> object | None:
    """A coroutine that no other plugin runs."""
    runs = pyfuncitem.config.stash.get(_RUNS, None)
    return None if runs is None else runs.run_coroutine(pyfuncitem)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A worker of xdist has ended."""
    found = getattr(node, "workeroutput", {}).get("spanwise")
    if found:
        _runs(node.config).take(found)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stores the results, and lets the gates decide."""
    runs = session.config.stash.get(_RUNS, None)
    if runs is None:
        return
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["spanwise"] = runs.finish()
    elif not runs.decide() and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The section of the summary."""
    runs = config.stash.get(_RUNS, None)
    lines = [] if runs is None else runs.lines
    if lines:
        terminalreporter.section("spanwise")
        for line in lines:
            terminalreporter.write_line(line)
