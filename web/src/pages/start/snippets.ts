/** A program, a command or a configuration to copy. */
export interface Sample {
  label: string;
  text: string;
}

/** How one way of sending spans is set up. */
export interface Guide {
  /** A sentence above the samples. */
  about: string;
  samples: readonly Sample[];
}

/** The service and the key that samples contain. */
export interface Place {
  origin: string;
  key: string;
}

/** A curl command that sends one span with the current time. */
export function curlSnippet({ origin, key }: Place): string {
  return `now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
curl -s ${origin}/v1/ingest -H "x-api-key: ${key}" -H 'content-type: application/x-ndjson' \\
  -d '{"type":"span","traceId":"hello-'$(date +%s)'","spanId":"s-1","name":"chat","kind":"llm","model":"gpt-4o","provider":"openai","startTime":"'$now'","endTime":"'$now'","usage":{"inputTokens":1200,"outputTokens":85},"input":"Hello","output":"Hi there"}'`;
}

/** Environment variables of an OpenTelemetry exporter. */
export function exporterSnippet({ origin, key }: Place): string {
  return `export OTEL_EXPORTER_OTLP_ENDPOINT=${origin}
export OTEL_EXPORTER_OTLP_HEADERS=x-api-key=${key}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_BSP_MAX_EXPORT_BATCH_SIZE=512
export OTEL_EXPORTER_OTLP_COMPRESSION=gzip
export OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=none`;
}

/** The configuration of an OpenTelemetry Collector. */
export function collectorSnippet({ origin, key }: Place): string {
  return `exporters:
  otlphttp/spanwise:
    traces_endpoint: ${origin}/v1/traces
    headers:
      x-api-key: ${key}
    compression: gzip
processors:
  batch:
    send_batch_max_size: 512`;
}

/** A program with the SDK. */
export function sdkSnippet({ origin, key }: Place): string {
  return `import { Spanwise } from '@spanwise/sdk';
import OpenAI from 'openai';

const spanwise = new Spanwise({ apiKey: '${key}', baseUrl: '${origin}' });
const openai = spanwise.wrapOpenAI(new OpenAI());

await spanwise.trace({ name: 'support', userId: 'user-1' }, () =>
  openai.chat.completions.create({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'Hello' }],
  }),
);
await spanwise.shutdown();`;
}

const nodeExporter = ({ origin, key }: Place) => `const exporter = new OTLPTraceExporter({
  url: '${origin}/v1/traces',
  headers: { 'x-api-key': '${key}' },
});
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });`;
const nodeImports = `import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';`;
// Majors that belong together: OpenTelemetry 3 has other packages, and the newest exporter refuses version 2 of the others.
const nodePackages = '@opentelemetry/sdk-trace-node@2 @opentelemetry/exporter-trace-otlp-proto@0.223';

/** A program with version 7 of the Vercel AI SDK. */
export function vercelSnippet(place: Place): string {
  return `import { openai } from '@ai-sdk/openai';
import { OpenTelemetry } from '@ai-sdk/otel';
${nodeImports}
import { generateText, registerTelemetry } from 'ai';

${nodeExporter(place)}
provider.register();
registerTelemetry(new OpenTelemetry());

await generateText({
  model: openai('gpt-4o-mini'),
  prompt: 'Hello',
  telemetry: { functionId: 'support' },
});
await provider.shutdown();`;
}

/** A program with LangChain and OpenInference's instrumentation. */
export function langchainSnippet(place: Place): string {
  return `import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as CallbackManagerModule from '@langchain/core/callbacks/manager';
import { ChatOpenAI } from '@langchain/openai';
${nodeImports}

${nodeExporter(place)}
new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(CallbackManagerModule);

await new ChatOpenAI({ model: 'gpt-4o-mini' }).invoke('Hello', { metadata: { user_id: 'user-1' } });
await provider.shutdown();`;
}

/** A Python program with the SDK. */
export function pythonSdkSnippet({ origin, key }: Place): string {
  return `from openai import OpenAI
from spanwise import Spanwise, observe

sw = Spanwise("${key}", "${origin}")
client = sw.wrap_openai(OpenAI())

@observe
def answer(question: str) -> str:
    asked = [{"role": "user", "content": question}]
    response = client.chat.completions.create(model="gpt-4o-mini", messages=asked)
    return response.choices[0].message.content

with sw.context(user_id="user-1"):
    print(answer("Hello"))`;
}

