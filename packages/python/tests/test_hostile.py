"""Whatever the application gives: nothing is raised, and the record is kept."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from spanwise import Spanwise, observe


class Hostile:
    """An object that raises whatever is done with it."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError

    def __hash__(self) -> int:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __bool__(self) -> bool:
        raise RuntimeError


class Text(str):
    """A text that does."""

    def __hash__(self) -> int:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError

    def strip(self, characters: str | None = None) -> str:
        raise RuntimeError


# Made in the test: pytest looks at what it is given.
BAD: dict[str, Any] = {
    "hostile": Hostile,
    "hostile text": lambda: Text("x"),
    "object": object,
    "list": lambda: [1],
    "dict": dict,
    "nan": lambda: float("nan"),
    "large": lambda: 10**400,
    "negative": lambda: -1,
    "true": lambda: True,
    "surrogate": lambda: "\ud800",
    "bytes": lambda: b"x",
}
SETTINGS = [
    "api_key",
    "base_url",
    "environment",
    "release",
    "service",
    "timeout",
    "max_queue",
    "flush_interval",
    "on_unavailable",
    "redact",
    "on_error",
]
OF_TRACE = ["name", "kind", "user_id", "session_id", "agent_name", "tags", "metadata", "input", "output"]
OF_SPAN = ["name", "kind", "model", "provider", "input", "output", "usage", "cost_usd", "metadata", "prompt"]
OF_UPDATE = [
    *(name for name in OF_SPAN if name != "kind"),
    *["tags", "user_id", "session_id", "status", "error_code", "error_message", "time_to_first_token_ms"],
]
RECORDS: dict[str, tuple[dict[str, Any], str]] = {
    "score": ({"evaluator": "e", "score": 1}, "trace_id span_id session_id evaluator score passed label comment score_id"),
    "outcome": ({"kind": "k"}, "trace_id kind value currency success occurred_at idempotency_key metadata"),
    "change": (
        {"kind": "k"},
        "kind service version commit_sha environment actor url at description idempotency_key metadata",
    ),
}


@pytest.fixture
def away() -> Iterator[Spanwise]:
    """A client whose service is away."""
    client = Spanwise("spw_test", "http://127.0.0.1:9", flush_interval=60)
    yield client
    client.shutdown(0)


@pytest.mark.parametrize("kind", BAD)
def test_any_argument(away: Spanwise, kind: str) -> None:
    bad = BAD[kind]()
    for name in SETTINGS:
        given: dict[str, Any] = {"api_key": "spw_test", "base_url": "http://127.0.0.1:9", "flush_interval": 60, name: bad}
        made = Spanwise(**given)
        with made.trace("t"):
            pass
        repr(made)
        made.shutdown(0)
    ended = 0
    for call, names in ((away.trace, OF_TRACE), (away.span, OF_SPAN)):
        for name in names:
            begin: Any = call
            with begin(**{"name": "n", name: bad}) as span:
                assert span.trace_id != "0" * 32, name
                for field in OF_UPDATE:
                    span.update(**{field: bad})
            ended += 1
            assert away.delivery().queued == ended, name
    for record, (needed, fields) in RECORDS.items():
        for name in fields.split():
            assert getattr(away, record)(**{**needed, name: bad})
            ended += 1
            assert away.delivery().queued == ended, (record, name)
    with away.context(user_id=bad, session_id=bad, tags=bad, metadata=bad):
        pass
    assert away.wrap_openai(bad) is bad
    assert away.wrap_anthropic(bad) is bad

    def same(value: Any) -> Any:
        return value

    decorator: Any = observe
    decorator(bad)
    for name in ("name", "kind", "capture_input", "capture_output", "client"):
        assert decorator(**{name: bad})(same)(3) == 3


def test_calls_of_a_wrong_form(away: Spanwise) -> None:
    wrong: Any = away
    assert wrong.score()
    assert wrong.outcome()
    assert wrong.change()
    with wrong.trace(), wrong.span("s", "llm", 3, name="twice", none="such"):
        pass
    with away.trace("endless", tags=itertools.repeat("tag")):  # type: ignore[arg-type]
        pass
    assert away.delivery().queued == 6
    assert away.flush(-1) is False
