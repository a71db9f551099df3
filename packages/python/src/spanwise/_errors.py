"""The errors of the SDK that an application may see."""

from __future__ import annotations


class SpanwiseError(Exception):
    """What the service refuses, or cannot do now.

    ``status`` is the HTTP status of its answer (None when there was none), ``code`` its error code.
    """

    def __init__(self, message: str, *, status: int | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
