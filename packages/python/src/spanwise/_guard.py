"""The guardrails of the project: checks of texts, and of texts that arrive in pieces."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from ._convert import utf8
from ._errors import SpanwiseError
from ._http import Http
from ._records import without_none
from ._reporter import Reporter
from ._settings import OnUnavailable, Settings
from ._verdict import Verdict, verdict_of

if TYPE_CHECKING:
    from ._core import Core

Stage = Literal["input", "output"]
#: Bytes of a text that is checked.
MAX_TEXT = 256 * 1024


class Guard:
    """Checks texts by ``POST /v1/guardrails/check``."""

    def __init__(self, sw: Core, http: Http, settings: Settings, reporter: Reporter) -> None:
        self._sw = sw
        self._http = http
        self._settings = settings
        self._reporter = reporter

    def check(
        self,
        text: str,
        *,
        stage: Stage = "input",
        environment: str | None = None,
        guardrails: Sequence[str] | None = None,
        trace_id: str | None = None,
        on_unavailable: OnUnavailable | None = None,
    ) -> Verdict:
        """Checks a text.

        Raises :class:`SpanwiseError` for a request that the service refuses, such as one that names an unknown guardrail; a service that is away is
        no error: ``unavailable`` is True, and ``action`` what ``on_unavailable`` says (default: the client's).
        """
        return self._check(text, self._options(stage, environment, guardrails, trace_id), on_unavailable)

    async def acheck(
        self,
        text: str,
        *,
        stage: Stage = "input",
        environment: str | None = None,
        guardrails: Sequence[str] | None = None,
        trace_id: str | None = None,
        on_unavailable: OnUnavailable | None = None,
    ) -> Verdict:
        """The same beside an event loop."""
        options = self._options(stage, environment, guardrails, trace_id)
        return await self._sw._in_thread(self._check, text, options, on_unavailable)

    @overload
    def stream(
        self,
        source: AsyncIterable[str],
        *,
        stage: Stage = ...,
        environment: str | None = ...,
        guardrails: Sequence[str] | None = ...,
        on_unavailable: OnUnavailable | None = ...,
    ) -> AsyncIterator[str]: ...
    @overload
    def stream(
        self,
        source: Iterable[str],
        *,
        stage: Stage = ...,
        environment: str | None = ...,
        guardrails: Sequence[str] | None = ...,
        on_unavailable: OnUnavailable | None = ...,
    ) -> Iterator[str]: ...
    def stream(
        self,
        source: Any,
        *,
        stage: Stage = "output",
        environment: str | None = None,
        guardrails: Sequence[str] | None = None,
        on_unavailable: OnUnavailable | None = None,
    ) -> Any:
        """A text that arrives in pieces, as far as nothing that follows can change it, redacted.

        The pieces joined are the text of one check, however it is cut. Ends with :class:`GuardrailBlocked`, and closes the source, when the text
        is blocked. An iterator for an iterable, an asynchronous one for an asynchronous one.
        """
        from ._guard_stream import checked_apart, checked_beside

        options = self._options(stage, environment, guardrails, None)
        run: Callable[..., Verdict] = self._check
        otherwise = on_unavailable or self._settings.on_unavailable
        if isinstance(source, AsyncIterable):
            return checked_beside(source, options, run, otherwise, self._sw._in_thread)
        return checked_apart([source] if isinstance(source, str) else source, options, run, otherwise)

    def _options(
        self, stage: str, environment: str | None, guardrails: Sequence[str] | None, trace_id: str | None
    ) -> dict[str, Any]:
        active = self._sw._active_trace_id()
        trace = trace_id or active
        parent = format(self._sw._active().span_id, "016x") if trace is not None and trace == active else None
        slugs = [guardrails] if isinstance(guardrails, str) else guardrails
        return without_none(
            {
                "stage": stage,
                "environment": environment or self._settings.environment,
                "guardrails": None if slugs is None else list(slugs),
                "traceId": trace,
                "parentSpanId": parent,
            }
        )

    def _check(self, text: str, options: dict[str, Any], on_unavailable: OnUnavailable | None = None, **more: Any) -> Verdict:
        if not isinstance(text, str):
            raise SpanwiseError("guard takes a text.", status=400, code="invalid_request")
        if len(utf8(text)) > MAX_TEXT:
            raise SpanwiseError(
                "The text is longer than 256 KiB of UTF-8; check it in parts.", status=413, code="payload_too_large"
            )
        try:
            if not self._sw._is_recording():
                raise ConnectionError(self._settings.problem or "the client is shut down")
            answer = self._http.send_json("POST", "/v1/guardrails/check", {"text": text, **options, **more})
            if answer.status in (400, 413):
                body = answer.json()
                code = body.get("code") if isinstance(body, dict) else None
                raise SpanwiseError(answer.sentence(), status=answer.status, code=code)
            body = answer.json() if answer.status == 200 else None
            verdict = verdict_of(text, body) if isinstance(body, dict) else None
            if verdict is None:
                raise ConnectionError(answer.sentence())
        except SpanwiseError:
            raise
        except Exception as error:
            self._reporter.tell("guard", f"A text could not be checked: {error!r}")
            return Verdict(on_unavailable or self._settings.on_unavailable, text, safe_until=len(text), unavailable=True)
        self._reporter.well("guard")
        return verdict