/** A Python program with OpenTelemetry alone. */
export function pythonSnippet({ origin, key }: Place): string {
  return `from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

exporter = OTLPSpanExporter(endpoint="${origin}/v1/traces", headers={"x-api-key": "${key}"})
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(exporter))
OpenAIInstrumentor().instrument(tracer_provider=provider)

OpenAI().chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": "Hello"}])
provider.shutdown()`;
}

/** A command that connects Claude Code by MCP. */
export function mcpSnippet({ origin, key }: Place): string {
  return `claude mcp add --transport http spanwise ${origin}/mcp --header "x-api-key: ${key}"`;
}

const install = (packages: string): Sample => ({ label: 'Installation', text: `npm install ${packages}` });

/** The name and the set-up of each way. */
export const guides = {
  sdk: {
    title: 'TypeScript',
    guide: (place: Place): Guide => ({
      about:
        'For JavaScript and TypeScript: traces, prompts, guardrails and outcomes. Wraps the OpenAI and Anthropic clients. The first command writes the package, in a clone of Spanwise; copy it to your project.',
      samples: [
        { label: 'Package', text: 'npm pack --workspace=packages/sdk' },
        install('./spanwise-sdk-1.0.0.tgz openai'),
        { label: 'Program', text: sdkSnippet(place) },
      ],
    }),
  },
  python: {
    title: 'Python',
    guide: (place: Place): Guide => ({
      about:
        'For Python 3.10 and later: traces, prompts, guardrails on streams, evaluation and pytest. Wraps the OpenAI and Anthropic clients, and switches on instrumentations of others with sw.instrument(). The first command writes the package, in a clone of Spanwise; copy it to your project.',
      samples: [
        { label: 'Package', text: 'pip wheel --no-deps ./packages/python' },
        { label: 'Installation', text: 'pip install ./spanwise-1.0.0-py3-none-any.whl openai' },
        { label: 'Program', text: pythonSdkSnippet(place) },
      ],
    }),
  },
  opentelemetry: {
    title: 'OpenTelemetry',
    guide: (place: Place): Guide => ({
      about: `Endpoint: ${place.origin}/v1/traces. Supported conventions: gen_ai.*, OpenInference, Traceloop, Vercel AI SDK, Langfuse, LangSmith, Mastra, Genkit and more: see docs/clients.md.`,
      samples: [
        { label: 'Exporter environment variables', text: exporterSnippet(place) },
        { label: 'Collector configuration', text: collectorSnippet(place) },
      ],
    }),
  },
  'vercel-ai': {
    title: 'Vercel AI SDK',
    guide: (place: Place): Guide => ({
      about:
        'The telemetry of the AI SDK 7, sent by an OpenTelemetry exporter. Versions 5 and 6 need no @ai-sdk/otel: leave out registerTelemetry and pass experimental_telemetry: { isEnabled: true } to each call.',
      samples: [
        install(`ai@7 @ai-sdk/openai@4 @ai-sdk/otel@1 ${nodePackages}`),
        { label: 'Program', text: vercelSnippet(place) },
      ],
    }),
  },
  langchain: {
    title: 'LangChain',
    guide: (place: Place): Guide => ({
      about: "LangChain and LangGraph for JavaScript, with OpenInference's instrumentation.",
      samples: [
        install(`@langchain/core @langchain/openai @arizeai/openinference-instrumentation-langchain ${nodePackages}`),
        { label: 'Program', text: langchainSnippet(place) },
      ],
    }),
  },
  'python-otlp': {
    title: 'Python over OTLP',
    guide: (place: Place): Guide => ({
      about: 'OpenTelemetry without the SDK. OpenInference has instrumentations for other Python libraries, too.',
      samples: [
        {
          label: 'Installation',
          text: 'pip install openai openinference-instrumentation-openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http',
        },
        { label: 'Program', text: pythonSnippet(place) },
      ],
    }),
  },
  curl: {
    title: 'curl',
    guide: (place: Place): Guide => ({
      about: 'Sends one span with the current time.',
      samples: [{ label: 'curl command to send a span', text: curlSnippet(place) }],
    }),
  },
} as const;
