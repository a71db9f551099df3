import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FieldSource, SpanMapping } from '../../src/contract/span-mapping.ts';
import type { TraceSpan } from '../../src/contract/traces.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

const folder = join(import.meta.dirname, '../fixtures/otlp');
/** Each recorded body with its trace ids. */
const bodies = Object.entries(
  JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, { spans: Array<{ traceId: string }> }>,
).map(([file, { spans }]) => [file, [...new Set(spans.map(({ traceId }) => traceId))]] as const);
/** Bodies with hundreds of equal spans are checked up to this many. */
const maxSpans = 24;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp(Date.UTC(2026, 10, 22, 10));
});
afterAll(() => app.close());

interface Preview {
  spans: Array<{ span: TraceSpan; mapping: SpanMapping; unmapped: FieldSource[] }>;
  rejectedSpans: number;
  truncated: boolean;
}

/** Sends a recorded body as it was recorded. */
async function post(file: string, path: string): Promise<Response> {
  const request = JSON.parse(readFileSync(join(folder, file.replace('.bin', '.req.json')), 'utf8')) as Record<
    string,
    string | null
  >;
  return fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': app.apiKey,
      'content-type': request['contentType'] ?? '',
      ...(request['contentEncoding'] ? { 'content-encoding': request['contentEncoding'] } : {}),
    },
    body: new Uint8Array(readFileSync(join(folder, file))),
  });
}

async function send(file: string): Promise<void> {
  expect([200, 202]).toContain((await post(file, '/v1/traces')).status);
  await app.pipeline.drain();
}

/** What would be stored of a recorded body, by span id. */
async function preview(file: string): Promise<Map<string, Preview['spans'][number]>> {
  const before = app.pipeline.pendingEvents(app.projectId);
  const answer = await post(file, `/v1/projects/${app.projectId}/mapping/preview`);
  expect(answer.status).toBe(200);
  const { spans, truncated } = (await answer.json()) as Preview;
  expect(truncated).toBe(false);
  expect(app.pipeline.pendingEvents(app.projectId)).toBe(before);
  return new Map(spans.map((one) => [one.span.spanId, one]));
}

/** The non-empty fields of a span by their names in a mapping. */
function filledFields(span: TraceSpan): Record<string, unknown> {
  const { usage, ...rest } = span;
  const own =
    'kind model requestModel provider agentName operation costUsd timeToFirstTokenMs status errorCode errorMessage sessionId userId environment release service tags promptName promptVersion input output metadata';
  const all = [
    ...own.split(' ').map((name): [string, unknown] => [name, rest[name as keyof typeof rest]]),
    ...Object.entries(usage ?? {}).map(([name, value]): [string, unknown] => [`usage.${name}`, value]),
  ];
  return Object.fromEntries(all.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)));
}

function unmappedOf(span: TraceSpan, fields: SpanMapping['fields']): FieldSource[] {
  const sources = [
    ...Object.keys(span.attributes ?? {}).map((key): FieldSource => ({ in: 'span', key })),
    ...Object.keys(span.resourceAttributes ?? {}).map((key): FieldSource => ({ in: 'resource', key })),
  ];
  const read = fields.flatMap(({ attributes }) => attributes);
  return sources.filter((source) => !read.some((one) => one.in === source.in && one.key === source.key));
}

test.each(bodies)('the mapping explains every field of the spans of %s with the value in the trace', async (file, traceIds) => {
  const previews = await preview(file);
  const { status: unstored } = await app.get(`/v1/projects/${app.projectId}/traces/${traceIds[0]}`);
  expect(unstored).toBe(404);
  await send(file);
  const seen = new Set<string>();
  for (const traceId of traceIds) {
    const trace = `/v1/projects/${app.projectId}/traces/${traceId}`;
    const { spans } = (await app.get(trace)).body as { spans: TraceSpan[] };
    for (const span of spans) {
      if (seen.size >= maxSpans) return;
      seen.add(span.spanId);
      const { status, body } = await app.get(`${trace}/spans/${span.spanId}/mapping`);
      expect(status).toBe(200);
      const { fields, ...rest } = body as SpanMapping;
      expect(rest).toEqual({ spanId: span.spanId, source: 'otlp' });
      expect(Object.fromEntries(fields.map(({ field, value }) => [field, value]))).toEqual(filledFields(span));
      expect(fields.filter(({ convention }) => convention === 'unknown')).toEqual([]);
      const { unmapped, ...previewed } = previews.get(span.spanId) ?? { unmapped: [] };
      expect(previewed).toEqual({ span, mapping: body });
      expect(unmapped).toEqual(unmappedOf(span, fields));
    }
  }
  expect(seen.size).toBeGreaterThan(0);
});
