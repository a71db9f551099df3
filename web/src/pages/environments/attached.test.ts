import { expect, test } from 'vitest';
import { attachmentsOf } from './attached.ts';

test('attachments keep their kind and order', () => {
  expect(attachmentsOf({ guardrails: ['a', 'b'], alerts: ['c'], incidents: ['d'] })).toEqual([
    { kind: 'guardrail', name: 'a' },
    { kind: 'guardrail', name: 'b' },
    { kind: 'alert', name: 'c' },
    { kind: 'incident', name: 'd' },
  ]);
  expect(attachmentsOf({ guardrails: [], alerts: [], incidents: [] })).toEqual([]);
});
