"""The plugin for pytest, in sessions of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from conftest import Service
from test_evaluate import dataset

TEST = """
    import os
    import pytest

    @pytest.mark.spanwise(dataset={name!r}, name="sums")
    def test_sum(item):
        wrong = {{int(n) for n in os.environ.get("WRONG", "").split(",") if n}}
        if item.input["a"] in {{int(n) for n in os.environ.get("ERRORS", "").split(",") if n}}:
            raise RuntimeError("an error")
        assert item.input["a"] + 1 == item.expected_output and item.input["a"] not in wrong
"""


@pytest.fixture
def run(pytester: pytest.Pytester, service: Service, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs pytest on a dataset of 12 items."""
    name, dataset_id = dataset(service, 12)
    pytester.makepyfile(TEST.format(name=name))
    monkeypatch.setenv("SPANWISE_API_KEY", service.key)
    monkeypatch.setenv("SPANWISE_URL", service.url)

    def call(*options: str, **variables: str) -> pytest.RunResult:
        for variable in ("WRONG", "ERRORS"):
            monkeypatch.setenv(variable, variables.get(variable.lower(), ""))
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options, timeout=120)

    call.dataset_id = dataset_id  # type: ignore[attr-defined]
    return call


def test_a_gate(run: Any, service: Service) -> None:
    first = run("--spanwise-label", "main", "--spanwise-gate", "main")
    first.assert_outcomes(passed=12)
    first.stdout.fnmatch_lines(
        ["*= spanwise =*", "*sums: pass rate 100.0% (12 of 12, 0 errors)*", "*no earlier run with the label 'main'; passed*"]
    )
    assert first.ret == 0
    listed = service.get(f"/v1/datasets/{run.dataset_id}/runs")["runs"]
    assert [(one["name"], one["metadata"]) for one in listed] == [("sums", {"label": "main"})]
    same = run("--spanwise-gate", "main")
    same.stdout.fnmatch_lines(["*gate: passed*"])
    assert same.ret == 0
    worse = run("--spanwise-gate", "main", wrong="0,1,2,3,4,5,6", errors="7,8")
    worse.assert_outcomes(passed=3, xfailed=9)
    worse.stdout.fnmatch_lines(["*pass rate 25.0% (3 of 12, 2 errors)*", "*gate: refused*", "*regressed: item *"])
    assert worse.ret == 1
    slightly = run("--spanwise-gate", "main", "--spanwise-on-inconclusive", "pass", "--spanwise-max-drop", "0.05", wrong="3")
    slightly.stdout.fnmatch_lines(["*gate: inconclusive, passed*items would tell*"])
    assert slightly.ret == 0
    by_point = run("--spanwise-gate", "main", "--spanwise-max-drop", "0.05", wrong="3")
    by_point.stdout.fnmatch_lines(["*gate: inconclusive, refused (--spanwise-on-inconclusive point)*"])
    assert by_point.ret == 1


def test_without_a_gate_failed_items_fail(run: Any) -> None:
    result = run(wrong="3", errors="5")
    result.assert_outcomes(passed=10, failed=2)
    assert result.ret == 1


def test_workers_share_one_run(run: Any, service: Service) -> None:
    result = run("-n", "2", "--spanwise-label", "main", wrong="3")
    result.assert_outcomes(passed=11, failed=1)
    result.stdout.fnmatch_lines(["*sums: pass rate 91.7% (11 of 12, 0 errors)*"])
    (listed,) = service.get(f"/v1/datasets/{run.dataset_id}/runs")["runs"]
    assert service.get(f"/v1/datasets/{run.dataset_id}/runs/{listed['id']}")["aggregates"]["itemCount"] == 12


def test_asynchronous_tests_are_traces_too(pytester: pytest.Pytester, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    name, dataset_id = dataset(service, 2)
    pytester.makepyfile(
        f"""
        import pytest
        from opentelemetry import trace

        @pytest.mark.spanwise(dataset={name!r})
        async def test_sum(item):
            assert item["input"]["a"] + 1 == item.expected_output
            assert trace.get_current_span().get_span_context().is_valid
        """
    )
    monkeypatch.setenv("SPANWISE_API_KEY", service.key)
    monkeypatch.setenv("SPANWISE_URL", service.url)
    result = pytester.runpytest_subprocess("-v", "-p", "no:cacheprovider", "-p", "no:asyncio", timeout=120)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_sum?0?*PASSED*"])
    (listed,) = service.get(f"/v1/datasets/{dataset_id}/runs")["runs"]
    (item, _) = service.get(f"/v1/datasets/{dataset_id}/runs/{listed['id']}")["items"]
    trace = service.trace(item["traceId"], lambda one: len(one["scores"]) == 1)
    assert trace["scores"][0]["evaluator"] == "passed"
    assert trace["spans"][0]["environment"] == "evaluation"


@pytest.mark.parametrize("variables", [{"SPANWISE_URL": "http://127.0.0.1:9"}, {"SPANWISE_API_KEY": ""}, {"DATASET": "none"}])
def test_what_cannot_run_exits_with_4(
    pytester: pytest.Pytester, service: Service, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    monkeypatch.setenv("SPANWISE_API_KEY", service.key)
    monkeypatch.setenv("SPANWISE_URL", service.url)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    pytester.makepyfile(TEST.format(name="no such dataset"))
    assert pytester.runpytest_subprocess("-p", "no:cacheprovider", timeout=120).ret == 4


def test_without_the_mark_nothing_is_loaded(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without the plugins of others, which load what they like.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(
        """
        import sys

        def test_plain():
            assert not {"opentelemetry", "httpx", "spanwise"} & set(sys.modules)
        """
    )
    result = pytester.runpytest_subprocess("-p", "spanwise_pytest", "-p", "no:cacheprovider", timeout=120)
    result.assert_outcomes(passed=1)
    assert "spanwise -" not in result.stdout.str()


def test_the_import_loads_no_client_library() -> None:
    code = "import spanwise, sys; print([name for name in ('openai', 'anthropic', 'pydantic', 'pytest', 'requests') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
