"""What waits to be sent, and when: decided without threads, requests or a clock of its own, so that any course of events can be tried."""

from __future__ import annotations

import email.utils
import re
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ._batches import MAX_BODY, MAX_RECORDS, Batch, Record, Rejection, results_of
from ._clock import Clock
from ._counts import Counts
from ._http import FOREIGN, Answer

#: Bytes of queued records.
MAX_QUEUE_BYTES = 64 * 1024 * 1024
_MAX_AGE = 86_400.0
_UNAUTHENTICATED_WAIT = 30.0
_LONGEST_ASKED = 60.0
_FIRST_BACKOFF, _LONGEST_BACKOFF = 0.5, 30.0
#: Of the last records, that may be taken out again.
_LAST = 1_000
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?")


@dataclass
class News:
    """What an answer or a failure means for the log: troubles by kind, and kinds that are well again."""

    told: list[tuple[str, Exception | str]] = field(default_factory=list)
    well: tuple[str, ...] = ()


class Outbox:
    """Queued records, and the request that is under way or to be sent again. Not safe for threads: its owner has a lock.

    Records leave in the order in which they came, those of a kind together. A request that failed is sent again with the same bytes.
    """

    def __init__(self, max_queue: int, flush_interval: float, clock: Clock) -> None:
        self._max_queue = max_queue
        self._flush_interval = flush_interval
        self._clock = clock
        self._now = clock.now
        self._queues: tuple[deque[Record], ...] = (deque(), deque(), deque(), deque())
        self.counts = Counts()
        #: Records that wait or are under way, and their bytes.
        self.queued = 0
        self._bytes = 0
        #: Bytes of those that are in no request so far.
        self._waiting_bytes = 0
        #: The number of the record that came last.
        self.sequence = 0
        self._batch: Batch | None = None
        #: It is being written or sent: nothing may change it.
        self._is_under_way = False
        #: By kind the number of the last record that was sent: sent again it does not count.
        self._sent_until = [0] * len(self._queues)
        self._failures = 0
        self._not_before = 0.0
        #: The service asked for the wait: a flush does not end it.
        self._was_asked = False
        #: Flushes that wait: nothing waits for a fuller request.
        self.flushes = 0

    # What comes

    def put(self, kind: int, item: Any, size: int) -> bool | None:
        """Queues a record of about so many bytes: whether a request became due by it. None: the queue is full, and the record is dropped."""
        if not self._has_room(size):
            self.drop_old()
            if not self._has_room(size):
                self.counts.dropped["queue_full"] += 1
                return None
        self.sequence += 1
        queue = self._queues[kind]
        queue.append(Record(self.sequence, self._now(), item, size))
        self.queued += 1
        self._bytes += size
        self._waiting_bytes += size
        return self.queued == 1 or len(queue) == MAX_RECORDS[kind] or self._waiting_bytes - size < MAX_BODY <= self._waiting_bytes

    def forget(self, kind: int, is_meant: Callable[[Any], bool]) -> None:
        """Takes a record out of the queue, of those that came last, as if it had not come."""
        queue = self._queues[kind]
        for index in range(len(queue) - 1, max(-1, len(queue) - _LAST), -1):
            if is_meant(queue[index].item):
                record = queue[index]
                del queue[index]
                self._waiting_bytes -= record.size
                self._gone([record])
                return

    def begin_flush(self) -> None:
        """Nothing waits for a fuller request, nor for the end of a pause that the service did not ask for."""
        self.drop_old()
        if not self._was_asked:
            self._not_before = 0.0
        self.flushes += 1

    # What is due

    def delay(self) -> float | None:
        """Seconds until a request is due; None when nothing is queued."""
        if self.queued == 0:
            return None
        due = 0.0
        if self._batch is None and not self.flushes and not self._has_full_batch():
            due = min(queue[0].at for queue in self._queues if queue) + self._flush_interval
        return max(0.0, max(due, self._not_before) - self._now())

    def oldest(self) -> int:
        """The number of the record that waits longest."""
        firsts = [queue[0].sequence for queue in self._queues if queue]
        if self._batch is not None and self._batch.records:
            firsts.append(self._batch.records[0].sequence)
        return min(firsts, default=sys.maxsize)

    def take(self) -> Batch | None:
        """The request to send next. Without a body it is to be written first, and given to :meth:`written`. None: nothing is left."""
        self.drop_old()
        if self._batch is None:
            ready = [index for index, queue in enumerate(self._queues) if queue]
            if not ready:
                return None
            kind = min(ready, key=lambda index: self._queues[index][0].sequence)
            queue = self._queues[kind]
            taken = [queue.popleft() for _ in range(min(len(queue), MAX_RECORDS[kind]))]
            self._waiting_bytes -= sum(record.size for record in taken)
            # While it is being written, what is taken still counts as waiting.
            self._batch = Batch(kind, taken)
        self._is_under_way = True
        return self._batch

    def written(self, batch: Batch, rest: list[Record]) -> bool:
        """A request was written; ``rest`` did not fit. Whether there is anything to send: records that cannot be written are dropped."""
        self._put_back(batch.kind, rest)
        self._batch = batch
        self.counts.dropped["refused"] += batch.broken
        if batch.body:
            return True
        self.sending(batch)
        self._finish(batch)
        return False

    def sending(self, batch: Batch) -> None:
        """A request is about to leave."""
        until = self._sent_until[batch.kind]
        self.counts.sent += sum(record.sequence > until for record in batch.records)
        self._sent_until[batch.kind] = max(until, batch.records[-1].sequence)

    # What the service says

    def answered(self, batch: Batch, answer: Answer) -> News:
        """Acts on an answer."""
        self._is_under_way = False
        status = answer.status
        rejections = results_of(batch.kind, answer) if 200 <= status < 300 or status == 400 else None
        if rejections is not None:
            return self._settled(batch, rejections)
        if status == 413 and len(batch.records) > 1:
            return self._halved(batch)
        if status == 401:
            message = f"Spanwise does not accept the API key: {answer.sentence()} Records are kept and sent again later."
            return self.failed(message, "401", _UNAUTHENTICATED_WAIT)
        if 400 <= status < 500 and status not in (408, 429):
            message = f"Spanwise refused records with status {status}, they are dropped: {answer.sentence()}"
            return self._refused(batch, message)
        if 200 <= status < 300:
            return self.failed(FOREIGN)
        if 300 <= status < 400:
            return self.failed("The address of Spanwise redirects, which is not followed; set SPANWISE_URL to its target.")
        asked = self._asked_wait(answer) if status in (429, 503) else None
        return self.failed(f"Records are sent again later. {answer.sentence()}", asked=asked)

    def failed(self, error: Exception | str, kind: str = "delivery", asked: float | None = None) -> News:
        """There is no good answer: the same request is sent again, after the time that the service asked for, else after a longer one each time."""
        self._is_under_way = False
        self._failures += 1
        self._was_asked = asked is not None
        if asked is None:
            backoff = min(_LONGEST_BACKOFF, _FIRST_BACKOFF * 2.0 ** min(self._failures - 1, 10))
            asked = backoff * (0.5 + self._clock.random() / 2)
        self._not_before = self._now() + asked
        return News([(kind, error)])

    def drop_old(self) -> None:
        """Drops what could not be delivered for a day. The request that failed is one without those records then."""
        before = self._now() - _MAX_AGE
        batch = self._batch
        if batch is not None and not self._is_under_way and batch.records[0].at < before:
            self._batch = None
            old = [record for record in batch.records if record.at < before]
            # What is not known to be stored is not counted as sent.
            until = self._sent_until[batch.kind]
            self.counts.sent -= sum(record.sequence <= until for record in old)
            kept = [record for record in batch.records if record.at >= before]
            # Those that could not be written are found again.
            self.counts.dropped["refused"] -= batch.broken
            self._too_old(old)
            if kept:
                self._batch = Batch(batch.kind, kept)
        for queue in self._queues:
            if queue and queue[0].at < before:
                old = []
                while queue and queue[0].at < before:
                    old.append(queue.popleft())
                self._waiting_bytes -= sum(record.size for record in old)
                self._too_old(old)

    # Inside

    def _has_room(self, size: int) -> bool:
        return self.queued < self._max_queue and self._bytes + size <= MAX_QUEUE_BYTES

    def _has_full_batch(self) -> bool:
        return self._waiting_bytes >= MAX_BODY or any(map(_is_full, self._queues, MAX_RECORDS))

    def _settled(self, batch: Batch, rejections: list[Rejection]) -> News:
        written = len(batch.records) - batch.broken
        lost = 0
        for one in rejections:
            # A line that the request does not have is nobody's.
            if one.line is None or 1 <= one.line <= written:
                count = min(one.count, written - lost)
                lost += count
                self.counts.reject(one.line, one.code, one.error, count)
        self.counts.accepted += written - lost
        self._finish(batch)
        well = ["delivery", "401", "refused"]
        # A queue that is full again and again is one trouble.
        if self.queued <= self._max_queue // 2:
            well.append("queue_full")
        if not lost:
            return News(well=(*well, "rejected"))
        return News([("rejected", f"Spanwise rejected {lost} records: {rejections[0].error}")], tuple(well))

    def _refused(self, batch: Batch, message: str) -> News:
        self.counts.dropped["refused"] += len(batch.records) - batch.broken
        self._finish(batch)
        return News([("refused", message)])

    def _halved(self, batch: Batch) -> News:
        middle = (len(batch.records) + 1) // 2
        self._put_back(batch.kind, batch.records[middle:])
        # Those that could not be written are found, and counted, when it is written anew.
        self.counts.dropped["refused"] -= batch.broken
        self._batch = Batch(batch.kind, batch.records[:middle])
        self._well()
        return News()

    def _put_back(self, kind: int, records: list[Record]) -> None:
        self._queues[kind].extendleft(reversed(records))
        self._waiting_bytes += sum(record.size for record in records)

    def _finish(self, batch: Batch) -> None:
        """A request is over, whatever became of its records."""
        self._batch = None
        self._is_under_way = False
        self._well()
        self._gone(batch.records)

    def _well(self) -> None:
        self._failures = 0
        self._not_before = 0.0
        self._was_asked = False

    def _too_old(self, records: list[Record]) -> None:
        self.counts.dropped["too_old"] += len(records)
        self._gone(records)

    def _gone(self, records: list[Record]) -> None:
        self.queued -= len(records)
        self._bytes -= sum(record.size for record in records)

    def _asked_wait(self, answer: Answer) -> float | None:
        """Seconds that an answer asks to wait by ``Retry-After``, in seconds or as a date; at most 60. None when it asks for none."""
        header = answer.headers.get("retry-after") or ""
        if _SECONDS.fullmatch(header):
            seconds = float(header)
        else:
            try:
                seconds = email.utils.parsedate_to_datetime(header).timestamp() - self._clock.wall()
            except (TypeError, ValueError, OverflowError):
                return None
        return min(_LONGEST_ASKED, seconds) if seconds > 0 else None


def _is_full(queue: deque[Record], limit: int) -> bool:
    return len(queue) >= limit
