"""OpenAI's chat completions, responses and embeddings."""

from __future__ import annotations

from typing import Any

from ._call import Endpoint, Fields
from ._read import count, given, labelled, record, records

#: Texts that a piece has whole, if it has them: they name something.
_LABELS = frozenset(("role", "id", "type", "name", "format"))


def usage_of(value: Any) -> Fields | None:
    """Tokens of chat completions, responses and embeddings."""
    usage = record(value)
    if not usage:
        return None
    inside = record(usage.get("prompt_tokens_details") or usage.get("input_tokens_details"))
    outside = record(usage.get("completion_tokens_details") or usage.get("output_tokens_details"))
    return labelled(
        {
            "input_tokens": count(usage.get("prompt_tokens", usage.get("input_tokens"))),
            "output_tokens": count(usage.get("completion_tokens", usage.get("output_tokens"))),
            "cached_tokens": count(inside.get("cached_tokens")),
            "reasoning_tokens": count(outside.get("reasoning_tokens")),
        }
    )


def _chat_fields(answer: Fields, messages: list[Any]) -> Fields:
    return {
        "model": answer.get("model"),
        "response_id": answer.get("id"),
        "output": messages[0] if len(messages) == 1 else messages or None,
        "usage": usage_of(answer.get("usage")),
    }


def _chat(answer: Fields) -> Fields:
    return _chat_fields(answer, [given(choice.get("message")) for choice in records(answer.get("choices"))])


class _ChatReader:
    """Puts the chunks of a chat completion together."""

    def __init__(self, hides_usage: bool) -> None:
        self._hides_usage = hides_usage
        self._messages: dict[int, Fields] = {}
        self._head: Fields = {}

    def hides(self, part: Fields) -> bool:
        return self._hides_usage and bool(part.get("usage")) and not part.get("choices")

    def add(self, part: Fields) -> bool:
        for name in ("id", "model", "usage"):
            if part.get(name):
                self._head[name] = part[name]
        is_written = False
        for choice in records(part.get("choices")):
            delta = record(choice.get("delta"))
            _add_piece(self._messages.setdefault(count(choice.get("index")) or 0, {}), delta)
            is_written = is_written or any(value for name, value in delta.items() if name != "role")
        return is_written

    def fields(self) -> Fields:
        messages = []
        for _, message in sorted(self._messages.items()):
            # Whole tool calls have no index.
            calls = [
                {name: value for name, value in call.items() if name != "index"} for call in records(message.get("tool_calls"))
            ]
            messages.append({**message, "tool_calls": calls} if calls else message)
        return _chat_fields(self._head, messages)


def _add_piece(target: Fields, piece: Fields) -> Fields:
    """Adds the next piece of an object: texts go on, objects and lists are merged; of labels and other values the last one counts."""
    for name, value in piece.items():
        before = target.get(name)
        if value is None:
            continue
        if isinstance(value, dict):
            target[name] = _add_piece(before if isinstance(before, dict) else {}, value)
        elif isinstance(value, list):
            target[name] = _add_elements(before if isinstance(before, list) else [], value)
        elif isinstance(value, str) and isinstance(before, str):
            target[name] = (value or before) if name in _LABELS else before + value
        else:
            target[name] = value
    return target


def _add_elements(target: list[Any], pieces: list[Any]) -> list[Any]:
    """Elements with an index come in pieces, as tool calls do."""
    for piece in pieces:
        index = piece.get("index") if isinstance(piece, dict) else None
        begun = None if index is None else next((one for one in records(target) if one.get("index") == index), None)
        if begun is not None:
            _add_piece(begun, piece)
        else:
            target.append(_add_piece({}, piece) if isinstance(piece, dict) else piece)
    return target


def _messages_of(body: Fields) -> Any:
    """Instructions and a text as messages, as chat completions have them."""
    instructions, given_input = body.get("instructions"), body.get("input")
    if instructions is None:
        return given_input
    messages = given_input if isinstance(given_input, list) else [{"role": "user", "content": given_input}]
    return [{"role": "system", "content": instructions}, *messages]


def _response(answer: Fields) -> Fields:
    error = record(answer.get("error"))
    fields = {
        "model": answer.get("model"),
        "response_id": answer.get("id"),
        "output": given(answer.get("output")) or None,
        "usage": usage_of(answer.get("usage")),
    }
    if error:
        fields.update(status="error", error_code=error.get("code"), error_message=error.get("message"))
    return fields


class _ResponseReader:
    """Reads the events of a response: the last one has all of it."""

    def __init__(self, _: bool) -> None:
        self._response: Fields = {}
        self._text = ""

    def hides(self, part: Fields) -> bool:
        return False

    def add(self, part: Fields) -> bool:
        kind = str(part.get("type"))
        if isinstance(part.get("response"), dict):
            self._response = part["response"]
        elif kind == "error":
            self._response = {**self._response, "error": part}
        if kind == "response.output_text.delta" and isinstance(part.get("delta"), str):
            self._text += part["delta"]
        return kind.endswith(".delta")

    def fields(self) -> Fields:
        fields = _response(self._response)
        if fields["output"] is None and self._text:
            # One that was broken off has no output of its own.
            fields["output"] = {"role": "assistant", "content": self._text}
        return fields


def _embeddings(answer: Fields) -> Fields:
    """Without the vectors: they are large, and of no use in a trace."""
    return {"model": answer.get("model"), "usage": usage_of(answer.get("usage"))}


ENDPOINTS = {
    "/chat/completions": Endpoint("openai.chat", "llm", lambda body: body.get("messages"), _chat, _ChatReader, asks_usage=True),
    "/responses": Endpoint("openai.responses", "llm", _messages_of, _response, _ResponseReader),
    "/embeddings": Endpoint("openai.embeddings", "embedding", lambda body: body.get("input"), _embeddings, None),
}
