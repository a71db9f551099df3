"""Clients of models whose calls are recorded.

The packages ``openai`` and ``anthropic`` send everything by the method ``request`` of their client: helpers, streams and raw responses too. It is
replaced on the one client, which stays what it is.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Protocol

from .._instrument import is_instrumented
from .._span import Span
from ._anthropic import MESSAGES
from ._call import Call, Endpoint
from ._openai import ENDPOINTS

_MARK = "_spanwise_wrapped"
_ENDPOINTS: dict[str, dict[str, Endpoint]] = {"openai": ENDPOINTS, "anthropic": {"/v1/messages": MESSAGES}}


class Beginning(Protocol):
    """What the wrappers need of a client of Spanwise."""

    def _is_recording(self) -> bool: ...

    def _begin(self, name: object, kind: object, fields: Any, *, is_trace: bool = False) -> Span: ...


def wrap_client(sw: Beginning, client: Any, library: str) -> Any:
    """Records the calls of a client; once, however often it is wrapped."""
    if getattr(client, _MARK, None) is not None or not callable(getattr(client, "request", None)):
        return client
    request = client.request
    endpoints = _ENDPOINTS[library]
    provider = "anthropic" if library == "anthropic" else "azure" if "Azure" in type(client).__name__ else "openai"

    def begin(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call | None:
        try:
            options = kwargs["options"] if "options" in kwargs else args[1]
            endpoint = _endpoint(endpoints, options)
            if endpoint is None or not sw._is_recording() or is_instrumented(library):
                return None
            return Call(sw, endpoint, options, provider, bool(kwargs.get("stream")))
        except Exception:
            return None

    client.request = functools.wraps(request)(
        _asynchronous(request, begin) if inspect.iscoroutinefunction(request) else _plain(request, begin)
    )
    for name in ("copy", "with_options"):
        if callable(getattr(client, name, None)):
            setattr(client, name, _copying(sw, getattr(client, name), library))
    setattr(client, _MARK, sw)
    return client


Begin = Callable[[tuple[Any, ...], dict[str, Any]], "Call | None"]


def _plain(request: Any, begin: Begin) -> Any:
    def recorded(*args: Any, **kwargs: Any) -> Any:
        call = begin(args, kwargs)
        if call is None:
            return request(*args, **kwargs)
        with call:
            return call.answered(request(*args, **kwargs))

    return recorded


def _asynchronous(request: Any, begin: Begin) -> Any:
    async def recorded(*args: Any, **kwargs: Any) -> Any:
        call = begin(args, kwargs)
        if call is None:
            return await request(*args, **kwargs)
        with call:
            return call.answered(await request(*args, **kwargs))

    return recorded


def _copying(sw: Beginning, copy: Any, library: str) -> Any:
    @functools.wraps(copy)
    def copied(*args: Any, **kwargs: Any) -> Any:
        client = copy(*args, **kwargs)
        try:
            return wrap_client(sw, client, library)
        except Exception:
            return client

    return copied


def _endpoint(endpoints: dict[str, Endpoint], options: Any) -> Endpoint | None:
    if str(options.method).lower() != "post":
        return None
    path = str(options.url).split("?")[0].rstrip("/")
    for ending, endpoint in endpoints.items():
        if path.endswith(ending):
            return endpoint
    return None
