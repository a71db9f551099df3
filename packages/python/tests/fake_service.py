"""A service that answers as a test says, and keeps what it got."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Request:
    """A request that came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def content(self) -> bytes:
        """The body without its compression."""
        return gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body

    def json(self) -> Any:
        return json.loads(self.content)

    def spans(self) -> list[Any]:
        """The spans of an OTLP request."""
        message = ExportTraceServiceRequest.FromString(self.content)
        return [span for of in message.resource_spans for scope in of.scope_spans for span in scope.spans]


Reply = tuple[int, Mapping[str, str], bytes]


def ok(request: Request) -> Reply:
    """What the service answers when all is well."""
    if request.path == "/v1/traces":
        return 200, {"content-type": "application/x-protobuf"}, b""
    if request.path == "/v1/ingest":
        return reply(202, {"accepted": len(request.content.splitlines()), "rejected": []})
    if request.path == "/v1/ingest/outcomes":
        return reply(202, {"accepted": len(request.json()["outcomes"]), "rejected": []})
    if request.path == "/v1/sdk/whoami":
        return reply(200, {"projectId": "p1"})
    return reply(201, {"id": "c1"})


def reply(status: int, body: Any, **headers: str) -> Reply:
    """A reply of JSON."""
    return (
        status,
        {"content-type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}},
        json.dumps(body).encode(),
    )


class FakeService:
    """Listens on 127.0.0.1."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answer: Callable[[Request], Reply] = ok
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                pass

            def _handle(self) -> None:
                length = int(self.headers.get("content-length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.command, self.path, headers, self.rfile.read(length), time.monotonic())
                with outer._lock:
                    outer.requests.append(request)
                    outer._at_once += 1
                    outer.most_at_once = max(outer.most_at_once, outer._at_once)
                try:
                    status, headers_out, body = outer.answer(request)
                finally:
                    with outer._lock:
                        outer._at_once -= 1
                self.send_response(status)
                for name, value in headers_out.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = _handle

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def to(self, path: str) -> list[Request]:
        """The requests to a path."""
        return [request for request in list(self.requests) if request.path.split("?")[0] == path]

    def spans(self) -> list[Any]:
        """All spans that came."""
        return [span for request in self.to("/v1/traces") for span in request.spans()]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
