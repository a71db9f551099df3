"""The real service, started by the session with its embedded stores, and a fake model."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from fake_model import FakeModel
from fake_service import FakeService
from spanwise import Spanwise

ROOT = Path(__file__).resolve().parents[3]
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
pytest_plugins = ["pytester"]

for name in [name for name in os.environ if name.startswith(("SPANWISE_", "OTEL_"))]:
    if not name.startswith("SPANWISE_TEST_"):
        del os.environ[name]


def new_key() -> str:
    """An API key: 30 digits and their CRC-32."""
    body = "".join(secrets.choice(DIGITS) for _ in range(30))
    crc, check = zlib.crc32(body.encode()), ""
    for _ in range(6):
        crc, digit = divmod(crc, 62)
        check = DIGITS[digit] + check
    return f"spw_{body}{check}"


@dataclass
class Service:
    """A running service, and the session of its owner."""

    url: str
    key: str
    project: str
    owner: httpx.Client

    def get(self, path: str, **params: Any) -> Any:
        """What the service answers to the project's key."""
        answer = httpx.get(self.url + path, params=params, headers={"x-api-key": self.key}, timeout=30)
        answer.raise_for_status()
        return answer.json()

    def post(self, path: str, body: Any) -> Any:
        """The same for a POST."""
        answer = httpx.post(self.url + path, json=body, headers={"x-api-key": self.key}, timeout=30)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def trace(self, trace_id: str, until: Callable[[Any], bool] = lambda found: True) -> Any:
        """A trace, once it is there and as a test needs it."""

        def read() -> Any:
            answer = httpx.get(
                f"{self.url}/v1/projects/{self.project}/traces/{trace_id}", headers={"x-api-key": self.key}, timeout=30
            )
            return answer.json() if answer.status_code == 200 and until(answer.json()) else None

        return eventually(read)

    def spans(self, trace_id: str, count: int) -> dict[str, Any]:
        """The spans of a trace by name, once there are so many."""
        spans = self.trace(trace_id, lambda found: len(found["spans"]) >= count)["spans"]
        assert len(spans) == count, [span["name"] for span in spans]
        return {span["name"]: span for span in spans}


def eventually(read: Callable[[], Any], seconds: float = 30) -> Any:
    """What a function returns, once it is true."""
    until = time.monotonic() + seconds
    while True:
        found = read()
        if found:
            return found
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _node() -> str:
    return str(ROOT / "node_modules" / ".bin" / "node")


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The service of this repository."""
    given = os.environ.get("SPANWISE_TEST_SERVICE")
    if given:
        url, key, email, password = given.split()
        yield _connected(url, key, email, password)
        return
    port, key = _free_port(), new_key()
    with tempfile.TemporaryDirectory() as folder:
        log = (Path(folder) / "service.log").open("w")
        process = subprocess.Popen(
            [_node(), str(ROOT / "scripts" / "run.mjs"), str(ROOT / "src" / "main.ts")],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={
                **os.environ,
                "SPANWISE_PORT": str(port),
                "SPANWISE_DATA_DIR": str(Path(folder) / "data"),
                "SPANWISE_API_KEY": key,
                "SPANWISE_ADMIN_EMAIL": "owner@example.test",
                "SPANWISE_ADMIN_PASSWORD": "correct-horse-battery-staple",
                "SPANWISE_INGEST_RATE": "100000",
                "SPANWISE_GUARDRAIL_RATE": "100000",
            },
        )
        url = f"http://127.0.0.1:{port}"

        def ready() -> bool:
            assert process.poll() is None, (Path(folder) / "service.log").read_text()
            try:
                return httpx.get(url + "/readyz", timeout=5).status_code == 200
            except httpx.HTTPError:
                return False

        try:
            eventually(ready, 240)
            yield _connected(url, key, "owner@example.test", "correct-horse-battery-staple")
        finally:
            process.terminate()
            process.wait(60)
            log.close()


def _connected(url: str, key: str, email: str, password: str) -> Service:
    who = httpx.get(url + "/v1/sdk/whoami", headers={"x-api-key": key}, timeout=30).json()
    owner = httpx.Client(base_url=url, timeout=30)
    owner.post("/v1/auth/login", json={"email": email, "password": password}).raise_for_status()
    return Service(url, key, who["projectId"], owner)


@pytest.fixture
def sw(service: Service) -> Iterator[Spanwise]:
    """A client of the service."""
    client = Spanwise(service.key, service.url, environment="test", release="1.2.3", service="app", timeout=30)
    yield client
    client.shutdown(30)


@pytest.fixture
def fake() -> Iterator[FakeService]:
    """A service that answers as a test says."""
    server = FakeService()
    yield server
    server.close()


@pytest.fixture(scope="session")
def model() -> Iterator[FakeModel]:
    """A fake model on 127.0.0.1."""
    server = FakeModel()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def _no_default_client() -> Iterator[None]:
    """Each test has its own first client."""
    from spanwise import _observe

    yield
    _observe._First.client = None
    _switch_off_instrumentations()


def _switch_off_instrumentations() -> None:
    """What ``instrument`` switched on would record the calls of later tests in the place of the wrappers."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("openinference.instrumentation.", "opentelemetry.instrumentation.")):
            for kind in list(vars(module).values()):
                instance: Any = getattr(kind, "_instance", None) if isinstance(kind, type) else None
                if getattr(instance, "_is_instrumented_by_opentelemetry", False):
                    instance.uninstrument()


def threads() -> set[str]:
    """The names of the threads that run."""
    return {thread.name for thread in threading.enumerate()}


def parsed(value: Any) -> Any:
    """JSON in a text."""
    return json.loads(value) if isinstance(value, str) else value
