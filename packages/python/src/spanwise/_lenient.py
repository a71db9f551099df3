"""Calls of this package that are wrong in their form: nothing is raised in the application for them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def lenient(function: Callable[P, R]) -> Callable[P, R]:
    """Leaves out arguments that a function does not have, and gives None for those that it needs, instead of a TypeError."""
    parameters = inspect.signature(function).parameters.values()
    names = frozenset(one.name for one in parameters if one.kind is not one.POSITIONAL_ONLY)
    placed = [one for one in parameters if one.kind is not one.KEYWORD_ONLY]
    needed_places = sum(one.default is one.empty for one in placed)
    needed_names = frozenset(one.name for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty)
    most = len(placed)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if needed_places <= len(args) <= most and needed_names <= kwargs.keys() <= names:
            try:
                return function(*args, **kwargs)
            except TypeError:
                # One that is given twice; any other comes again.
                if not any(one.name in kwargs for one in placed[: len(args)]):
                    raise
        given: dict[str, Any] = dict.fromkeys(needed_names)
        given.update((name, value) for name, value in kwargs.items() if name in names)
        for one in placed[: len(args)]:
            given.pop(one.name, None)
        for one in placed[len(args) : needed_places]:
            given.setdefault(one.name, None)
        return function(*args[:most], **given)  # type: ignore[arg-type]

    return call
