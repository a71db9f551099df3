"""A model's server on 127.0.0.1: OpenAI's chat completions, responses and embeddings, and Anthropic's messages."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 40},
    "completion_tokens_details": {"reasoning_tokens": 7},
}
TOOL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Paris"}'}}
_count = iter(range(1_000_000))


def _chat(body: Any) -> Any:
    message: dict[str, Any] = {"role": "assistant", "content": "It is sunny."}
    if body.get("tools"):
        message = {"role": "assistant", "content": None, "tool_calls": [TOOL]}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {
        "id": f"chatcmpl-{next(_count)}",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-4o-2024-08-06",
        "choices": [choice],
        "usage": USAGE,
    }


def _chat_chunks(body: Any) -> Iterator[Any]:
    head = {"id": f"chatcmpl-{next(_count)}", "object": "chat.completion.chunk", "created": 1, "model": "gpt-4o-2024-08-06"}
    deltas: list[Any] = [{"role": "assistant", "content": ""}]
    if body.get("tools"):
        deltas.append({"tool_calls": [{**TOOL, "index": 0, "function": {"name": "weather", "arguments": ""}}]})
        deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": part}}]} for part in ('{"city":', '"Paris"}')]
    else:
        deltas += [{"content": text} for text in ("It ", "is ", "sunny.")]
    for delta in deltas:
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    if (body.get("stream_options") or {}).get("include_usage"):
        yield {**head, "choices": [], "usage": USAGE}


def _response(body: Any) -> Any:
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    usage |= {"input_tokens_details": {"cached_tokens": 40}, "output_tokens_details": {"reasoning_tokens": 7}}  # type: ignore[dict-item]
    part = {"type": "output_text", "text": "It is sunny.", "annotations": []}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    return {
        "id": f"resp_{next(_count)}", "object": "response", "created_at": 1, "model": "gpt-4o-2024-08-06", "status": "completed",
        "output": [message], "usage": usage, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
    }  # fmt: skip


def _response_events(body: Any) -> Iterator[Any]:
    whole = _response(body)
    yield {
        "type": "response.created",
        "sequence_number": 0,
        "response": {**whole, "status": "in_progress", "output": [], "usage": None},
    }
    item = {**whole["output"][0], "content": []}
    yield {"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item}
    at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    yield {
        "type": "response.content_part.added",
        "sequence_number": 2,
        **at,
        "part": {"type": "output_text", "text": "", "annotations": []},
    }
    for number, text in enumerate(("It is ", "sunny.")):
        yield {"type": "response.output_text.delta", "sequence_number": 3 + number, **at, "delta": text, "logprobs": []}
    yield {"type": "response.completed", "sequence_number": 9, "response": whole}


def _embeddings(body: Any) -> Any:
    data = [{"object": "embedding", "index": 0, "embedding": [0.5, 0.25]}]
    return {"object": "list", "model": "text-embedding-3-small", "data": data, "usage": {"prompt_tokens": 8, "total_tokens": 8}}


_ANTHROPIC_USAGE = {"input_tokens": 50, "output_tokens": 20, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 10}


def _message(body: Any) -> Any:
    content: list[Any] = [{"type": "text", "text": "It is sunny."}]
    if body.get("tools"):
        content.append({"type": "tool_use", "id": "tu_1", "name": "weather", "input": {"city": "Paris"}})
    return {
        "id": f"msg_{next(_count)}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": content,
        "stop_reason": "end_turn", "stop_sequence": None, "usage": _ANTHROPIC_USAGE,
    }  # fmt: skip


def _message_events(body: Any) -> Iterator[Any]:
    whole = _message(body)
    yield {
        "type": "message_start",
        "message": {**whole, "content": [], "stop_reason": None, "usage": {**_ANTHROPIC_USAGE, "output_tokens": 1}},
    }
    for index, block in enumerate(whole["content"]):
        is_text = block["type"] == "text"
        yield {
            "type": "content_block_start",
            "index": index,
            "content_block": {**block, **({"text": ""} if is_text else {"input": {}})},
        }
        pieces = ["It is ", "sunny."] if is_text else ['{"city":', '"Paris"}']
        for piece in pieces:
            delta = {"type": "text_delta", "text": piece} if is_text else {"type": "input_json_delta", "partial_json": piece}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 20}}
    yield {"type": "message_stop"}


_ANSWERS: dict[str, tuple[Any, Any]] = {
    "/chat/completions": (_chat, _chat_chunks),
    "/responses": (_response, _response_events),
    "/embeddings": (_embeddings, None),
    "/messages": (_message, _message_events),
}


class FakeModel:
    """Listens on 127.0.0.1. A model called ``fail`` answers 429, ``slow`` waits between the parts, ``cut`` breaks off after two."""

    def __init__(self) -> None:
        self.bodies: list[Any] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.bodies.append(body)
                whole, streamed = next(pair for path, pair in _ANSWERS.items() if self.path.split("?")[0].endswith(path))
                if body["model"] == "fail":
                    self._send(
                        429, "application/json", json.dumps({"error": {"message": "slow down", "type": "rate_limit_error"}})
                    )
                elif body.get("stream"):
                    self._stream(streamed(body), body["model"])
                else:
                    self._send(200, "application/json", json.dumps(whole(body)))

            def _send(self, status: int, kind: str, text: str) -> None:
                data = text.encode()
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def _stream(self, events: Iterator[Any], model: str) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for number, event in enumerate(events):
                    if model == "slow":
                        time.sleep(0.02)
                    if model == "cut" and number == 3:
                        broken = {"error": {"message": "broken", "type": "server_error"}, "type": "error"}
                        self.wfile.write(f"event: error\ndata: {json.dumps(broken)}\n\n".encode())
                        return
                    name = f"event: {event['type']}\n" if "type" in event else ""
                    try:
                        self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())
                        self.wfile.flush()
                    except OSError:
                        return
                if "completions" in self.path:
                    self.wfile.write(b"data: [DONE]\n\n")

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
