"""Processes that end, and those that fork: nothing is sent twice, nothing is lost."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

import spanwise
from conftest import eventually
from fake_service import FakeService


def run(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A program of its own."""
    env = {**os.environ, **variables}
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], check=False, env=env, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("ending", ["pass", "sys.exit(3)", "raise RuntimeError('uncaught')"])
def test_the_end_of_a_program(fake: FakeService, ending: str) -> None:
    code = f"""
        import sys
        from spanwise import Spanwise
        sw = Spanwise("spw_test", "{fake.url}", flush_interval=60)
        for _ in range(20):
            sw.span("s").end()
        {ending}
    """
    done = run(code)
    assert done.returncode == {"pass": 0, "sys.exit(3)": 3}.get(ending, 1)
    assert len(fake.spans()) == 20


def test_forked_children(fake: FakeService) -> None:
    code = f"""
        import os, sys, time
        from spanwise import Spanwise
        sw = Spanwise("spw_test", "{fake.url}", flush_interval=60)
        import spanwise._instrument
        from opentelemetry.sdk.trace import TracerProvider
        provider = TracerProvider()
        spanwise._instrument._installed = dict
        sw.instrument(provider)
        foreign = provider.get_tracer("x").start_span("foreign")
        open_span = sw.span("of the parent")
        for _ in range(10):
            sw.span("parent").end()
        children = []
        for number in range(4):
            child = os.fork()
            if child == 0:
                open_span.end()
                foreign.end()
                found = sw.delivery()
                assert (found.sent, found.queued) == (0, 0), found
                for _ in range(5):
                    sw.span(f"child {{number}}").end()
                sys.exit(0 if sw.flush(10) else 1)
            children.append(child)
        assert all(os.waitpid(child, 0)[1] == 0 for child in children)
        open_span.end()
        foreign.end()
    """
    done = run(code)
    assert done.returncode == 0, done.stderr
    spans = fake.spans()
    names = sorted(span.name for span in spans)
    assert names == sorted(["of the parent", "foreign"] + ["parent"] * 10 + [f"child {number}" for number in range(4)] * 5)
    assert len({span.span_id for span in spans}) == len(spans)


def test_children_of_multiprocessing(fake: FakeService) -> None:
    code = f"""
        import multiprocessing
        from spanwise import Spanwise
        sw = Spanwise("spw_test", "{fake.url}", flush_interval=60)
        def work(number):
            sw.span(f"child {{number}}").end()
        processes = [multiprocessing.get_context("fork").Process(target=work, args=(n,)) for n in range(2)]
        [process.start() for process in processes]
        [process.join() for process in processes]
    """
    assert run(code).returncode == 0
    assert sorted(span.name for span in fake.spans()) == ["child 0", "child 1"]


def test_lambda_flushes_at_the_end_of_an_outermost_span(fake: FakeService) -> None:
    code = f"""
        import os
        from spanwise import Spanwise
        sw = Spanwise("spw_test", "{fake.url}", flush_interval=60)
        with sw.span("outer"), sw.span("inner"):
            pass
        os._exit(0)
    """
    assert run(code, AWS_LAMBDA_FUNCTION_NAME="f").returncode == 0
    assert sorted(span.name for span in fake.spans()) == ["inner", "outer"]


APPLICATION = """
    import os
    from spanwise import Spanwise

    sw = Spanwise("spw_test", os.environ["FAKE"], flush_interval=float(os.environ["FLUSH"]))
    sw.span("of the master").end()

    def app(environ, start):
        with sw.trace(environ["PATH_INFO"], user_id="u"), sw.span(f"by {os.getpid()}"):
            pass
        start("200 OK", [("content-type", "text/plain")])
        return [str(os.getpid()).encode()]
"""


@pytest.mark.skipif(find_spec("gunicorn") is None, reason="without gunicorn")
@pytest.mark.parametrize("interval", ["0.05", "60"], ids=["while it runs", "at its end"])
def test_gunicorn_with_four_workers(fake: FakeService, tmp_path: Path, interval: str) -> None:
    """The application is loaded before the workers are forked, and sends from the master too."""
    (tmp_path / "served.py").write_text(textwrap.dedent(APPLICATION))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    arguments = ["--preload", "--workers", "4", "--bind", f"127.0.0.1:{port}", "--no-control-socket", "served:app"]
    log = (tmp_path / "log").open("w")
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", *arguments],
        cwd=tmp_path,
        env={**os.environ, "FAKE": fake.url, "FLUSH": interval, "PYTHONPATH": str(Path(spanwise.__file__).parents[1])},
        stdout=log,
        stderr=log,
    )
    try:
        workers = set()
        asked = 0

        def all_have_answered() -> bool:
            nonlocal asked
            assert server.poll() is None, (tmp_path / "log").read_text()
            try:
                # A connection of its own each time, so that any worker may take it.
                workers.add(urlopen(f"http://127.0.0.1:{port}/{asked}", timeout=30).read().decode())
                asked += 1
            except URLError:
                pass
            return len(workers) == 4 and asked >= 40

        eventually(all_have_answered, 300)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)
        log.close()
    spans = fake.spans()
    assert sorted(span.name for span in spans if span.name.startswith("/")) == sorted(f"/{index}" for index in range(asked))
    assert {span.name for span in spans if span.name.startswith("by ")} == {f"by {worker}" for worker in workers}
    assert [span.name for span in spans].count("of the master") == 1
    assert len({span.span_id for span in spans}) == len(spans) == 2 * asked + 1
    # Each process has figures of its own.
    assert len({request.headers["x-spanwise-client"].split("id=")[1] for request in fake.to("/v1/traces")}) == 5


def test_an_exporter_that_raises(fake: FakeService) -> None:
    """Of another provider, in the same program: ours goes on, and the application with it."""
    code = f"""
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter
        from spanwise import Spanwise
        class Broken(SpanExporter):
            def export(self, spans):
                raise RuntimeError("the exporter is broken")
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(Broken()))
        sw = Spanwise("spw_test", "{fake.url}", flush_interval=60)
        sw.instrument(provider, filter=lambda span: 1 / 0 if span.name == "no answer" else True)
        for name in ("foreign", "no answer"):
            with provider.get_tracer("x").start_as_current_span(name):
                sw.span("ours").end()
        sw._sender._http.request = lambda *arguments, **options: 1 / 0
        assert sw.flush(0.2) is False
        del sw._sender._http.request
    """
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert sorted(span.name for span in fake.spans()) == ["foreign", "ours", "ours"]
    assert "ZeroDivisionError" in done.stderr
