"""Tells what goes wrong: once a kind, until things were well again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

logger = logging.getLogger("spanwise")


class Reporter:
    """Tells the log and ``on_error`` of troubles. Nothing of it raises."""

    def __init__(self, on_error: object, secret: str) -> None:
        self._on_error: Callable[[Exception], object] | None = on_error if callable(on_error) else None
        self._secret = secret
        self._told: set[str] = set()
        self._lock = threading.Lock()
        self.last_error: str | None = None

    def after_fork(self) -> None:
        """In a child process nothing was told so far."""
        self._lock = threading.Lock()
        self._told = set()
        self.last_error = None

    def tell(self, kind: str, error: Exception | str) -> None:
        """Tells of a trouble of a kind, unless it was told since things were well."""
        try:
            self._tell(kind, error)
        except Exception:
            pass

    def _tell(self, kind: str, error: Exception | str) -> None:
        try:
            message = str(error) if isinstance(error, str) else f"{type(error).__name__}: {error}"
        except Exception:
            message = type(error).__name__
        if self._secret:
            message = message.replace(self._secret, "[key]")
        self.last_error = message
        with self._lock:
            if kind in self._told:
                return
            self._told.add(kind)
        logger.warning("%s", message)
        if self._on_error is not None:
            shown = error if isinstance(error, Exception) and self._secret not in str(error) else Exception(message)
            self._on_error(shown)

    def well(self, *kinds: str) -> None:
        """Things of these kinds are well: the next trouble is told again."""
        if self._told:
            with self._lock:
                self._told.difference_update(kinds)
