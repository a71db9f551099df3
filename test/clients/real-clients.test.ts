import { setTimeout as delay } from 'node:timers/promises';
import { createOpenAI } from '@ai-sdk/openai';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { context, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startService, temporaryDataDirectory } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { copyStores } from '../support/store-templates.ts';
import { startFakeOpenAi } from './fake-openai.ts';

let directory: { path: string; remove(): Promise<void> };
let service: Service;
let openAi: { baseUrl: string; close(): Promise<void> };
let access: { cookie: string; projectId: string };

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
  [service, openAi] = await Promise.all([startService({ dataDirectory: directory.path }), startFakeOpenAi()]);
  access = await service.signIn();
});
afterAll(async () => {
  for (const registered of [trace, context, propagation]) registered.disable();
  await service.stop();
  await openAi.close();
  await directory.remove();
});

type ExporterOptions = ConstructorParameters<typeof JsonExporter>[0];

const exporters: Array<[string, (options: ExporterOptions) => SpanExporter, 'gzip' | 'none']> = [
  ['protobuf', (options) => new ProtobufExporter(options), 'none'],
  ['protobuf, gzip', (options) => new ProtobufExporter(options), 'gzip'],
  ['JSON', (options) => new JsonExporter(options), 'none'],
  ['JSON, gzip', (options) => new JsonExporter(options), 'gzip'],
];

function provider(make: (options: ExporterOptions) => SpanExporter, compression: 'gzip' | 'none'): NodeTracerProvider {
  const exporter = make({
    url: `${service.url}/v1/traces`,
    headers: { 'x-api-key': service.apiKey },
    compression: compression as NonNullable<ExporterOptions>['compression'],
  } as ExporterOptions);
  return new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'weather', 'deployment.environment.name': 'staging' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
}

interface TraceAnswer {
  trace: { callCount: number; costUsd: number };
  spans: Array<Record<string, unknown> & { kind: string; usage: Record<string, number> | null }>;
}

/** Waits until the trace can be read: docs/semantics.md, "Acknowledgement". */
async function readTrace(traceId: string): Promise<TraceAnswer> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`${service.url}/v1/projects/${access.projectId}/traces/${traceId}`, {
      headers: { 'x-api-key': service.apiKey },
    });
    if (answer.status === 200) return (await answer.json()) as TraceAnswer;
    await delay(50);
  }
  throw new Error(`trace ${traceId} did not appear`);
}

describe.each(exporters)('the OpenTelemetry SDK, %s', (_, make, compression) => {
  test('spans can be read back', async () => {
    const tracing = provider(make, compression);
    const span = tracing.getTracer('acme').startSpan('chat gpt-4o', {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 1000,
        'gen_ai.usage.output_tokens': 100,
      },
    });
    span.end();
    await tracing.shutdown();
    const answer = await readTrace(span.spanContext().traceId);
    const { spans } = answer;
    expect(spans).toMatchObject([
      { name: 'chat gpt-4o', kind: 'llm', model: 'gpt-4o', provider: 'openai', environment: 'staging', costStatus: 'priced' },
    ]);
    expect(spans[0]?.usage).toMatchObject({ inputTokens: 1000, outputTokens: 100 });
    // gpt-4o: $2.50 a million input tokens, $10 a million output tokens
    expect(answer.trace.costUsd).toBeCloseTo(0.0035, 10);
  });
});

test('the Vercel AI SDK: only the inner span is a call', async () => {
  const tracing = provider((options) => new ProtobufExporter(options), 'none');
  // Installs the context manager that the SDK needs for parent spans.
  tracing.register();
  await generateText({
    model: createOpenAI({ apiKey: 'unused', baseURL: openAi.baseUrl }).chat('gpt-4o'),
    prompt: 'What is the weather?',
    experimental_telemetry: {
      isEnabled: true,
      functionId: 'weather-agent',
      metadata: { sessionId: 'sess-A', userId: 'user-42' },
      tracer: tracing.getTracer('ai'),
    },
  });
  await tracing.shutdown();
  const { trace: summary, spans } = await readTrace(await traceOfSession('sess-A'));
  expect(summary.callCount).toBe(1);
  const inner = spans.find((span) => span.kind === 'llm');
  expect(inner).toMatchObject({ model: 'gpt-4o-2024-08-06', agentName: 'weather-agent', sessionId: 'sess-A', userId: 'user-42' });
  expect(inner?.usage).toMatchObject({ inputTokens: 1200, outputTokens: 85 });
});

/** Waits until a session's only trace can be read. */
async function traceOfSession(sessionId: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`${service.url}/v1/projects/${access.projectId}/traces?session=${sessionId}`, {
      headers: { 'x-api-key': service.apiKey },
    });
    const { traces } = (await answer.json()) as { traces: Array<{ traceId: string }> };
    if (traces[0]) {
      expect(traces).toHaveLength(1);
      return traces[0].traceId;
    }
    await delay(50);
  }
  throw new Error(`session ${sessionId} did not appear`);
}

test('OpenInference: an instrumented OpenAI client gives a call', async () => {
  const tracing = provider((options) => new ProtobufExporter(options), 'gzip');
  const { create } = OpenAI.Responses.prototype;
  const instrumentation = new OpenAIInstrumentation({ tracerProvider: tracing });
  instrumentation.manuallyInstrument(OpenAI);
  // Later test files of this process use the library as it is. `disable` leaves this method patched.
  onTestFinished(() => {
    instrumentation.disable();
    OpenAI.Responses.prototype.create = create;
  });
  const client = new OpenAI({ apiKey: 'unused', baseURL: openAi.baseUrl });
  const span = tracing.getTracer('acme').startSpan('question', { attributes: { 'session.id': 'sess-B' } });
  await context.with(trace.setSpan(context.active(), span), () =>
    client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'What is the weather?' }] }),
  );
  span.end();
  await tracing.shutdown();
  const { spans } = await readTrace(span.spanContext().traceId);
  expect(spans.find((found) => found.kind === 'llm')).toMatchObject({
    model: 'gpt-4o-2024-08-06',
    parentSpanId: span.spanContext().spanId,
    usage: { inputTokens: 1200, outputTokens: 85, cachedTokens: 1024 },
    costStatus: 'priced',
  });
});
