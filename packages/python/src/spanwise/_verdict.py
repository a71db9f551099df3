"""The answer of a check of the guardrails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Match:
    """What a guardrail found; offsets count characters."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class GuardrailResult:
    """What one guardrail says of a text."""

    guardrail: str
    type: str
    triggered: bool
    #: ``allow``, ``flag``, ``redact`` or ``block``.
    action: str
    matches: list[Match]
    reason: str | None
    #: Only the first 100 matches are here.
    truncated: bool = False
    #: It could not run.
    failed: bool = False
    #: A judge that was not asked, since something else blocks.
    skipped: bool = False


@dataclass(frozen=True)
class Verdict:
    """The answer of a check. A block is an answer, not an error."""

    #: The strictest of the guardrails that triggered: ``allow``, ``flag``, ``redact`` or ``block``.
    action: str
    #: The text, with what is redacted replaced.
    text: str
    results: list[GuardrailResult] = field(default_factory=list)
    #: Characters of the text as given of which nothing that follows changes anything.
    safe_until: int = 0
    check_id: str = ""
    policy_version: int = 0
    #: Nothing was checked: the service was away, or does not accept the key. ``action`` is what ``on_unavailable`` says.
    unavailable: bool = False

    @property
    def blocked(self) -> bool:
        """Whether the text must not pass."""
        return self.action == "block"


class GuardrailBlocked(Exception):
    """A stream was blocked. What had been released before stays released."""

    def __init__(self, verdict: Verdict) -> None:
        names = [result.guardrail for result in verdict.results if result.action == "block"]
        why = "it could not be checked" if verdict.unavailable else f"by {', '.join(names) or 'a guardrail'}"
        super().__init__(f"The text was blocked: {why}.")
        self.verdict = verdict


def offsets_of(text: str) -> Callable[[int], int]:
    """Converts offsets in UTF-16 units to characters of the Python string."""
    if text.isascii() or max(text) < "\U00010000":
        return lambda offset: offset
    units: list[int] = []
    for index, character in enumerate(text):
        units.append(index)
        if character > "\uffff":
            units.append(index)
    units.append(len(text))
    return lambda offset: units[min(max(offset, 0), len(units) - 1)]


def verdict_of(text: str, answer: Mapping[str, Any]) -> Verdict | None:
    """The verdict of an answer of the service; None when it is none of Spanwise's."""
    action, results, safe_until = answer.get("action"), answer.get("results"), answer.get("safeUntil")
    if not isinstance(action, str) or not isinstance(answer.get("text"), str):
        return None
    if not isinstance(results, list) or not isinstance(safe_until, int):
        return None
    at = offsets_of(text)
    return Verdict(
        action=action,
        text=answer["text"],
        results=[
            GuardrailResult(
                guardrail=str(one.get("guardrail")),
                type=str(one.get("type")),
                triggered=bool(one.get("triggered")),
                action=str(one.get("action")),
                matches=[Match(at(match["start"]), at(match["end"]), str(match["label"])) for match in one.get("matches", [])],
                reason=one.get("reason"),
                truncated=bool(one.get("truncated")),
                failed=bool(one.get("failed")),
                skipped=bool(one.get("skipped")),
            )
            for one in results
        ],
        safe_until=at(safe_until),
        check_id=str(answer.get("checkId", "")),
        policy_version=int(answer.get("policyVersion", 0)),
    )
