import { afterAll, expect, test } from 'vitest';
import { turnsUntil } from '../../platform/jobs/turns-until.fixture.ts';
import { mapSpan } from '../otlp/index.ts';
import type { StoredSpan } from '../otlp/index.ts';
import { emptySpan } from '../trace-store/records.fixture.ts';
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
  const mapping = mapper.map(span, null);
  expect(await turnsUntil(mapping)).toBeGreaterThan(0);
  expect(await mapping).toEqual(mapSpan(span, null));
  expect(await mapping).toContainEqual(expect.objectContaining({ field: 'model', convention: 'gen_ai' }));
});
