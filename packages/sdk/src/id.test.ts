import { expect, test } from 'vitest';
import { newSpanId, newTraceId } from './index.ts';

test('ids are hexadecimal as in W3C Trace Context, and differ', () => {
  const traceIds = Array.from({ length: 1_000 }, newTraceId);
  const spanIds = Array.from({ length: 1_000 }, newSpanId);
  for (const id of traceIds) expect(id).toMatch(/^[0-9a-f]{32}$/);
  for (const id of spanIds) expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set([...traceIds, ...spanIds]).size).toBe(2_000);
});
