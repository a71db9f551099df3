"""The part of a client that records scores, outcomes and changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from ._core import Core
from ._delivery import CHANGES, OUTCOMES, SCORES
from ._lenient import lenient
from ._records import change_event, new_id, outcome_event, score_event

#: Bytes of a record without its texts, about.
_EMPTY = 300


class Reports(Core):
    """Scores, outcomes and changes."""

    @lenient
    def score(
        self,
        *,
        trace_id: str | None = None,
        span_id: str | None = None,
        session_id: str | None = None,
        evaluator: str,
        score: float | bool | None,
        passed: bool | None = None,
        label: str | None = None,
        comment: str | None = None,
        score_id: str | None = None,
    ) -> str:
        """Records a score, by default of the active trace. Returns its id."""
        fields = {
            "trace_id": trace_id,
            "span_id": span_id,
            "session_id": session_id,
            "evaluator": evaluator,
            "score": score,
            "passed": passed,
            "label": label,
            "comment": comment,
            "score_id": score_id,
        }
        return self._record(SCORES, lambda: score_event(fields, self._active_trace_id), "scoreId")

    @lenient
    def outcome(
        self,
        *,
        trace_id: str | None = None,
        kind: str,
        value: float | None = None,
        currency: str | None = None,
        success: bool | None = None,
        occurred_at: datetime | str | float | None = None,
        idempotency_key: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> str:
        """Records what came of a trace, by default of the active one. Returns the idempotency key. The service rejects one without a trace."""
        fields = {
            "trace_id": trace_id,
            "kind": kind,
            "value": value,
            "currency": currency,
            "success": success,
            "occurred_at": occurred_at,
            "idempotency_key": idempotency_key,
            "metadata": metadata,
        }
        return self._record(OUTCOMES, lambda: outcome_event(fields, self._active_trace_id), "idempotencyKey")

    @lenient
    def change(
        self,
        *,
        kind: str,
        service: str | None = None,
        version: str | None = None,
        commit_sha: str | None = None,
        environment: str | None = None,
        actor: str | None = None,
        url: str | None = None,
        at: datetime | str | float | None = None,
        description: str | None = None,
        idempotency_key: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> str:
        """Records a change, such as a deployment. Returns the idempotency key."""
        fields = {
            "kind": kind,
            "service": service,
            "version": version,
            "commit_sha": commit_sha,
            "environment": environment,
            "actor": actor,
            "url": url,
            "at": at,
            "description": description,
            "idempotency_key": idempotency_key,
            "metadata": metadata,
        }
        of = self._settings
        return self._record(CHANGES, lambda: change_event(fields, of.service, of.environment), "idempotencyKey")

    def _record(self, queue: int, make: Callable[[], dict[str, Any]], id_name: str) -> str:
        try:
            event = make()
            sender = self._sender
            if sender is not None and not self._is_closed:
                size = _EMPTY + sum(len(value) for value in event.values() if isinstance(value, str))
                sender.put(queue, event, size)
            return str(event[id_name])
        except Exception as error:
            self._reporter.tell("record", error)
            return new_id()
