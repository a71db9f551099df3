"""Guarded streams: one check at a time of the text so far, and the pieces that came meanwhile go together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import Any

from ._convert import utf8
from ._errors import SpanwiseError
from ._guard import MAX_TEXT
from ._redaction import released
from ._settings import OnUnavailable
from ._verdict import GuardrailBlocked, Verdict

#: Seconds that a piece waits for its check before the next one is asked of the source.
_PATIENCE = 0.1
#: A source that takes longer makes its pieces one by one.
_AT_ONCE = 0.001
_PARTIAL = {"final": False, "count": False}


class _Text:
    """The text so far, and what of it was released."""

    def __init__(self, options: dict[str, Any], run: Callable[..., Verdict], otherwise: OnUnavailable) -> None:
        self._options = options
        self._run = run
        self._otherwise: OnUnavailable = otherwise
        self._text = ""
        self._bytes = 0
        #: Characters released, of the text as it is released and as it came.
        self._released = 0
        self._source_at = 0
        self._checked = 0
        #: Nothing is checked any more: what comes passes.
        self._passes = False
        #: The matches do not say what is decided: the check of the whole does.
        self._waits = False
        self._overflow = ""
        self.is_full = False

    def add(self, piece: Any) -> str:
        """Takes a piece. What passes unchecked."""
        if not isinstance(piece, str):
            raise SpanwiseError("guard.stream takes pieces of text.", status=400, code="invalid_request")
        if self._passes:
            return piece
        if self.is_full:
            self._overflow += piece
            return ""
        data = utf8(piece)
        room = MAX_TEXT - self._bytes
        if len(data) > room:
            self.is_full = True
            kept = len(data[:room].decode("utf-8", "ignore"))
            piece, self._overflow = piece[:kept], piece[kept:]
        self._text += piece
        self._bytes += len(data)
        return ""

    @property
    def is_due(self) -> bool:
        """Whether there is something new to check."""
        return not self._passes and not self._waits and not self.is_full and self._checked < len(self._text)

    def check(self) -> Verdict:
        """Checks the text so far, which may go on. In whichever thread."""
        text = self._text
        self._checked = len(text)
        apart = {name: value for name, value in self._options.items() if name not in ("traceId", "parentSpanId")}
        return self._run(text, apart, self._otherwise, **_PARTIAL)

    def after(self, verdict: Verdict) -> str:
        """What is released after such a check. Raises :class:`GuardrailBlocked`."""
        text = self._text[: self._checked]
        if verdict.unavailable:
            return self._unchecked(verdict)
        # A match at the end may still go: it is held back, and blocks when it is decided.
        if any(_blocks(result, verdict.safe_until) for result in verdict.results):
            raise GuardrailBlocked(verdict)
        decided = released(text, verdict)
        if decided is None or any(result.action == "block" and result.failed for result in verdict.results):
            self._waits = True
            return ""
        self._source_at = max(self._source_at, decided[1])
        return self._release(decided[0])

    def check_whole(self) -> Verdict | None:
        """Checks the whole; None where there is nothing more to check."""
        return None if self._passes else self._run(self._text, self._options, self._otherwise)

    def after_whole(self, verdict: Verdict | None) -> str:
        """The rest. Raises :class:`GuardrailBlocked`."""
        if verdict is None:
            return ""
        if verdict.blocked:
            raise GuardrailBlocked(verdict)
        return self._unchecked(verdict) if verdict.unavailable else self._release(verdict.text)

    def overflow(self) -> str:
        """What came beyond the largest text that is checked. Raises :class:`GuardrailBlocked` where nothing may pass unchecked."""
        if not self.is_full:
            return ""
        if self._otherwise == "block":
            raise GuardrailBlocked(Verdict("block", self._text + self._overflow, unavailable=True))
        self._passes = True
        return self._overflow

    def _unchecked(self, verdict: Verdict) -> str:
        if verdict.blocked:
            raise GuardrailBlocked(verdict)
        self._passes = True
        return self._text[self._source_at :]

    def _release(self, decided: str) -> str:
        piece = decided[self._released :]
        self._released = max(self._released, len(decided))
        return piece


def _blocks(result: Any, safe_until: int) -> bool:
    return result.action == "block" and result.triggered and any(match.start < safe_until for match in result.matches)


def checked_apart(
    source: Iterable[str], options: dict[str, Any], run: Callable[..., Verdict], otherwise: OnUnavailable
) -> Iterator[str]:
    """The pieces of an iterable. The source runs in the consumer's thread, the check beside it."""
    text = _Text(options, run, otherwise)
    pieces = iter(source)
    pending: Future[Verdict] | None = None
    # The first piece does not wait for the second.
    is_slow = is_first = True
    is_open = True
    try:
        while is_open and not text.is_full:
            if pending is not None:
                # While a source makes pieces at once they are gathered; one that is slow has its piece released before the next.
                if is_slow:
                    _wait(pending, _PATIENCE)
                if pending.done():
                    piece = text.after(pending.result())
                    pending = None
                    if piece:
                        yield piece
            elif text.is_due:
                pending = _beside(text.check)
                is_slow, is_first = is_slow or is_first, False
                continue
            began = time.perf_counter()
            try:
                given = next(pieces)
            except StopIteration:
                is_open = False
                break
            is_slow = is_first or time.perf_counter() - began >= _AT_ONCE
            passed = text.add(given)
            if passed:
                yield passed
        if pending is not None:
            piece = text.after(pending.result())
            if piece:
                yield piece
        for rest in (text.after_whole(text.check_whole()), text.overflow()):
            if rest:
                yield rest
        if is_open:
            yield from pieces
            is_open = False
    finally:
        for one in (pieces, source) if is_open else (pieces,):
            close = getattr(one, "close", None)
            if close is not None:
                with suppress(Exception):
                    close()


