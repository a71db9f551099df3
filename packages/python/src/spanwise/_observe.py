"""The decorator that records the calls of a function."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from typing import Any, Protocol, TypeVar, overload

from opentelemetry.context import Context

from ._context import attach, current, detach
from ._convert import CUT, MAX_BYTES, plain_of, text_of, to_json
from ._lenient import lenient
from ._span import Span

F = TypeVar("F", bound=Callable[..., Any])
_OUTPUT = "spanwise.output"
_PLAIN = frozenset((inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY))


class Recording(Protocol):
    """What the decorator needs of a client."""

    def _observed(self, name: str, kind: str, arguments: dict[str, Any] | None) -> Span | None: ...


class _First:
    """The first client that was made, and is not shut down."""

    client: Any = None


@overload
def observe(name: F, /) -> F: ...
@overload
def observe(
    name: str | None = None,
    kind: str = "span",
    capture_input: bool = True,
    capture_output: bool = True,
    client: Any = None,
) -> Callable[[F], F]: ...
@lenient
def observe(
    name: Any = None,
    kind: str = "span",
    capture_input: bool = True,
    capture_output: bool = True,
    client: Any = None,
) -> Any:
    """Records each call of a function as a span, below the active one or as a trace: arguments as input, what it returns or yields as output.

    For functions, methods, coroutines and generators, with or without brackets. ``client`` is by default the first that was made, however late;
    without one the function runs as it is.
    """

    def decorate(decorated: Any) -> Any:
        # A property cannot be called, and a class must stay one.
        if isinstance(decorated, type) or not (callable(decorated) or isinstance(decorated, (staticmethod, classmethod))):
            return decorated
        try:
            return _decorated(decorated, _How(decorated, title, kind, capture_input, capture_output, client))
        except Exception:
            return decorated

    # Without brackets the function itself comes in the place of the name.
    if name is None or issubclass(type(name), str):
        title = name
        return decorate
    title = None
    return decorate(name) if callable(name) or hasattr(type(name), "__get__") else decorate


def _is_true(value: object) -> bool:
    try:
        return bool(value)
    except Exception:
        return True


class _How:
    """How the calls of a function are recorded."""

    __slots__ = ("capture_input", "capture_output", "client", "function", "kind", "name", "parameters", "signature", "skipped")

    def __init__(
        self, function: Any, name: str | None, kind: str, capture_input: bool, capture_output: bool, client: Recording | None
    ) -> None:
        self.function = function.__func__ if isinstance(function, (staticmethod, classmethod)) else function
        self.name = text_of(name) or text_of(getattr(self.function, "__name__", None)) or type(self.function).__name__
        self.kind = kind
        self.capture_input = _is_true(capture_input)
        self.capture_output = _is_true(capture_output)
        self.client = client
        self.signature: inspect.Signature | None = None
        #: Their names where each argument is one of them.
        self.parameters: list[str] | None = None
        self.skipped = ""
        try:
            self.signature = inspect.signature(self.function)
        except (TypeError, ValueError):
            return
        parameters = list(self.signature.parameters.values())
        if parameters and parameters[0].name in ("self", "cls"):
            self.skipped = parameters[0].name
        if all(one.kind in _PLAIN for one in parameters):
            self.parameters = [one.name for one in parameters]

    def begin(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Span | None:
        """The span of a call; None where none is recorded."""
        client = _First.client if self.client is None else self.client
        if client is None:
            return None
        try:
            return client._observed(self.name, self.kind, self._arguments(args, kwargs) if self.capture_input else None)
        except Exception:
            # What was given as the client is none.
            return None

    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
        if self.parameters is not None:
            bound = dict(zip(self.parameters, args, strict=False))
            bound.update(kwargs)
        elif self.signature is not None:
            try:
                bound = dict(self.signature.bind(*args, **kwargs).arguments)
            except TypeError:
                return None
        else:
            bound = {"args": args, "kwargs": kwargs}
        if self.skipped:
            bound.pop(self.skipped, None)
        return bound or None

    def returned(self, span: Span, value: object) -> None:
        """Records what a call returned."""
        if self.capture_output and value is not None:
            span.give_json(_OUTPUT, to_json(value))


def _decorated(function: Any, how: _How) -> Any:
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(_decorated(how.function, how))
    call = getattr(function, "__call__", None)  # noqa: B004
    if inspect.isasyncgenfunction(function) or inspect.isasyncgenfunction(call):
        wrapper: Any = _async_generator(function, how)
    elif inspect.isgeneratorfunction(function) or inspect.isgeneratorfunction(call):
        wrapper = _generator(function, how)
    elif inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call):
        wrapper = _coroutine(function, how)
    else:
        wrapper = _function(function, how)
    return functools.wraps(function)(wrapper)


def _function(function: Callable[..., Any], how: _How) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        span = how.begin(args, kwargs)
        if span is None:
            return function(*args, **kwargs)
        with span:
            result = function(*args, **kwargs)
            how.returned(span, result)
        return result

    return call


def _coroutine(function: Callable[..., Awaitable[Any]], how: _How) -> Callable[..., Awaitable[Any]]:
    async def call(*args: Any, **kwargs: Any) -> Any:
        span = how.begin(args, kwargs)
        if span is None:
            return await function(*args, **kwargs)
        with span:
            result = await function(*args, **kwargs)
            how.returned(span, result)
        return result

    return call


class _Yielded:
    """What a generator yielded so far, to the largest size of a value."""

    def __init__(self) -> None:
        self._items: list[Any] = []
        self._left = MAX_BYTES
        self._are_texts = True

    def add(self, item: object) -> None:
        if self._left <= 0:
            return
        if len(self._items) >= 20_000:
            self._left = 0
        elif type(item) is str:
            self._left -= len(item) + 4
            self._items.append(item[:MAX_BYTES])
        else:
            self._are_texts = False
            text = to_json(item)
            self._left -= len(text)
            self._items.append(plain_of(item) if text[:1] in "[{" else item)
        if self._left <= 0:
            self._items.append(CUT)

    def json(self) -> str:
        return to_json("".join(self._items) if self._are_texts and self._items else self._items)


class _Body:
    """The context of a generator's body, which is active while it runs and not while its consumer does."""

    __slots__ = ("_context", "_how", "_yielded", "span")

    def __init__(self, span: Span, how: _How) -> None:
        self.span = span
        self._context: Context = span.context()
        self._how = how
        self._yielded = _Yielded()

    def step(self, run: Callable[..., Any], *values: Any) -> Any:
        """Runs the body until it yields, or to its end when there is no value to give it."""
        token = attach(self._context)
        try:
            item = run(*values)
        finally:
            # What the body made active stays so until it goes on.
            self._context = current()
            detach(token)
        if values:
            self._note(item)
        return item

    async def astep(self, run: Callable[..., Awaitable[Any]], *values: Any) -> Any:
        token = attach(self._context)
        try:
            item = await run(*values)
        finally:
            self._context = current()
            detach(token)
        if values:
            self._note(item)
        return item

    def _note(self, item: object) -> None:
        if self._how.capture_output:
            try:
                self._yielded.add(item)
            except Exception:
                pass

    def end(self) -> None:
        if self._how.capture_output:
            self.span.give_json(_OUTPUT, self._yielded.json())
        self.span.end()


