"""The examples of examples/python, against the service and a fake model."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from conftest import ROOT, Service
from fake_model import FakeModel

EXAMPLES = ROOT / "examples" / "python"
pytestmark = pytest.mark.skipif(not EXAMPLES.exists(), reason="outside of the repository")


@pytest.fixture
def run(service: Service, model: FakeModel) -> Any:
    """Runs an example; what it prints."""

    def call(*arguments: str, code: int = 0, **variables: str) -> str:
        env = {
            **os.environ,
            "SPANWISE_API_KEY": service.key,
            "SPANWISE_URL": service.url,
            "OPENAI_API_KEY": "k",
            "OPENAI_BASE_URL": model.url + "/v1",
            "PYTHONDONTWRITEBYTECODE": "1",
            **variables,
        }
        done = subprocess.run(
            [sys.executable, *arguments], cwd=EXAMPLES, env=env, check=False, capture_output=True, text=True, timeout=180
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    return call


@pytest.fixture
def questions(service: Service) -> str:
    """A dataset."""
    name = f"Questions {uuid4()}"
    made = service.post("/v1/datasets", {"name": name})
    items = [{"input": "How is the weather?", "expectedOutput": "sunny"}, {"input": "And tomorrow?", "expectedOutput": "rainy"}]
    service.post(f"/v1/datasets/{made['id']}/items", {"items": items})
    return name


def calls(service: Service, trace_id: str) -> list[Any]:
    """The calls of a trace that the service counts."""
    trace = service.trace(trace_id, lambda found: any(span["kind"] == "llm" for span in found["spans"]))
    return [span for span in trace["spans"] if span["kind"] == "llm" and span.get("isCall", True)]


def test_plain_opentelemetry(run: Any, service: Service) -> None:
    printed = run("plain_opentelemetry.py")
    (call,) = calls(service, re.search(r"trace: (\w+)", printed)[1])  # type: ignore[index]
    assert call["usage"]["inputTokens"] == 100


@pytest.mark.skipif(importlib.util.find_spec("langgraph") is None, reason="without langgraph")
def test_langgraph_agent(run: Any, service: Service) -> None:
    printed = run("langgraph_agent.py")
    trace_id = re.search(r"trace: (\w+)", printed)[1]  # type: ignore[index]
    trace = service.trace(
        trace_id, lambda found: len(found["scores"]) == 1 and any(span["kind"] == "llm" for span in found["spans"])
    )
    assert all((span["userId"], span["sessionId"]) == ("user-1", "session-1") for span in trace["spans"])
    assert {span["traceId"] for span in trace["spans"]} == {trace_id}


def test_evaluate(run: Any, questions: str) -> None:
    printed = run("evaluate.py", questions)
    assert re.search(r"contains-answer\s+0\.500\s+50\.0%\s+2", printed), printed


def test_the_gate_in_pytest(run: Any, questions: str) -> None:
    options = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_answers.py")
    first = run(*options, "--spanwise-label", "main", "--spanwise-gate", "main", DATASET=questions)
    assert "pass rate 50.0% (1 of 2, 0 errors)" in first
    assert "gate: passed" in run(*options, "--spanwise-gate", "main", DATASET=questions)


@pytest.mark.skipif(importlib.util.find_spec("fastapi") is None, reason="without fastapi")
def test_guarded_stream(run: Any, tmp_path: Path) -> None:
    program = tmp_path / "call.py"
    program.write_text(
        textwrap.dedent(
            f"""
            import asyncio, sys
            sys.path.insert(0, {str(EXAMPLES)!r})
            import httpx
            import guarded_stream

            async def main():
                transport = httpx.ASGITransport(guarded_stream.app)
                async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:
                    answer = await client.post("/answer", content="How is the weather?", headers={{"x-user": "ada"}})
                    print(answer.status_code, answer.text)

            asyncio.run(main())
            assert guarded_stream.sw.flush(30)
            print(guarded_stream.sw.delivery().accepted)
            """
        )
    )
    assert run(str(program)).splitlines() == ["200 It is sunny.", "2"]
