"""Sends records: in batches, one request at a time, from a thread of its own, until the service answers for each of them."""

from __future__ import annotations

import email.utils
import random
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from ._batches import CHANGES, MAX_RECORDS, OUTCOMES, SCORES, SPANS, Batch, BatchWriter, Record, results_of
from ._counts import Counts, Delivery
from ._http import FOREIGN, Answer, Http
from ._reporter import Reporter
from ._settings import Settings

#: Bytes of queued records.
MAX_QUEUE_BYTES = 64 * 1024 * 1024
_MAX_AGE = 86_400.0
_UNAUTHENTICATED_WAIT = 30.0
_LONGEST_ASKED = 60.0
_LAST = 1_000
_PATHS = {SPANS: "/v1/traces", SCORES: "/v1/ingest", OUTCOMES: "/v1/ingest/outcomes"}
_now = time.monotonic


class Sender:
    """The queue of a client, and the thread that empties it."""

    def __init__(self, settings: Settings, reporter: Reporter, resource: Mapping[str, Any]) -> None:
        self._settings = settings
        self._reporter = reporter
        self._http = Http(settings.base_url, settings.api_key, settings.timeout)
        self._http.figures = self.header
        self._writer = BatchWriter(settings.redact, resource)
        self._project: str | None = None
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._queues: tuple[deque[Record], ...] = (deque(), deque(), deque(), deque())
        self._queued = 0
        self._bytes = 0
        self._sequence = 0
        self._counts = Counts()
        self._batch: Batch | None = None
        self._was_tried = False
        self._failures = 0
        self._not_before = 0.0
        #: The service asked for the wait: a flush does not end it.
        self._was_asked = False
        self._flushes = 0
        self._closed = False
        self._thread: threading.Thread | None = None

    def after_fork(self) -> None:
        """In a child: nothing is queued, nothing was counted, and there is no thread."""
        closed = self._closed
        self._http.after_fork()
        self._reporter.after_fork()
        self._reset()
        self._closed = closed

    def put(self, kind: int, item: Any, size: int) -> None:
        """Queues a record. At the limits it is dropped, and counted."""
        with self._lock:
            if self._closed:
                return
            if self._queued >= self._settings.max_queue or self._bytes + size > MAX_QUEUE_BYTES:
                self._counts.dropped["queue_full"] += 1
                full = self._queued
            else:
                full = -1
                self._sequence += 1
                self._queues[kind].append(Record(self._sequence, _now(), item, size))
                self._queued += 1
                self._bytes += size
                if self._queued == 1 or len(self._queues[kind]) == MAX_RECORDS[kind]:
                    self._changed.notify_all()
        if full >= 0:
            self._reporter.tell("queue_full", f"The queue is full with {full} records: further ones are dropped.")
        elif self._thread is None:
            self._start()

    def header(self) -> str:
        """The figures as a header."""
        with self._lock:
            return self._counts.header(self._queued)

    def forget(self, kind: int, is_meant: Callable[[Any], bool]) -> None:
        """Takes a record out of the queue, of those that came last, as if it had not come."""
        with self._lock:
            queue = self._queues[kind]
            for index in range(len(queue) - 1, max(-1, len(queue) - _LAST), -1):
                if is_meant(queue[index].item):
                    record = queue[index]
                    del queue[index]
                    self._gone([record])
                    return

    def refuse(self, message: str) -> None:
        """Counts a record that cannot be sent."""
        with self._lock:
            self._counts.sent += 1
            self._counts.dropped["refused"] += 1
        self._reporter.tell("refused", message)

    def report(self) -> Delivery:
        """The figures now."""
        with self._lock:
            return self._counts.report(self._queued, self._reporter.last_error)

    def flush(self, timeout: float) -> bool:
        """Waits until all that is queued now is sent, at most ``timeout`` seconds. Whether it is."""
        until = _now() + timeout
        with self._lock:
            target = self._sequence
            if self._oldest() > target:
                return True
            if not self._was_asked:
                self._not_before = 0.0
            self._flushes += 1
            self._changed.notify_all()
        if not self._is_running():
            self._start()
        try:
            while True:
                with self._lock:
                    if self._oldest() > target:
                        return True
                    left = until - _now()
                    if left <= 0:
                        return False
                    # Threads cannot be started at the end of a process.
                    inline = not self._is_running()
                    if not inline:
                        self._changed.wait(left)
                        continue
                    delay = self._delay() or 0.0
                if delay > 0:
                    time.sleep(min(delay, left))
                else:
                    self._step(min(self._settings.timeout, left))
        finally:
            with self._lock:
                self._flushes -= 1

    def close(self, timeout: float) -> bool:
        """Flushes, and takes nothing more."""
        done = self.flush(timeout)
        with self._lock:
            self._closed = True
            self._changed.notify_all()
        return done

    def _is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _start(self) -> None:
        with self._lock:
            if self._is_running() or self._closed:
                return
            thread = threading.Thread(target=self._run, name="spanwise-sender", daemon=True)
            self._thread = thread
        try:
            thread.start()
        except RuntimeError as error:
            self._thread = None
            self._reporter.tell("thread", error)
        _at_end_of_child(self)

    def _run(self) -> None:
        while True:
            with self._lock:
                while (delay := self._delay()) is None or delay > 0:
                    if self._closed and (self._queued == 0 or not self._flushes):
                        self._http.close()
                        return
                    self._changed.wait(delay)
            self._step(self._settings.timeout)

    def _delay(self) -> float | None:
        """Seconds until a request is due; None when nothing is queued. Under the lock."""
        if self._queued == 0:
            return None
        now = _now()
        due = 0.0
        if self._batch is None and not self._flushes and not any(map(_is_full, self._queues, MAX_RECORDS)):
            due = min(queue[0].at for queue in self._queues if queue) + self._settings.flush_interval
        return max(0.0, max(due, self._not_before) - now)

    def _oldest(self) -> int:
        """The sequence of the record that waits longest. Under the lock."""
        firsts = [queue[0].sequence for queue in self._queues if queue]
        if self._batch is not None and self._batch.records:
            firsts.append(self._batch.records[0].sequence)
        return min(firsts, default=sys.maxsize)

    def _step(self, timeout: float) -> None:
        """Sends one request."""
        try:
            batch = self._batch if self._batch is not None and self._batch.body else self._next_batch()
            if batch is not None:
                self._try(batch, timeout)
        except Exception as error:
            # A mistake of this package must not end the thread.
            self._retry_later(error, None)

    def _next_batch(self) -> Batch | None:
        with self._lock:
            if self._batch is None:
                self._drop_old()
                ready = [index for index, queue in enumerate(self._queues) if queue]
                if not ready:
                    self._changed.notify_all()
                    return None
                kind = min(ready, key=lambda index: self._queues[index][0].sequence)
                queue = self._queues[kind]
                taken = [queue.popleft() for _ in range(min(len(queue), MAX_RECORDS[kind]))]
                # While it is being written, what is taken still counts as waiting.
                self._batch = Batch(kind, taken, b"", {})
            kind, records = self._batch.kind, self._batch.records
        batch, rest = self._writer.write(kind, records)
        with self._lock:
            self._queues[kind].extendleft(reversed(rest))
            self._batch = batch
            self._was_tried = False
            self._counts.dropped["refused"] += batch.broken
            if not batch.body:
                self._counts.sent += len(batch.records)
                self._finish(batch)
                return None
        return batch

    def _try(self, batch: Batch, timeout: float) -> None:
        try:
            path = _PATHS.get(batch.kind) or self._changes_path(timeout)
            if isinstance(path, Answer):
                answer = path
            else:
                with self._lock:
                    if not self._was_tried:
                        self._counts.sent += len(batch.records)
                        self._was_tried = True
                answer = self._http.request("POST", path, content=batch.body, headers=batch.headers, timeout=timeout)
        except Exception as error:
            self._retry_later(f"Spanwise cannot be reached at {self._settings.base_url}: {error!r}", None)
            return
        self._answered(batch, answer)

    def _changes_path(self, timeout: float) -> str | Answer:
        if self._project is None:
            answer = self._http.send_json("GET", "/v1/sdk/whoami", timeout=timeout)
            body = answer.json()
            if answer.status != 200 or not isinstance(body, dict) or not isinstance(body.get("projectId"), str):
                return answer
            self._project = body["projectId"]
        return f"/v1/projects/{self._project}/changes"

    def _answered(self, batch: Batch, answer: Answer) -> None:
        status = answer.status
        rejections = results_of(batch.kind, answer) if 200 <= status < 300 or status == 400 else None
        if rejections is not None:
            with self._lock:
                lost = min(sum(one.count for one in rejections), len(batch.records) - batch.broken)
                for one in rejections:
                    self._counts.reject(one.line, one.code, one.error, one.count)
                self._counts.accepted += len(batch.records) - batch.broken - lost
                self._finish(batch)
            self._reporter.well("delivery", "queue_full", "401", "refused")
            if rejections:
                self._reporter.tell("rejected", f"Spanwise rejected {lost} records: {rejections[0].error}")
            else:
                self._reporter.well("rejected")
        elif status == 413 and len(batch.records) > 1:
            self._halve(batch)
        elif status == 401:
            message = f"Spanwise does not accept the API key: {answer.sentence()} Records are kept and sent again later."
            self._retry_later(message, _UNAUTHENTICATED_WAIT, "401")
        elif 400 <= status < 500 and status not in (408, 429):
            self._refused(batch, f"Spanwise refused records with status {status}, they are dropped: {answer.sentence()}")
        elif 200 <= status < 300:
            self._retry_later(FOREIGN, None)
        elif 300 <= status < 400:
            self._retry_later("The address of Spanwise redirects, which is not followed; set SPANWISE_URL to its target.", None)
        else:
            message = f"Records are sent again later. {answer.sentence()}"
            self._retry_later(message, _asked_wait(answer) if status in (429, 503) else None)

    def _refused(self, batch: Batch, message: str) -> None:
        with self._lock:
            self._counts.dropped["refused"] += len(batch.records) - batch.broken
            self._finish(batch)
        self._reporter.tell("refused", message)

    def _halve(self, batch: Batch) -> None:
        middle = (len(batch.records) + 1) // 2
        first, rest = self._writer.write(batch.kind, batch.records[:middle])
        second = [*rest, *batch.records[middle:]]
        with self._lock:
            # They are counted when they are sent again.
            self._counts.sent -= len(second)
            first.broken = 0
            self._queues[batch.kind].extendleft(reversed(second))
            self._batch = first

    def _retry_later(self, error: Exception | str, asked: float | None, kind: str = "delivery") -> None:
        with self._lock:
            self._failures += 1
            self._was_asked = asked is not None
            backoff = min(30.0, 0.5 * 2.0 ** min(self._failures - 1, 10)) * (0.5 + random.random() / 2)
            self._not_before = _now() + (backoff if asked is None else asked)
        self._reporter.tell(kind, error)

    def _finish(self, batch: Batch) -> None:
        """The batch is over, whatever became of its records. Under the lock."""
        self._batch = None
        self._failures = 0
        self._not_before = 0.0
        self._was_asked = False
        self._gone(batch.records)

    def _gone(self, records: list[Record]) -> None:
        self._queued -= len(records)
        self._bytes -= sum(record.size for record in records)
        self._changed.notify_all()

    def _drop_old(self) -> None:
        before = _now() - _MAX_AGE
        for queue in self._queues:
            old: list[Record] = []
            while queue and queue[0].at < before:
                old.append(queue.popleft())
            if old:
                self._counts.dropped["too_old"] += len(old)
                self._gone(old)


def _is_full(queue: deque[Record], limit: int) -> bool:
    return len(queue) >= limit


def _asked_wait(answer: Answer) -> float | None:
    """Seconds that an answer asks to wait by ``Retry-After``, at most 60."""
    header = answer.headers.get("retry-after")
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return min(_LONGEST_ASKED, max(0.0, seconds)) if seconds == seconds else None


def _at_end_of_child(sender: Sender) -> None:
    """A child of ``multiprocessing`` ends without the functions of ``atexit``."""
    process = sys.modules.get("multiprocessing.process")
    util = sys.modules.get("multiprocessing.util")
    if process is None or util is None:
        return
    try:
        if process.parent_process() is not None:
            util.Finalize(None, sender.flush, args=(5.0,), exitpriority=10)
    except Exception:
        pass


__all__ = ["CHANGES", "OUTCOMES", "SCORES", "SPANS", "Delivery", "Sender"]
