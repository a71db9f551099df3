"""Anthropic's messages."""

from __future__ import annotations

import json
from typing import Any

from ._call import Endpoint, Fields
from ._read import count, given, labelled, record


def usage_of(value: Any) -> Fields | None:
    """Anthropic counts the tokens that were read from the cache, and those written to it, beside the input; Spanwise within it."""
    usage = record(value)
    if not usage:
        return None
    cached, written = count(usage.get("cache_read_input_tokens")), count(usage.get("cache_creation_input_tokens"))
    fresh = count(usage.get("input_tokens"))
    return labelled(
        {
            "input_tokens": None if fresh is None else fresh + (cached or 0) + (written or 0),
            "output_tokens": count(usage.get("output_tokens")),
            "cached_tokens": cached,
            "cache_write_tokens": written,
            "reasoning_tokens": count(record(usage.get("output_tokens_details")).get("thinking_tokens")),
        }
    )


def _message(answer: Fields) -> Fields:
    content = given(answer.get("content"))
    return {
        "model": answer.get("model"),
        "response_id": answer.get("id"),
        "output": {"role": "assistant", "content": content} if content else None,
        "usage": usage_of(answer.get("usage")),
    }


def _input(body: Fields) -> Any:
    system, messages = body.get("system"), body.get("messages")
    if system is None or not isinstance(messages, (list, tuple)):
        return messages
    return [{"role": "system", "content": system}, *messages]


class _MessageReader:
    """Puts the events of a message together."""

    def __init__(self, _: bool) -> None:
        self._message: Fields = {}
        self._usage: Fields = {}
        self._blocks: dict[int, Fields] = {}

    def hides(self, part: Fields) -> bool:
        return False

    def add(self, part: Fields) -> bool:
        kind, delta = part.get("type"), record(part.get("delta"))
        index = count(part.get("index")) or 0
        if kind == "message_start":
            self._message = dict(record(part.get("message")))
            self._count(self._message.get("usage"))
        elif kind == "content_block_start":
            self._blocks[index] = dict(record(part.get("content_block")))
        elif kind == "content_block_delta":
            _add_delta(self._blocks.setdefault(index, {}), delta)
            return True
        elif kind == "message_delta":
            self._message.update(delta)
            self._count(part.get("usage"))
        return False

    def _count(self, usage: Any) -> None:
        """Counts are those so far, not further ones."""
        self._usage.update(labelled(record(usage)))

    def fields(self) -> Fields:
        content = []
        for _, block in sorted(self._blocks.items()):
            partial = block.pop("partial_json", None)
            content.append({**block, "input": _parsed(partial)} if isinstance(partial, str) else block)
        return _message({**self._message, "content": content, "usage": self._usage})


def _add_delta(block: Fields, delta: Fields) -> None:
    for name, piece in delta.items():
        if name == "type" or piece is None:
            continue
        if name == "citation":
            block["citations"] = [*(block.get("citations") or []), piece]
        elif isinstance(piece, str):
            before = block.get(name)
            block[name] = (before if isinstance(before, str) else "") + piece
        else:
            block[name] = piece


def _parsed(text: str) -> Any:
    try:
        return json.loads(text) if text else {}
    except ValueError:
        # Broken off.
        return text


MESSAGES = Endpoint("anthropic.messages", "llm", _input, _message, _MessageReader)
