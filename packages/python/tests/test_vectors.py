"""What the TypeScript SDK makes of 1,000 random cases each (packages/vectors) is what this one makes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conftest import ROOT
from spanwise._prompts import compile_text
from spanwise._redaction import released
from spanwise._verdict import verdict_of


def cases(name: str) -> list[Any]:
    path = ROOT / "packages" / "vectors" / f"{name}.jsonl"
    if not path.exists():
        pytest.skip("outside of the repository")
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(found) >= 1_000
    return found


def test_compiled_prompts() -> None:
    for case in cases("compiled-prompts"):
        missing: dict[str, None] = {}
        assert (compile_text(case["text"], case["variables"], missing), list(missing)) == (case["compiled"], case["missing"]), (
            case
        )


def test_guarded_texts() -> None:
    """The SDK of TypeScript has the engine; this one has the service's answers alone."""
    undecided = 0
    for case in cases("guarded-texts"):
        before = ""
        for step in case["steps"]:
            verdict = verdict_of(step["text"], step["answer"])
            assert verdict is not None
            decided = released(step["text"], verdict)
            if decided is None:
                undecided += 1
                continue
            text, at = decided
            # What was shown stays, however the text goes on, and no less of it is shown than there.
            assert text.startswith(before), case
            assert text.startswith(step["shown"]) or step["shown"].startswith(text), case
            before = text
            assert verdict.safe_until <= at <= len(step["text"])
        if case["whole"]["action"] != "block":
            assert case["whole"]["text"].startswith(before), case
    assert undecided == 0
