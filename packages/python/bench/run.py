"""The cost of the SDK beside OpenTelemetry's own: ``python bench/run.py [--check]``.

CPU of a traced call at 10,000 a second, of ``@observe`` on an empty function, and of the import. Both sides send to a server of another process. CPU
time is measured, of both sides in turn; a figure is the median of the pairs' ratios or differences, with the least and the most.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CALLS, RATE, ROUNDS = 10_000, 10_000, 9
INPUT = [
    {"role": "system", "content": "You are a helpful assistant."},
    {"role": "user", "content": "What is the weather in Paris?"},
]
OUTPUT = {"role": "assistant", "content": "It is 21 degrees and sunny in Paris today."}
LIMITS = {"call": 1.1, "import": 1.3, "observe": 25.0}


def serve(ready: Any) -> None:
    """A server that takes everything."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", "application/x-protobuf")
            self.send_header("content-length", "0")
            self.end_headers()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    ready.send(server.server_port)
    server.serve_forever()


def paced(call: Callable[[], None], flush: Callable[[], object]) -> float:
    """CPU seconds a call of the whole process, the sending included, at the rate."""
    began, cpu = time.perf_counter(), time.process_time()
    for index in range(CALLS):
        call()
        if index % 100 == 99:
            ahead = began + (index + 1) / RATE - time.perf_counter()
            if ahead > 0:
                time.sleep(ahead)
    flush()
    return (time.process_time() - cpu) / CALLS


def theirs(port: int) -> tuple[Callable[[], None], Callable[[], object]]:
    """OpenTelemetry's SDK with a batch processor and the settings of this package's exporter."""
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(shutdown_on_exit=False)
    exporter = OTLPSpanExporter(f"http://127.0.0.1:{port}/v1/traces", compression=Compression.Gzip)
    provider.add_span_processor(BatchSpanProcessor(exporter, max_queue_size=10_000, schedule_delay_millis=1_000))
    tracer = provider.get_tracer("bench", "1")

    def call() -> None:
        with tracer.start_as_current_span("call") as span:
            span.set_attribute("spanwise.kind", "llm")
            span.set_attribute("gen_ai.response.model", "gpt-4o")
            span.set_attribute("gen_ai.provider.name", "openai")
            span.set_attribute("spanwise.input", json.dumps(INPUT))
            span.set_attribute("spanwise.output", json.dumps(OUTPUT))
            span.set_attribute("gen_ai.usage.input_tokens", 100)
            span.set_attribute("gen_ai.usage.output_tokens", 20)

    return call, provider.force_flush


def ours(port: int) -> tuple[Callable[[], None], Callable[[], object]]:
    """The same by this package."""
    from spanwise import Spanwise

    sw = Spanwise("spw_bench", f"http://127.0.0.1:{port}")

    def call() -> None:
        with sw.span("call", kind="llm", model="gpt-4o", provider="openai", input=INPUT) as span:
            span.update(output=OUTPUT, usage={"input_tokens": 100, "output_tokens": 20})

    return call, lambda: sw.flush(30)


def traced_calls() -> float:
    """CPU of a traced call, as a multiple of OpenTelemetry's."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(False)
    server = context.Process(target=serve, args=(sender,), daemon=True)
    server.start()
    port = int(receiver.recv())
    sides = [theirs(port), ours(port)]
    for call, flush in sides:
        # What is loaded and compiled at first.
        for _ in range(1_000):
            call()
        flush()
    pairs = [paired(*(lambda side=side: paced(*side) * 1e6 for side in sides)) for _ in range(ROUNDS)]
    server.terminate()
    return reported("a traced call", pairs, "µs", lambda pair: pair[1] / pair[0])


Pair = tuple[float, float]


def paired(first: Callable[[], float], second: Callable[[], float]) -> Pair:
    """Two figures, measured one after the other."""
    return first(), second()


def reported(what: str, pairs: list[Pair], unit: str, figure: Callable[[Pair], float]) -> float:
    """Prints the figures; the median of those of the pairs."""
    theirs_, ours_ = (statistics.median(column) for column in zip(*pairs, strict=True))
    figures = sorted(figure(pair) for pair in pairs)
    middle = statistics.median(figures)
    print(f"{what}: {ours_:.1f} {unit} of CPU, theirs {theirs_:.1f} {unit}; {middle:.2f} ({figures[0]:.2f} to {figures[-1]:.2f})")
    return middle


def observed_calls() -> float:
    """Microseconds that ``@observe`` on an empty function takes more than ``start_as_current_span``."""
    from opentelemetry.sdk.trace import TracerProvider

    from spanwise import Spanwise, observe

    sw = Spanwise("spw_bench", "http://127.0.0.1:9", max_queue=1_000_000, flush_interval=3_600)

    @observe(client=sw)
    def empty() -> None:
        pass

    tracer = TracerProvider(shutdown_on_exit=False).get_tracer("bench")

    def plain() -> None:
        with tracer.start_as_current_span("empty"):
            pass

    def of(call: Callable[[], None]) -> float:
        began = time.thread_time()
        for _ in range(2_000):
            call()
        return (time.thread_time() - began) / 2_000 * 1e6

    pairs = [paired(lambda: of(plain), lambda: of(empty)) for _ in range(41)]
    sw.shutdown(0)
    return reported("@observe on an empty function", pairs, "µs", lambda pair: pair[1] - pair[0])


def imports() -> float:
    """The time of the import, as a multiple of that of the three dependencies."""
    both = [
        "import opentelemetry.sdk.trace, opentelemetry.exporter.otlp.proto.http.trace_exporter, httpx",
        "import spanwise",
    ]
    with tempfile.TemporaryDirectory() as compiled:
        # The sources are compiled once, as those of an installed package are.
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        env["PYTHONPYCACHEPREFIX"] = compiled

        def of(statement: str) -> float:
            code = f"import time; t = time.process_time(); {statement}; print(time.process_time() - t)"
            done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
            return float(done.stdout) * 1e3

        for statement in both:
            of(statement)
        pairs = [paired(lambda: of(both[0]), lambda: of(both[1])) for _ in range(15)]
    return reported("the import", pairs, "ms", lambda pair: pair[1] / pair[0])


def main() -> None:
    """Prints the figures; with ``--check`` fails beyond the limits."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    found = {"import": imports(), "observe": observed_calls(), "call": traced_calls()}
    for name, limit in LIMITS.items():
        print(f"{name}: {found[name]:.2f} of at most {limit}")
    if arguments.check and any(found[name] > limit for name, limit in LIMITS.items()):
        sys.exit(1)


if __name__ == "__main__":
    main()
