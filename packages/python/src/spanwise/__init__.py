"""Spanwise: tracing, prompts, guardrails and evaluation for applications that call language models."""

from ._client import Spanwise
from ._counts import Delivery
from ._errors import SpanwiseError
from ._observe import observe
from ._version import __version__

__all__ = ["Delivery", "Spanwise", "SpanwiseError", "__version__", "observe"]
