"""OpenTelemetry without the SDK.

pip install openai openinference-instrumentation-openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
"""

import os

from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

exporter = OTLPSpanExporter(
    endpoint=os.environ["SPANWISE_URL"] + "/v1/traces",
    headers={"x-api-key": os.environ["SPANWISE_API_KEY"]},
    compression=Compression.Gzip,
)
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(exporter, max_export_batch_size=512))
OpenAIInstrumentor().instrument(tracer_provider=provider)

with provider.get_tracer("example").start_as_current_span("support", attributes={"user.id": "user-1"}) as span:
    answer = OpenAI().chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": "Hello"}])
    print(answer.choices[0].message.content)
    print("trace:", format(span.get_span_context().trace_id, "032x"))
provider.shutdown()