def _wait(pending: Future[Verdict], seconds: float) -> None:
    with suppress(Exception):
        pending.exception(seconds)


def _beside(call: Callable[[], Verdict]) -> Future[Verdict]:
    """Runs a check in a thread of its own."""
    future: Future[Verdict] = Future()
    run = copy_context().run

    def work() -> None:
        try:
            future.set_result(run(call))
        except BaseException as error:
            future.set_exception(error)

    Thread(target=work, name="spanwise-guard", daemon=True).start()
    return future


_END = object()


async def checked_beside(
    source: AsyncIterable[str],
    options: dict[str, Any],
    run: Callable[..., Verdict],
    otherwise: OnUnavailable,
    in_thread: Callable[..., Any],
) -> AsyncIterator[str]:
    """The pieces of an asynchronous iterable, which is read in a task of its own."""
    text = _Text(options, run, otherwise)
    queue: asyncio.Queue[Any] = asyncio.Queue()
    reader = asyncio.ensure_future(_read(source, queue))
    pending: asyncio.Future[Verdict] | None = None
    next_piece: asyncio.Future[Any] | None = None
    try:
        is_open = True
        while (is_open and not text.is_full) or pending is not None:
            if pending is None and text.is_due:
                pending = asyncio.ensure_future(in_thread(text.check))
            if next_piece is None and is_open and not text.is_full:
                next_piece = asyncio.ensure_future(queue.get())
            waiting = [one for one in (pending, next_piece) if one is not None]
            if not waiting:
                break
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if pending is not None and pending.done():
                piece = text.after(pending.result())
                pending = None
                if piece:
                    yield piece
            if next_piece is not None and next_piece.done():
                given = [next_piece.result()]
                next_piece = None
                while not queue.empty():
                    given.append(queue.get_nowait())
                for one in given:
                    if one is _END:
                        is_open = False
                        await reader
                    else:
                        passed = text.add(one)
                        if passed:
                            yield passed
        for rest in (text.after_whole(await in_thread(text.check_whole)), text.overflow()):
            if rest:
                yield rest
        while is_open:
            one = await queue.get()
            if one is _END:
                is_open = False
                await reader
            else:
                yield one
    finally:
        for task in (next_piece, pending, reader):
            if task is not None and not task.done():
                task.cancel()
        with suppress(Exception):
            await asyncio.gather(reader, return_exceptions=True)
        if pending is not None and pending.done() and not pending.cancelled():
            pending.exception()


async def _read(source: AsyncIterable[str], queue: asyncio.Queue[Any]) -> None:
    """Reads a source to its end, and closes it, in one task."""
    pieces = source.__aiter__()
    try:
        async for piece in pieces:
            queue.put_nowait(piece)
    finally:
        queue.put_nowait(_END)
        close = getattr(pieces, "aclose", None)
        if close is not None:
            with suppress(Exception):
                await close()
