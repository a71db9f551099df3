import { expect, test } from 'vitest';
import { toldPending } from './ingest-health.ts';

test('pending events are told when the oldest waits longer than a read of any event may take', () => {
  expect(toldPending({ pendingEvents: 12, pendingMs: 800 })).toBe(0);
  expect(toldPending({ pendingEvents: 12, pendingMs: 3_000 })).toBe(12);
  expect(toldPending({ pendingEvents: 0, pendingMs: 0 })).toBe(0);
});
