"""Clients of models whose calls are recorded."""

from __future__ import annotations

from typing import Any


def wrap_client(sw: Any, client: Any, library: str) -> Any:
    return client
