"""Time as the delivery uses it. Tests replace it."""

from __future__ import annotations

import random
import threading
import time

#: Locks cannot wait for longer on every platform.
_LONGEST_WAIT = 3_600.0


class Clock:
    """The clock of the machine. Times are seconds."""

    #: Seconds since an unknown moment, which never go back.
    now = staticmethod(time.monotonic)
    #: Seconds since 1970.
    wall = staticmethod(time.time)
    #: A number from 0 to 1.
    random = staticmethod(random.random)

    def wait(self, changed: threading.Condition, seconds: float | None) -> None:
        """Waits until the condition, which the caller holds, is notified, or for so many seconds; perhaps shorter."""
        changed.wait(_LONGEST_WAIT if seconds is None else min(seconds, _LONGEST_WAIT))

    def sleep(self, seconds: float) -> None:
        """Waits for so many seconds."""
        time.sleep(seconds)


system = Clock()
