import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { deviations } from './recorded-python.deviations.ts';

const folder = join(import.meta.dirname, '../fixtures/otlp-python');

/** What must become of a span: test/fixtures/otlp-python/README.md. */
export interface ExpectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: string;
  operation: string | null;
  provider: string | null;
  model: string | null;
  agent_name: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  client_cost: number | null;
  ttft_ms: number | null;
  session_id: string | null;
  user_id: string | null;
  tags: string[] | null;
  prompt_name: string | null;
  is_error: boolean;
  error_code: string | null;
  environment: string | null;
  has_input: boolean;
  has_output: boolean;
}

interface ExpectedBody {
  summary: { llm: Record<string, number | string[]> };
  spans: ExpectedSpan[];
}

const bodies = Object.entries(JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, ExpectedBody>);
/** The bodies of each client: those of one trace may be several. */
const clients = [...Map.groupBy(bodies, ([file]) => file.split('.')[0] ?? '')];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(Date.UTC(2026, 10, 28, 18));
});
afterAll(() => app.close());

interface Span {
  spanId: string;
  input: unknown;
  output: unknown;
  contentFrom: string | null;
  usage: Record<string, number> | null;
  [field: string]: unknown;
}

async function send(file: string): Promise<void> {
  const request = JSON.parse(readFileSync(join(folder, file.replace('.bin', '.req.json')), 'utf8')) as Record<
    string,
    string | null
  >;
  const encoding = request['contentEncoding'];
  const response = await fetch(`${app.url}/v1/traces`, {
    method: 'POST',
    headers: {
      'x-api-key': app.apiKey,
      'content-type': request['contentType'] ?? '',
      ...(encoding ? { 'content-encoding': encoding } : {}),
    },
    body: new Uint8Array(readFileSync(join(folder, file))),
  });
  expect(response.status).toBe(200);
}

/** The figures that summaries add up, of all traces of a project so far. */
async function figures(): Promise<Record<string, number>> {
  const { body } = await app.get(`/v1/projects/${app.projectId}/models?range=90d`);
  const { models } = body as { models: Array<Record<string, number>> };
  const sum = (name: string) => models.reduce((total, model) => total + (model[name] ?? 0), 0);
  return {
    calls: sum('total_calls'),
    errors: sum('error_count'),
    input_tokens: sum('total_input_tokens'),
    output_tokens: sum('total_output_tokens'),
    cache_read: sum('total_cached_tokens'),
    reasoning: sum('total_reasoning_tokens'),
  };
}

/** A span of the service with the names of expected.json. */
function toExpected(span: Span) {
  const { usage, status, tags } = span;
  // Those of another span are not its own.
  const own = span.contentFrom === null;
  return {
    spanId: span.spanId,
    parentSpanId: span['parentSpanId'],
    name: span['name'],
    kind: span['kind'],
    operation: span['operation'],
    provider: span['provider'],
    model: span['model'],
    agent_name: span['agentName'],
    input_tokens: usage?.['inputTokens'] ?? null,
    output_tokens: usage?.['outputTokens'] ?? null,
    cache_read_tokens: usage?.['cachedTokens'] ?? null,
    cache_write_tokens: usage?.['cacheWriteTokens'] ?? null,
    reasoning_tokens: usage?.['reasoningTokens'] ?? null,
    client_cost: span['costStatus'] === 'provided' ? span['costUsd'] : null,
    session_id: span['sessionId'],
    user_id: span['userId'],
    tags: tags ?? null,
    is_error: status === 'error',
    error_code: span['errorCode'],
    environment: span['environment'],
    has_input: own && span.input !== null,
    has_output: own && span.output !== null,
  };
}

const comparable = ({ traceId: _t, prompt_name: _p, ttft_ms: _ttft, ...span }: ExpectedSpan) => {
  const { scope: _s, prompt_version: _v, ...rest } = span as typeof span & { scope: unknown; prompt_version: unknown };
  return rest;
};

test.each(clients)('%s: spans and calls', async (client, files) => {
  const before = await figures();
  for (const [file] of files) await send(file);
  await app.pipeline.drain();

  const expected = files.flatMap(([, { spans }]) => spans);
  const traceIds = [...new Set(expected.map(({ traceId }) => traceId))];
  const traces = await Promise.all(traceIds.map((id) => app.get(`/v1/projects/${app.projectId}/traces/${id}`)));
  const spans = new Map(traces.flatMap(({ body }) => (body as { spans: Span[] }).spans).map((span) => [span.spanId, span]));
  const differences = expected.flatMap((one) => {
    const span = spans.get(one.spanId);
    if (!span) return [[one.spanId, 'missing']];
    const actual = Object.entries(toExpected(span));
    const own = (deviations[client] ?? []).filter((deviation) => deviation.spans.includes(one.spanId.slice(0, 6)));
    const wanted: Record<string, unknown> = {
      ...comparable(one),
      ...Object.fromEntries(own.map(({ field, value }) => [field, value])),
    };
    return actual
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(wanted[name]))
      .map(([name, value]) => [one.spanId.slice(0, 6), one.name, name, value, wanted[name]]);
  });
  expect(differences).toEqual([]);

  const after = await figures();
  const added = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
  const sums = Object.keys(added).map((name) => [
    name,
    files.reduce((total, [, { summary }]) => total + Number(summary.llm[name]), 0),
  ]);
  expect(added).toEqual(Object.fromEntries(sums));
});
