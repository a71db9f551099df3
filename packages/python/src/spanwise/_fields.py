"""What callers say of a span, as attributes. A bad value is left out or made readable."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from ._convert import MAX_NAME, text_of, to_json

KINDS = frozenset(("llm", "embedding", "agent", "tool", "retriever", "chain", "guardrail", "evaluator", "span"))
_USAGE = {
    "input_tokens": "gen_ai.usage.input_tokens",
    "output_tokens": "gen_ai.usage.output_tokens",
    "cached_tokens": "gen_ai.usage.cache_read.input_tokens",
    "cache_write_tokens": "gen_ai.usage.cache_write.input_tokens",
    "reasoning_tokens": "gen_ai.usage.reasoning.output_tokens",
}
TAGS = "spanwise.tags"
#: Tags of a span, and characters of one; the service takes no more.
_MAX_TAGS, _MAX_TAG = 100, 190
METADATA = "spanwise.metadata"


def kind_of(kind: object) -> str:
    """A kind of span; ``span`` for what is none."""
    text = text_of(kind, 20) if issubclass(type(kind), str) else None
    return text if text in KINDS else "span"


def tags_of(tags: object) -> tuple[str, ...]:
    """Tags as texts."""
    try:
        # What is endless ends.
        items = [tags] if isinstance(tags, str) else list(islice(tags, _MAX_TAGS))  # type: ignore[call-overload]
    except Exception:
        return ()
    return tuple(dict.fromkeys(text for tag in items if (text := text_of(tag, _MAX_TAG))))


def _label(name: str) -> Callable[[dict[str, Any], Any], None]:
    def give(attributes: dict[str, Any], value: Any) -> None:
        text = text_of(value, MAX_NAME)
        if text:
            attributes[name] = text

    return give


def _json(name: str) -> Callable[[dict[str, Any], Any], None]:
    def give(attributes: dict[str, Any], value: Any) -> None:
        attributes[name] = to_json(value)

    return give


def _amount(name: str) -> Callable[[dict[str, Any], Any], None]:
    def give(attributes: dict[str, Any], value: Any) -> None:
        number = _number(value)
        if number is not None:
            attributes[name] = number

    return give


def _number(value: object) -> float | None:
    try:
        number = float(value)  # type: ignore[arg-type]
    except Exception:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _usage(attributes: dict[str, Any], usage: Any) -> None:
    if not isinstance(usage, Mapping):
        return
    for name, attribute in _USAGE.items():
        try:
            count = usage.get(name)
            number = None if isinstance(count, bool) else _number(count)
            if number is not None and number == int(number):
                attributes[attribute] = int(number)
        except Exception:
            pass


def _prompt(attributes: dict[str, Any], prompt: Any) -> None:
    name, version = text_of(prompt.name), prompt.version
    if name:
        attributes["spanwise.prompt.name"] = name
    if isinstance(version, int):
        attributes["spanwise.prompt.version"] = version
    variables = prompt.variables
    if variables is not None:
        attributes["spanwise.prompt.variables"] = to_json(variables)


def _tags(attributes: dict[str, Any], value: Any) -> None:
    tags = tags_of(value)
    if tags:
        attributes[TAGS] = tags


def _metadata(attributes: dict[str, Any], value: Any) -> None:
    attributes[METADATA] = to_json(value)


_GIVE: dict[str, Callable[[dict[str, Any], Any], None]] = {
    "agent_name": _label("gen_ai.agent.name"),
    "cost_usd": _amount("gen_ai.usage.cost"),
    "input": _json("spanwise.input"),
    "metadata": _metadata,
    "model": _label("gen_ai.response.model"),
    "output": _json("spanwise.output"),
    "prompt": _prompt,
    "provider": _label("gen_ai.provider.name"),
    "request_model": _label("gen_ai.request.model"),
    "response_id": _label("gen_ai.response.id"),
    "session_id": _label("session.id"),
    "tags": _tags,
    "time_to_first_token_ms": _amount("spanwise.time_to_first_token_ms"),
    "usage": _usage,
    "user_id": _label("user.id"),
}
#: What a trace gives to its spans.
SHARED = ("session.id", "user.id", TAGS)


def attributes_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of fields; None is not given, and what cannot be read is left out."""
    attributes: dict[str, Any] = {}
    for name, value in fields.items():
        if value is None:
            continue
        give = _GIVE.get(name)
        if give is None:
            continue
        try:
            give(attributes, value)
        except Exception:
            pass
    return attributes


def merged_metadata(before: object, after: str) -> str:
    """Metadata as JSON: members of ``after`` replace those of ``before``."""
    if not isinstance(before, str):
        return after
    try:
        old, new = json.loads(before), json.loads(after)
        return to_json({**old, **new}) if isinstance(old, dict) and isinstance(new, dict) else after
    except ValueError:
        return after


def merge(base: Mapping[str, Any], attributes: dict[str, Any]) -> dict[str, Any]:
    """Attributes over those around them: tags are joined, metadata is merged."""
    if not base:
        return attributes
    result = {**base, **attributes}
    if TAGS in base and TAGS in attributes:
        result[TAGS] = tuple(dict.fromkeys((*base[TAGS], *attributes[TAGS])))
    if METADATA in base and METADATA in attributes:
        result[METADATA] = merged_metadata(base[METADATA], attributes[METADATA])
    return result
