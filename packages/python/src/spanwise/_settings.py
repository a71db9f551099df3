"""What a client is told: its arguments, else the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, cast
from urllib.parse import urlsplit

from ._convert import MAX_NAME, text_of

#: Seconds; locks and sockets know no much longer time.
_LONGEST = 86_400.0
OnUnavailable = Literal["allow", "block"]


@dataclass(frozen=True)
class Settings:
    """The settings of a client."""

    api_key: str = field(repr=False)
    base_url: str
    environment: str | None
    release: str | None
    service: str | None
    timeout: float
    max_queue: int
    flush_interval: float
    on_unavailable: OnUnavailable
    redact: Callable[[str], str] | None
    #: Why nothing is sent; None when the client works.
    problem: str | None


def read_settings(
    api_key: object,
    base_url: object,
    environment: object,
    release: object,
    service: object,
    timeout: object,
    max_queue: object,
    flush_interval: object,
    on_unavailable: object,
    redact: object,
) -> Settings:
    """Settings from arguments, the environment and defaults. Never raises: ``problem`` says what makes a client useless."""
    key = _text(api_key) or _variable("SPANWISE_API_KEY") or ""
    url = (_text(base_url) or _variable("SPANWISE_URL") or "http://127.0.0.1:4318").rstrip("/")
    return Settings(
        api_key=key,
        base_url=url,
        environment=_text(environment) or _variable("SPANWISE_ENVIRONMENT"),
        release=_text(release) or _variable("SPANWISE_RELEASE"),
        service=_text(service) or _variable("SPANWISE_SERVICE") or _variable("OTEL_SERVICE_NAME"),
        timeout=_number(timeout, 10.0, 0.001, _LONGEST),
        max_queue=int(_number(max_queue, 10_000, 1, float("inf"))),
        flush_interval=_number(flush_interval, 1.0, 0.0, _LONGEST),
        on_unavailable="allow" if _text(on_unavailable) == "allow" else "block",
        redact=cast("Callable[[str], str]", redact) if callable(redact) else None,
        problem=_problem(key, url),
    )


def _problem(key: str, url: str) -> str | None:
    if (_variable("OTEL_SDK_DISABLED") or "").lower() == "true":
        return "Spanwise sends nothing: OTEL_SDK_DISABLED is true."
    if key == "":
        return "Spanwise sends nothing: there is no API key. Set SPANWISE_API_KEY, or the argument api_key."
    if re.fullmatch(r"[!-~]+", key) is None:
        return "Spanwise sends nothing: the API key has characters that no key has. Copy it again."
    try:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1) > 0:
            return None
    except ValueError:
        pass
    return "Spanwise sends nothing: the address is no http or https URL. Set SPANWISE_URL, or the argument base_url."


def _text(value: object) -> str | None:
    text = text_of(value, MAX_NAME)
    return text.strip() or None if text is not None else None


def _variable(name: str) -> str | None:
    return os.environ.get(name, "").strip() or None


def _number(value: object, default: float, least: float, most: float) -> float:
    try:
        number = default if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
        # A machine has no such number of records, nor a clock such a number of seconds.
        return default if not least <= number < float("inf") else min(number, most)
    except Exception:
        return default
