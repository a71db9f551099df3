import { afterAll, expect, test } from 'vitest';
import { turnsUntil } from '../../platform/jobs/turns-until.fixture.ts';
import { mapSpan } from '../otlp/index.ts';
import type { StoredSpan } from '../otlp/index.ts';
import { noOwnPrices } from '../pricing/index.ts';
import { emptySpan } from '../records/records.fixture.ts';
import { previewBody } from './preview-body.ts';
import { SpanMapper } from './span-mapper.ts';

const mapper = new SpanMapper();
afterAll(() => mapper.close());

test('a span with very many events is mapped in another thread, to the same fields', async () => {
  const events = Array.from({ length: 10_000 }, (_, index) => `{"name":"event ${index}","attributes":{"key":${index}}}`);
  const span: StoredSpan = {
    ...emptySpan,
    source: 'otlp',
    kind: 'llm',
    model: 'gpt-4o',
    attributes: '{"gen_ai.response.model":"gpt-4o"}',
    extra: `{"events":[${events.join(',')}]}`,
  };
  const mapping = mapper.map(span, null, noOwnPrices);
  expect(await turnsUntil(mapping)).toBeGreaterThan(0);
  expect(await mapping).toEqual(mapSpan(span, null));
  expect(await mapping).toContainEqual(expect.objectContaining({ field: 'model', convention: 'gen_ai' }));
});

test('a long body is previewed in another thread, to the same text', async () => {
  const spanIdOf = (index: number) => (index + 1).toString(16).padStart(16, '0');
  const spans = Array.from({ length: 400 }, (_, index) => ({
    traceId: '0'.repeat(31).concat('1'),
    spanId: spanIdOf(index),
    name: `span ${index}`,
    startTimeUnixNano: '1795262400000000000',
    attributes: [{ key: 'gen_ai.request.model', value: { stringValue: 'm'.repeat(200) } }],
  }));
  const body = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
  const options = { nowMs: 1_795_262_400_000, oldestMs: 0, ownPrices: noOwnPrices };
  const preview = mapper.preview(body, 'json', options);
  expect(await turnsUntil(preview)).toBeGreaterThan(0);
  expect(await preview).toBe(previewBody(body, 'json', options));
  expect(JSON.parse(await preview)).toMatchObject({ truncated: false, rejectedSpans: 0 });
  const cut = mapper.preview(body.subarray(0, -1), 'json', options);
  await expect(cut).rejects.toMatchObject({ code: 'invalid_request' });
});