def _generator(function: Callable[..., Generator[Any, Any, Any]], how: _How) -> Callable[..., Generator[Any, Any, Any]]:
    def call(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        span = how.begin(args, kwargs)
        if span is None:
            return (yield from function(*args, **kwargs))
        body = _Body(span, how)
        try:
            generator = function(*args, **kwargs)
            return (yield from _stepped(generator, body))
        except BaseException as error:
            span.fail(error)
            raise
        finally:
            body.end()

    return call


def _stepped(generator: Generator[Any, Any, Any], body: _Body) -> Generator[Any, Any, Any]:
    """As ``yield from``, with the body's context active at each step."""
    run: Callable[..., Any] = generator.send
    value: Any = None
    while True:
        try:
            item = body.step(run, value)
        except StopIteration as stop:
            return stop.value
        try:
            value = yield item
            run = generator.send
        except GeneratorExit:
            body.step(generator.close)
            raise
        except BaseException as error:
            run, value = generator.throw, error


def _async_generator(function: Callable[..., AsyncGenerator[Any, Any]], how: _How) -> Callable[..., AsyncGenerator[Any, Any]]:
    async def call(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        span = how.begin(args, kwargs)
        generator = function(*args, **kwargs)
        body = None if span is None else _Body(span, how)
        step = _unrecorded if body is None else body.astep
        run: Callable[..., Awaitable[Any]] = generator.asend
        value: Any = None
        try:
            while True:
                try:
                    item = await step(run, value)
                except StopAsyncIteration:
                    return
                try:
                    value = yield item
                    run = generator.asend
                except GeneratorExit:
                    await step(generator.aclose)
                    raise
                except BaseException as error:
                    run, value = generator.athrow, error
        except BaseException as error:
            if span is not None:
                span.fail(error)
            raise
        finally:
            if body is not None:
                body.end()

    return call


async def _unrecorded(run: Callable[..., Awaitable[Any]], *values: Any) -> Any:
    return await run(*values)
