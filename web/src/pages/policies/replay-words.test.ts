import { expect, test } from 'vitest';
import { byDifference, replaySentence } from './replay-words.ts';

const replay = (spans: number, blockedBefore: number, blockedAfter: number) =>
  replaySentence({
    from: '2026-11-13T10:00:00.000Z',
    to: '2026-11-20T10:00:00.000Z',
    spans,
    byGuardrail: [],
    totals: { blockedBefore, blockedAfter },
  });

test.each([
  [0, 0, 0, 'No model calls were recorded in this time.'],
  [4812, 12, 312, 'Would block 312 of 4,812 calls; 12 are blocked now.'],
  [4812, 1, 0, 'Would block none of 4,812 calls; 1 is blocked now.'],
  [1, 0, 1, 'Would block 1 of 1 call; none are blocked now.'],
  [90, 0, 0, 'Would block none of 90 calls, as now.'],
  [90, 7, 7, 'Would block 7 of 90 calls, as many as now.'],
])('%i calls, %i blocked before and %i after', (spans, before, after, sentence) => {
  expect(replay(spans, before, after)).toBe(sentence);
});

test('guardrails that change most come first', () => {
  const one = (guardrail: string, triggeredAfter: number, blockedAfter = 0) => ({
    guardrail,
    triggeredBefore: 5,
    triggeredAfter,
    blockedBefore: 0,
    blockedAfter,
    users: 0,
    examples: [],
  });
  const order = byDifference({ byGuardrail: [one('d', 5), one('c', 5), one('b', 7), one('a', 1, 3)] });
  expect(order.map(({ guardrail }) => guardrail)).toEqual(['a', 'b', 'c', 'd']);
});
