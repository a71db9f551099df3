"""Prompts of the project: with a copy that is refreshed in the background, and kept while the service is away."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any
from urllib.parse import urlencode

from ._convert import to_json
from ._errors import SpanwiseError
from ._http import FOREIGN, Answer, Http

#: Literal braces, or a form in double braces; as the service's and the TypeScript SDK's.
_BRACES = re.compile(r"\\\{\{|(?<![{$])\{\{[\s\ufeff]{0,20}([^\s\ufeff{}>][^{}\n]{0,99}?)[\s\ufeff]{0,20}\}\}")
_NAME = re.compile(r"(?!(?:else|this)\Z)\w[\w.\-]*\Z")
_MAX_VALUE = 4_000_000
_MAX_COPIES = 1_000
_PAUSE = 5.0


def compile_text(text: str, variables: Mapping[str, Any], missing: dict[str, None]) -> str:
    """A text with its variables replaced, and ``\\{{`` as ``{{``. What is put in is not searched for variables again.

    ``missing`` gets the names without a value. Forms of other template languages are left as they are.
    """

    def replaced(found: re.Match[str]) -> str:
        name = found.group(1)
        if name is None:
            return "{{"
        if name not in variables:
            if _NAME.match(name):
                missing[name] = None
            return found.group(0)
        value = variables[name]
        return value if isinstance(value, str) else to_json(value, _MAX_VALUE)

    return _BRACES.sub(replaced, text)


#: The prompt that was compiled last in this task or thread, with its variables.
_compiled: ContextVar[tuple[Prompt, Mapping[str, Any]] | None] = ContextVar("spanwise_compiled", default=None)


class Prompt:
    """A version of a prompt."""

    def __init__(
        self,
        name: str,
        version: int | None,
        prompt: str | list[dict[str, Any]],
        config: dict[str, Any],
        labels: list[str],
        is_fallback: bool,
    ) -> None:
        self.name = name
        #: None of a fallback.
        self.version = version
        self.type = "text" if isinstance(prompt, str) else "chat"
        #: A text, or messages; references to other prompts are replaced.
        self.prompt = prompt
        self.config = config
        self.labels = labels
        self.is_fallback = is_fallback
        self._variables: Mapping[str, Any] | None = None

    @property
    def variables(self) -> Mapping[str, Any] | None:
        """Those that it was compiled with last, in this task or thread if it was."""
        last = _compiled.get()
        return last[1] if last is not None and last[0] is self else self._variables

    def compile(self, /, **variables: Any) -> Any:
        """The text, or the list of messages, with variables replaced. Raises ``ValueError``, which names what has no value."""
        missing: dict[str, None] = {}
        result: Any
        if isinstance(self.prompt, str):
            result = compile_text(self.prompt, variables, missing)
        else:
            result = [_compiled_message(message, variables, missing) for message in self.prompt]
        if missing:
            names = ", ".join(f"{{{{{name}}}}}" for name in missing)
            raise ValueError(f"The prompt {self.name!r} has variables without a value: {names}. Pass them to compile().")
        self._variables = variables
        _compiled.set((self, variables))
        return result

    def __repr__(self) -> str:
        return f"<Prompt {self.name!r} version {self.version}>"


def _compiled_message(message: Mapping[str, Any], variables: Mapping[str, Any], missing: dict[str, None]) -> dict[str, Any]:
    content = message.get("content")
    if isinstance(content, str):
        content = compile_text(content, variables, missing)
    elif isinstance(content, list):
        content = [
            {**part, "text": compile_text(part["text"], variables, missing)}
            if isinstance(part, dict) and isinstance(part.get("text"), str)
            else part
            for part in content
        ]
    return {**message, "content": content}


class _Copy:
    """What the service gave, as JSON: each caller gets objects of its own."""

    def __init__(self, body: Mapping[str, Any], etag: str | None) -> None:
        fields = {name: body.get(name) for name in ("version", "resolvedPrompt", "config", "labels")}
        self._json = json.dumps(fields)
        self.etag = etag
        self.confirmed = time.monotonic()

    def prompt(self, name: str) -> Prompt:
        fields = json.loads(self._json)
        return Prompt(name, fields["version"], fields["resolvedPrompt"], fields["config"] or {}, fields["labels"] or [], False)


Key = tuple[str, "str | None", "int | None"]


class Prompts:
    """The copies of a client."""

    def __init__(self, http: Http, tell: Callable[[str, Exception | str], None], well: Callable[[str], None]) -> None:
        self._http = http
        self._tell = tell
        self._well = well
        self.after_fork()
        self._copies: OrderedDict[Key, _Copy] = OrderedDict()

    def after_fork(self) -> None:
        """A child keeps the copies; what was being refreshed is not."""
        self._lock = threading.Lock()
        self._refreshing: set[Key] = set()
        self._paused_until = 0.0

    def copy(self, key: Key) -> Prompt | None:
        """A prompt of which there is a copy, without a request."""
        with self._lock:
            copy = self._copies.get(key)
        return None if copy is None else copy.prompt(key[0])

    def get(self, key: Key, fallback: Any, max_age: float) -> Prompt:
        """A prompt. Errors: :class:`SpanwiseError` when there is neither a copy nor a fallback, nor an answer."""
        with self._lock:
            copy = self._copies.get(key)
            if copy is not None:
                self._copies.move_to_end(key)
                self._refresh_if_old(key, copy, max_age)
                return copy.prompt(key[0])
        try:
            return self._fetch(key, None).prompt(key[0])
        except Exception as error:
            if fallback is None:
                raise error if isinstance(error, SpanwiseError) else SpanwiseError(_failure(key, repr(error))) from error
            is_missing = isinstance(error, SpanwiseError) and error.status == 404
            why = f"There is no prompt {_shown(key)}." if is_missing else str(error)
            self._tell("prompt", f"A fallback stands in for a prompt. {why}")
            return _fallback(key[0], fallback)

    def _refresh_if_old(self, key: Key, copy: _Copy, max_age: float) -> None:
        now = time.monotonic()
        if now - copy.confirmed < max_age or key in self._refreshing or now < self._paused_until:
            return
        self._refreshing.add(key)
        try:
            threading.Thread(target=self._refresh, args=(key, copy), name="spanwise-prompt", daemon=True).start()
        except RuntimeError:
            self._refreshing.discard(key)

    def _refresh(self, key: Key, copy: _Copy) -> None:
        try:
            self._fetch(key, copy)
            self._well("prompt")
        except Exception as error:
            self._tell("prompt", error)
            if not (isinstance(error, SpanwiseError) and error.status == 404):
                self._paused_until = time.monotonic() + _PAUSE
        finally:
            with self._lock:
                self._refreshing.discard(key)

    def _fetch(self, key: Key, known: _Copy | None) -> _Copy:
        name, label, version = key
        query = {"name": name, "label": label, "version": version}
        path = "/v1/prompts?" + urlencode({field: value for field, value in query.items() if value is not None})
        headers = {"if-none-match": known.etag} if known is not None and known.etag else {}
        answer = self._http.send_json("GET", path, headers=headers)
        if answer.status == 304 and known is not None:
            known.confirmed = time.monotonic()
            return known
        body = answer.json()
        if answer.status == 404 and isinstance(body, dict) and body.get("code") == "not_found":
            with self._lock:
                self._copies.pop(key, None)
            raise SpanwiseError(f"There is no prompt {_shown(key)}. Create it, or pass a fallback.", status=404, code="not_found")
        if answer.status != 200:
            raise _refusal(key, answer)
        if not isinstance(body, dict) or not isinstance(body.get("resolvedPrompt"), (str, list)):
            raise SpanwiseError(_failure(key, FOREIGN))
        copy = _Copy(body, answer.headers.get("etag"))
        with self._lock:
            self._copies[key] = copy
            self._copies.move_to_end(key)
            while len(self._copies) > _MAX_COPIES:
                self._copies.popitem(last=False)
        return copy


def _refusal(key: Key, answer: Answer) -> SpanwiseError:
    body = answer.json()
    code = body.get("code") if isinstance(body, dict) else None
    return SpanwiseError(_failure(key, answer.sentence()), status=answer.status, code=code)


def _failure(key: Key, why: str) -> str:
    return f"The prompt {_shown(key)} cannot be fetched, and there is no copy of it. {why}"


def _shown(key: Key) -> str:
    name, label, version = key
    return repr(name) + (
        f" with the label {label!r}" if label is not None else f" version {version}" if version is not None else ""
    )


def _fallback(name: str, fallback: str | Sequence[Mapping[str, Any]] | Prompt) -> Prompt:
    if isinstance(fallback, Prompt):
        return Prompt(name, None, fallback.prompt, dict(fallback.config), list(fallback.labels), True)
    prompt = fallback if isinstance(fallback, str) else [dict(message) for message in fallback]
    return Prompt(name, None, prompt, {}, [], True)


def fallback_of(name: str, fallback: Any, why: str) -> Prompt:
    """The prompt of a client that asks for nothing: without a key, or shut down. Errors: :class:`SpanwiseError` without a fallback."""
    if fallback is None:
        raise SpanwiseError(f"The prompt {name!r} cannot be fetched, and there is no fallback. {why}")
    return _fallback(name, fallback)
