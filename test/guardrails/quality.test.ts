import { describe, expect, test } from 'vitest';
import { finderOf, injectionQuality, piiQuality, secretQuality } from '../support/guardrail-quality.ts';
import type { Quality } from '../support/guardrail-quality.ts';

const recall = ({ found, expected }: Quality) => found / expected;

describe('personal data', () => {
  const find = finderOf('pii');
  const sentences = piiQuality(find, 'sentences');

  test.each(['payment_card', 'email', 'us_ssn', 'iban'])('%s in sentences: exact spans, hardly any others', (entity) => {
    const quality = sentences[entity] ?? { expected: 1, found: 0, extra: 0 };
    expect(recall(quality)).toBeGreaterThanOrEqual(0.98);
    expect(quality.extra / quality.expected).toBeLessThanOrEqual(0.01);
  });

  test('phone numbers in sentences', () => {
    expect(recall(sentences['phone'] ?? { expected: 1, found: 0, extra: 0 })).toBeGreaterThanOrEqual(0.6);
  });

  test('IP addresses in all sets', () => {
    const all = (['sentences', 'presidio', 'values'] as const).flatMap((set) => piiQuality(find, set)['ip_address'] ?? []);
    const sum = (of: (quality: Quality) => number) => all.reduce((total, quality) => total + of(quality), 0);
    expect(sum(({ found }) => found) / sum(({ expected }) => expected)).toBeGreaterThanOrEqual(0.92);
  });
});

test('secrets with a distinctive form', () => {
  const { distinctive, none } = secretQuality(finderOf('secrets'));
  expect(recall(distinctive)).toBeGreaterThanOrEqual(0.92);
  expect(none.extra / none.expected).toBeLessThanOrEqual(0.08);
});

test('prompt injections: what is found is one', () => {
  const { deepset, notinject } = injectionQuality(finderOf('prompt_injection'));
  expect(deepset.found / (deepset.found + deepset.extra)).toBeGreaterThanOrEqual(0.97);
  expect(recall(deepset)).toBeGreaterThan(0.2);
  expect(notinject.extra / notinject.benign).toBeLessThanOrEqual(0.02);
});
