"""Instrumentations of others: which are installed, and whether one is on."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Callable
from typing import Any

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider

from ._tracer import ClientTracer

_OPENINFERENCE, _OPENTELEMETRY = "openinference_instrumentor", "opentelemetry_instrumentor"
#: The libraries that OpenLLMetry instruments. The group of entry points has OpenTelemetry's own packages too, of web servers and databases.
_OPENLLMETRY = frozenset(
    [
        "agno",
        "alephalpha",
        "anthropic",
        "bedrock",
        "chromadb",
        "cohere",
        "crewai",
        "google_generativeai",
        "groq",
        "haystack",
        "lancedb",
        "langchain",
        "llamaindex",
        "marqo",
        "mcp",
        "milvus",
        "mistralai",
        "ollama",
        "openai",
        "openai_agents",
        "pinecone",
        "qdrant",
        "replicate",
        "sagemaker",
        "together",
        "transformers",
        "vertexai",
        "voyageai",
        "watsonx",
        "weaviate",
        "writer",
    ]
)
#: The instrumentations that make a span of each call of a library.
_OF_CLIENTS = {
    "openai": (
        ("openinference.instrumentation.openai", "OpenAIInstrumentor"),
        ("opentelemetry.instrumentation.openai", "OpenAIInstrumentor"),
        ("opentelemetry.instrumentation.openai_v2", "OpenAIInstrumentor"),
        ("opentelemetry.instrumentation.genai.openai", "OpenAIInstrumentor"),
    ),
    "anthropic": (
        ("openinference.instrumentation.anthropic", "AnthropicInstrumentor"),
        ("opentelemetry.instrumentation.anthropic", "AnthropicInstrumentor"),
        ("opentelemetry.instrumentation.genai.anthropic", "AnthropicInstrumentor"),
    ),
}


def instrument(tracer: ClientTracer, provider: TracerProvider | None, keep: Callable[[ReadableSpan], bool] | None) -> list[str]:
    """Adds the exporter to a provider, once, and switches instrumentations on. Returns the libraries' names, sorted."""
    used = _global_provider() if provider is None or not hasattr(provider, "add_span_processor") else provider
    added: dict[str, ClientTracer] = getattr(used, "_spanwise_clients", {})
    before = added.get(tracer.key)
    if before is None or before.is_closed:
        used._spanwise_clients = {**added, tracer.key: tracer}  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
        used.add_span_processor(tracer.exporting(keep))
    names: set[str] = set()
    for name, entry in _installed().items():
        try:
            if _switch_on(entry, used):
                names.add(name)
        except Exception as error:
            tracer.tell(f"instrument {name}", error)
    return sorted(names)


def is_instrumented(library: str) -> bool:
    """Whether an instrumentation of a library is on."""
    for module_name, class_name in _OF_CLIENTS[library]:
        module = sys.modules.get(module_name)
        instance = getattr(getattr(module, class_name, None), "_instance", None)
        if instance is not None and getattr(instance, "_is_instrumented_by_opentelemetry", False):
            return True
    return False


def _global_provider() -> TracerProvider:
    provider = trace.get_tracer_provider()
    # A proxy until one is set.
    if not isinstance(provider, TracerProvider):
        inner = getattr(provider, "_tp", None) or getattr(provider, "provider", None)
        if isinstance(inner, TracerProvider):
            return inner
        provider = TracerProvider()
        trace.set_tracer_provider(provider)
    return provider


def _installed() -> dict[str, Any]:
    """Entry points of instrumentations by library, OpenInference's first."""
    found: dict[str, Any] = {}
    for entry in importlib.metadata.entry_points(group=_OPENINFERENCE):
        found.setdefault(_library(entry), entry)
    others = list(importlib.metadata.entry_points(group=_OPENTELEMETRY))
    for entry in others:
        if entry.value.startswith("openinference."):
            found.setdefault(_library(entry), entry)
    for entry in others:
        name = _library(entry)
        if name in found or not entry.value.startswith("opentelemetry.instrumentation."):
            continue
        if entry.value.split(":")[0].removeprefix("opentelemetry.instrumentation.") in _OPENLLMETRY:
            found[name] = entry
    return found


def _library(entry: Any) -> str:
    module = entry.value.split(":")[0]
    for prefix in ("openinference.instrumentation.", "opentelemetry.instrumentation."):
        module = module.removeprefix(prefix)
    return str(module).split(".")[0]


def _switch_on(entry: Any, provider: TracerProvider) -> bool:
    instrumentor = entry.load()()
    if getattr(instrumentor, "_is_instrumented_by_opentelemetry", False):
        return True
    conflicts = getattr(instrumentor, "_check_dependency_conflicts", None)
    if conflicts is not None and conflicts() is not None:
        return False
    instrumentor.instrument(tracer_provider=provider)
    return bool(getattr(instrumentor, "_is_instrumented_by_opentelemetry", True))
