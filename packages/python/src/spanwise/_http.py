"""Requests to the service: on httpx's transport, which reads no environment, logs nothing and follows no redirect."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import httpx
from opentelemetry import context as otel_context

from ._convert import utf8
from ._version import __version__

#: The contexts' keys by which instrumentations of HTTP clients know that a request is none of the application's.
_SUPPRESSED = [
    key
    for name in ("_SUPPRESS_INSTRUMENTATION_KEY", "_SUPPRESS_HTTP_INSTRUMENTATION_KEY")
    if isinstance(key := getattr(otel_context, name, None), str)
]
FOREIGN = "The answer is not one of Spanwise; check SPANWISE_URL, or the argument base_url."

#: What httpx loads at the first request; too much to load with this package.
_LATE = ("httpcore", "certifi", "encodings.idna")
_LONGEST_LOAD = 60.0


class _Alone:
    """Runs in a thread what no process may be forked in the midst of: in the child a lock of a module or of OpenSSL would stay held for ever."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_held = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._before, after_in_parent=self._in_parent, after_in_child=self._in_child)

    def transport(self, is_secure: bool) -> httpx.HTTPTransport:
        with self._lock:
            for name in _LATE:
                try:
                    import_module(name)
                except ImportError:
                    pass
            # Certificates are read from disk, which takes 20 ms.
            return httpx.HTTPTransport(verify=is_secure, trust_env=False)

    def _before(self) -> None:
        # A busy machine takes its time.
        self._is_held = self._lock.acquire(timeout=_LONGEST_LOAD)

    def _in_parent(self) -> None:
        if self._is_held:
            self._lock.release()

    def _in_child(self) -> None:
        self._lock = threading.Lock()


_alone = _Alone()


class Answer:
    """An answer of the service."""

    __slots__ = ("content", "headers", "status")

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.status = status
        self.headers = headers
        self.content = content

    def json(self) -> Any:
        """The body; None when it is no JSON."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            return None

    def sentence(self) -> str:
        """What the service says of a failure."""
        body = self.json()
        if isinstance(body, dict) and isinstance(body.get("error"), str):
            return str(body["error"])[:500]
        return f"The service answered with status {self.status}."


class Http:
    """Sends requests with the key of a project. Errors: those of httpx."""

    def __init__(self, base_url: str, api_key: str, timeout: float) -> None:
        self.base_url = base_url
        self.timeout = timeout
        self._headers = {"x-api-key": api_key, "user-agent": f"spanwise-python/{__version__}"}
        self._lock = threading.Lock()
        self._transport: httpx.HTTPTransport | None = None
        #: The figures of the client, which every request carries.
        self.figures: Callable[[], str] | None = None

    def after_fork(self) -> None:
        """A child must not use the connections of its parent."""
        self._lock = threading.Lock()
        self._transport = None

    def request(
        self,
        method: str,
        path: str,
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """The answer of the service, of whatever status."""
        limit = self.timeout if timeout is None else timeout
        figures = {} if self.figures is None else {"x-spanwise-client": self.figures()}
        request = httpx.Request(
            method,
            self.base_url + path,
            content=content,
            headers={**self._headers, **figures, **(headers or {})},
            extensions={"timeout": {"connect": limit, "read": limit, "write": limit, "pool": limit}},
        )
        context = otel_context.get_current()
        for key in _SUPPRESSED:
            context = otel_context.set_value(key, True, context)
        token = otel_context.attach(context)
        try:
            response = self._open().handle_request(request)
            try:
                content = response.read()
            finally:
                response.close()
        finally:
            otel_context.detach(token)
        return Answer(response.status_code, response.headers, content)

    def send_json(self, method: str, path: str, body: object = None, **options: Any) -> Answer:
        """The same with a JSON body."""
        headers = {**options.pop("headers", {}), "accept": "application/json"}
        if body is None:
            return self.request(method, path, headers=headers, **options)
        content = utf8(json.dumps(body, ensure_ascii=False))
        return self.request(method, path, content=content, headers={**headers, "content-type": "application/json"}, **options)

    def close(self) -> None:
        """Closes the connections."""
        with self._lock:
            transport, self._transport = self._transport, None
        if transport is not None:
            transport.close()

    def _open(self) -> httpx.HTTPTransport:
        with self._lock:
            if self._transport is None:
                self._transport = _alone.transport(self.base_url.startswith("https:"))
            return self._transport
