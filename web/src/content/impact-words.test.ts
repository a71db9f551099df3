import { expect, test } from 'vitest';
import type { ImpactCheck } from '../api/parts.ts';
import { formatAxisEnd, impactSentence } from './impact-words.ts';

const check = (fields: Partial<ImpactCheck>): ImpactCheck => ({
  metric: 'errorRate',
  before: 0.01,
  after: 0.05,
  delta: 0.04,
  ciLow: 0.021,
  ciHigh: 0.063,
  verdict: 'worse',
  ...fields,
});

test.each([
  [check({ metric: 'p95LatencyMs', delta: 0, ciLow: 0, ciHigh: 0, verdict: 'unchanged' }), 'No difference.'],
  [check({}), 'Up 4 points. 95% interval: +2.1 to +6.3 points.'],
  [
    check({ metric: 'p95LatencyMs', delta: -320, ciLow: -400, ciHigh: -12, verdict: 'better' }),
    'Down 320ms. 95% interval: −400ms to −12ms.',
  ],
  [
    check({ metric: 'avgScore', delta: 0.004, ciLow: -0.01, ciHigh: 0, verdict: 'unchanged' }),
    'The difference may be chance. 95% interval: −0.01 to 0.',
  ],
  [
    check({ metric: 'costPerCall', delta: 0.0004, ciLow: -0.0001, ciHigh: 0.0009, verdict: 'inconclusive' }),
    'At least 30 calls are needed on each side. 95% interval: −$0.0001 to +$0.0009.',
  ],
  [
    check({ metric: 'avgScore', delta: null, ciLow: null, ciHigh: null, verdict: 'inconclusive' }),
    'At least 30 scores are needed on each side.',
  ],
])('%j in words', (given, words) => expect(impactSentence(given)).toBe(words));

test.each([
  ['errorRate', -0.0412, '−4.1%'],
  ['errorRate', 0.5, '+50%'],
  ['p95LatencyMs', 2400, '+2.4s'],
  ['costPerCall', -0.0002, '−$0.0002'],
  ['avgScore', 0, '0'],
] as const)('the end of an axis of %s: %d', (metric, value, end) => expect(formatAxisEnd(metric, value)).toBe(end));
