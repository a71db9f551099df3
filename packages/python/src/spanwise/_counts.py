"""What became of the records that a client was given."""

from __future__ import annotations

import secrets
from collections import deque
from dataclasses import dataclass
from typing import Any

from ._version import __version__

DROPS: tuple[str, ...] = ("queue_full", "too_old", "refused")


@dataclass(frozen=True)
class Delivery:
    """What became of the spans, scores, outcomes and changes that a client was given. Each counts once, however often it is sent."""

    #: Sent to the service at least once.
    sent: int
    #: Stored by the service.
    accepted: int
    #: The last 100 that the service rejected: ``line`` of the request (None for spans), ``code``, ``error``, ``count``.
    rejected: list[dict[str, Any]]
    #: ``queue_full``, ``too_old`` (not delivered within 24 hours), ``refused`` (by the service, for good).
    dropped: dict[str, int]
    #: Waiting to be sent, or sent without an answer so far.
    queued: int
    #: The last thing that went wrong, of whatever kind.
    last_error: str | None


class Counts:
    """Counters of a client since its start, guarded by the lock of the delivery."""

    def __init__(self) -> None:
        self.sent = 0
        self.accepted = 0
        self.rejected = 0
        self.dropped = dict.fromkeys(DROPS, 0)
        self._lines: deque[dict[str, Any]] = deque(maxlen=100)
        self._id = secrets.token_hex(8)

    def reject(self, line: int | None, code: str, error: str, count: int) -> None:
        """Counts records that the service rejected."""
        self.rejected += count
        self._lines.append({"line": line, "code": code, "error": error[:500], "count": count})

    def report(self, queued: int, last_error: str | None) -> Delivery:
        """The figures now."""
        rejected = [dict(line) for line in self._lines]
        return Delivery(self.sent, self.accepted, rejected, dict(self.dropped), queued, last_error)

    def header(self, queued: int) -> str:
        """The header ``x-spanwise-client``, which shows the service what its clients could not deliver."""
        drops = "; ".join(f"{name}={self.dropped[name]}" for name in DROPS)
        return (
            f"sdk-python/{__version__}; sent={self.sent}; accepted={self.accepted}; rejected={self.rejected}; "
            f"{drops}; queued={queued}; id={self._id}"
        )
