"""Spanwise: tracing, prompts, guardrails and evaluation for applications that call language models."""

from ._client import Spanwise
from ._counts import Delivery
from ._errors import SpanwiseError
from ._evaluation import Evaluation
from ._observe import observe
from ._prompts import Prompt
from ._verdict import GuardrailBlocked, Verdict
from ._version import __version__

__all__ = [
    "Delivery",
    "Evaluation",
    "GuardrailBlocked",
    "Prompt",
    "Spanwise",
    "SpanwiseError",
    "Verdict",
    "__version__",
    "observe",
]
