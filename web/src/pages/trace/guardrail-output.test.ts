import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkText, compileBundle } from '../../../../packages/guardrails/src/index.ts';
import { matchesByLabel, readGuardrailOutput } from './guardrail-output.ts';

const bundle = compileBundle([
  {
    slug: 'terms',
    type: 'blocklist',
    stage: 'input',
    action: 'flag',
    config: { terms: ['acme', 'beta'] },
    priority: 1,
    onError: 'block',
  },
  {
    slug: 'length',
    type: 'max_length',
    stage: 'input',
    action: 'block',
    config: { maxCharacters: 100 },
    priority: 2,
    onError: 'block',
  },
  { slug: 'judge', type: 'llm_judge', stage: 'input', action: 'block', config: null, priority: 3, onError: 'allow' },
]);

test('what the engine answers can be read', () => {
  const { action, results } = checkText(bundle, { text: `Acme and beta, ACME ${'acme '.repeat(4)}` });
  const read = readGuardrailOutput(JSON.parse(JSON.stringify({ action, results })));
  expect(read).toEqual({ action: 'flag', results });
  expect(matchesByLabel({ matches: read?.results[0]?.matches ?? [] })).toEqual([
    { label: 'acme', count: 6, places: '0–4, 15–19, 20–24, 25–29, 30–34, …' },
    { label: 'beta', count: 1, places: '9–13' },
  ]);
});

test('an output of another form is none of a check', () => {
  const result = { guardrail: 'a', type: 'pii', triggered: false, action: 'allow', matches: [], reason: null, latencyMs: 0 };
  expect(readGuardrailOutput({ action: 'allow', results: [result] })).not.toBeNull();
  for (const other of [
    { ...result, matches: [{ start: -1, end: 2, label: 'x' }] },
    { ...result, matches: [{ start: 0, end: 2 }] },
    { ...result, action: 'delete' },
    { ...result, guardrail: 1 },
    null,
  ]) {
    expect(readGuardrailOutput({ action: 'allow', results: [other] })).toBeNull();
  }
  expect(readGuardrailOutput({ action: 'allow', results: Array.from({ length: 101 }, () => result) })).toBeNull();
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = readGuardrailOutput(value);
      if (read !== null) expect(value).toMatchObject({ action: read.action, results: expect.any(Array) as unknown });
    }),
    { endOnFailure: true },
  );
});
