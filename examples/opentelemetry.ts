// An application that has OpenTelemetry: one more span processor. Any instrumentation does; this one is OpenInference's for `openai`.
// npm install openai @arizeai/openinference-instrumentation-openai @opentelemetry/api@1.9 @opentelemetry/sdk-trace-node@2 @opentelemetry/sdk-trace-base@2 @opentelemetry/exporter-trace-otlp-proto@0.223
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { SpanwiseSpanProcessor } from '@spanwise/sdk/otel';
import OpenAI from 'openai';

// Reads SPANWISE_API_KEY and SPANWISE_URL. Processors of other backends stand beside it.
const provider = new NodeTracerProvider({ spanProcessors: [new SpanwiseSpanProcessor()] });
provider.register();
const instrumentation = new OpenAIInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(OpenAI);

await trace.getTracer('example').startActiveSpan('ask', async (span) => {
  const { choices } = await new OpenAI().chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'How is the weather?' }],
  });
  console.log(choices[0]?.message.content);
  span.end();
});
await provider.shutdown();
