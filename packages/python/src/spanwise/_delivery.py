"""Sends records: in batches, one request at a time, from a thread of its own, until the service answers for each of them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

from . import _clock
from ._batches import CHANGES, OUTCOMES, SCORES, SPANS, Batch, BatchWriter
from ._counts import Delivery
from ._http import Answer, Http
from ._outbox import News, Outbox
from ._reporter import Reporter
from ._settings import Settings

_PATHS = {SPANS: "/v1/traces", SCORES: "/v1/ingest", OUTCOMES: "/v1/ingest/outcomes"}


class Sender:
    """The outbox of a client, and the thread that empties it."""

    def __init__(self, settings: Settings, reporter: Reporter, resource: Mapping[str, Any]) -> None:
        self._settings = settings
        self._reporter = reporter
        self._clock = _clock.system
        self._http = Http(settings.base_url, settings.api_key, settings.timeout)
        self._http.figures = self.header
        self._resource = resource
        self._writer = BatchWriter(settings.redact, resource)
        self._project: str | None = None
        self._closed = False
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._outbox = Outbox(self._settings.max_queue, self._settings.flush_interval, self._clock)
        self._thread: threading.Thread | None = None

    def after_fork(self) -> None:
        """In a child: nothing is queued, nothing was counted, and there is no thread."""
        self._http.after_fork()
        self._reporter.after_fork()
        # The parent's may have been forked in the midst of a request.
        self._writer = BatchWriter(self._settings.redact, self._resource)
        self._reset()

    def put(self, kind: int, item: Any, size: int) -> None:
        """Queues a record of about so many bytes. At the limits it is dropped, and counted."""
        with self._lock:
            if self._closed:
                return
            outbox = self._outbox
            is_due = outbox.put(kind, item, size)
            full = outbox.queued
            if is_due:
                self._changed.notify_all()
        if is_due is None:
            self._reporter.tell("queue_full", f"The queue is full with {full} records: further ones are dropped.")
        elif self._thread is None:
            self._start()

    def header(self) -> str:
        """The figures as a header."""
        with self._lock:
            return self._outbox.counts.header(self._outbox.queued)

    def forget(self, kind: int, is_meant: Callable[[Any], bool]) -> None:
        """Takes a record out of the queue, of those that came last, as if it had not come."""
        with self._lock:
            self._outbox.forget(kind, is_meant)
            self._changed.notify_all()

    def report(self) -> Delivery:
        """The figures now."""
        with self._lock:
            return self._outbox.counts.report(self._outbox.queued, self._reporter.last_error)

    def flush(self, timeout: float) -> bool:
        """Waits until all that is queued now is sent, at most ``timeout`` seconds. Whether it is."""
        until = self._clock.now() + timeout
        with self._lock:
            outbox = self._outbox
            target = outbox.sequence
            if outbox.oldest() > target:
                return True
            outbox.begin_flush()
            self._changed.notify_all()
        if not self._is_running():
            self._start()
        try:
            return self._wait_for(target, until)
        finally:
            with self._lock:
                outbox.flushes -= 1

    def _wait_for(self, target: int, until: float) -> bool:
        while True:
            with self._lock:
                if self._outbox.oldest() > target:
                    return True
                left = until - self._clock.now()
                if left <= 0:
                    return False
                # Threads cannot be started at the end of a process.
                if self._is_running():
                    self._clock.wait(self._changed, left)
                    continue
                delay = self._outbox.delay() or 0.0
            if delay > 0:
                self._clock.sleep(min(delay, left))
            else:
                self._step(min(self._settings.timeout, left))

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
                while (delay := self._outbox.delay()) is None or delay > 0:
                    if self._closed and (self._outbox.queued == 0 or not self._outbox.flushes):
                        self._http.close()
                        return
                    self._clock.wait(self._changed, delay)
            self._step(self._settings.timeout)

    def _step(self, timeout: float) -> None:
        """Sends one request."""
        try:
            batch = self._next_batch()
            news = News() if batch is None else self._send(batch, timeout)
        except Exception as error:
            # A mistake of this package must not end the thread.
            with self._lock:
                news = self._outbox.failed(error)
        with self._lock:
            self._changed.notify_all()
        self._reporter.well(*news.well)
        for kind, trouble in news.told:
            self._reporter.tell(kind, trouble)

    def _next_batch(self) -> Batch | None:
        with self._lock:
            taken = self._outbox.take()
        if taken is None or taken.body:
            return taken
        batch, rest = self._writer.write(taken.kind, taken.records)
        with self._lock:
            return batch if self._outbox.written(batch, rest) else None

    def _send(self, batch: Batch, timeout: float) -> News:
        try:
            path = _PATHS.get(batch.kind) or self._changes_path(timeout)
            if isinstance(path, Answer):
                # The look-up of the project failed.
                answer = path if path.status >= 300 else Answer(200, {}, b"")
            else:
                with self._lock:
                    self._outbox.sending(batch)
                answer = self._http.request("POST", path, content=batch.body, headers=batch.headers, timeout=timeout)
        except Exception as error:
            with self._lock:
                return self._outbox.failed(f"Spanwise cannot be reached at {self._settings.base_url}: {error!r}")
        with self._lock:
            return self._outbox.answered(batch, answer)

    def _changes_path(self, timeout: float) -> str | Answer:
        if self._project is None:
            answer = self._http.send_json("GET", "/v1/sdk/whoami", timeout=timeout)
            body = answer.json()
            if answer.status != 200 or not isinstance(body, dict) or not isinstance(body.get("projectId"), str):
                return answer
            self._project = body["projectId"]
        return f"/v1/projects/{self._project}/changes"


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
