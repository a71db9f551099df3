import { expect, test } from 'vitest';
import type { Finding } from '../api/service.ts';
import { daysLabel, dismissalMeaning, nearestFinding, retirementLabel } from './lifecycle-words.ts';

test.each([
  [24, 'in 24 days', 'retires in 24 days'],
  [1, 'in 1 day', 'retires in 1 day'],
  [0, 'today', 'retires today'],
  [-1, '1 day ago', 'retired 1 day ago'],
])('%d days remaining', (daysRemaining, label, badge) => {
  expect(daysLabel(daysRemaining)).toBe(label);
  expect(retirementLabel({ daysRemaining })).toBe(badge);
});

test.each([
  [90, 60, /^Hidden until 30 days remain \(.*1.*2026\)\. It is then raised again\.$/],
  [30, 20, /^Hidden until 7 days remain \(.*24.*2026\)/],
  [7, 5, /^Hidden until the day of the retirement \(.*31.*2026\)/],
  [0, -3, /^The retirement has passed, so the finding stays hidden\.$/],
] as const)('dismissing in band %d', (band, daysRemaining, words) => {
  expect(dismissalMeaning({ band, daysRemaining, retiresOn: '2026-12-31' })).toMatch(words);
});

test('of several providers the nearest retirement of a model counts', () => {
  const finding = (model: string, provider: string, daysRemaining: number) => ({ model, provider, daysRemaining }) as Finding;
  const findings = [finding('a', 'azure', 40), finding('a', 'openai', 4), finding('b', 'openai', 1)];
  expect(nearestFinding(findings, 'a')?.provider).toBe('openai');
  expect(nearestFinding(findings, 'c')).toBeNull();
});
