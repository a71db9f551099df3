"""Parts of requests and answers, of which nothing is sure."""

from __future__ import annotations

from typing import Any


def record(value: Any) -> dict[str, Any]:
    """An object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def records(value: Any) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def given(value: Any) -> Any:
    """A value without the members that are None."""
    if isinstance(value, dict):
        return {name: given(item) for name, item in value.items() if item is not None}
    return [given(item) for item in value] if isinstance(value, list) else value


def count(value: Any) -> int | None:
    """A count of tokens."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def labelled(fields: dict[str, Any]) -> dict[str, Any]:
    """Without what is not known."""
    return {name: value for name, value in fields.items() if value is not None}
