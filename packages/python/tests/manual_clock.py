"""A clock that a test moves, for a client whose thread waits by it."""

from __future__ import annotations

import threading

from spanwise._clock import Clock

_LONGEST = 60.0


class ManualClock(Clock):
    """Seconds pass only in :meth:`advance`, from one moment at which the thread that sends has something to do to the next."""

    def __init__(self) -> None:
        self._at = 1_000.0
        self._state = threading.Condition()
        #: What the thread waits for, and until when; None while it runs.
        self._waiting: tuple[threading.Condition, float] | None = None
        self.now = lambda: self._at
        self.random = lambda: 1.0

    def wait(self, changed: threading.Condition, seconds: float | None) -> None:
        with self._state:
            self._waiting = (changed, float("inf") if seconds is None else self._at + seconds)
            self._state.notify_all()
        changed.wait(_LONGEST)
        with self._state:
            self._waiting = None

    def advance(self, seconds: float) -> None:
        """Lets so many seconds pass. What the thread does in them is done afterwards."""
        until = self._at + seconds
        self._wake()
        while (due := self._until_it_waits()) <= until:
            self._at = max(self._at, due)
            self._wake()
        self._at = until

    def _until_it_waits(self) -> float:
        with self._state:
            assert self._state.wait_for(lambda: self._waiting is not None, _LONGEST), "the thread does not wait"
            assert self._waiting is not None
            return self._waiting[1]

    def _wake(self) -> None:
        self._until_it_waits()
        with self._state:
            assert self._waiting is not None
            changed, self._waiting = self._waiting[0], None
        with changed:
            changed.notify_all()
