import { expect, test } from 'vitest';
import { checkText, compileBundle, validateConfig } from '../../../packages/guardrails/src/index.ts';
import { guardrailTypeLabels, guardrailTypeNames } from './guardrail-labels.ts';

const guardrail = { slug: 'a', stage: 'input', action: 'flag', config: {}, priority: 1, onError: 'block' } as const;

test('the form offers what needs no configuration first', () => {
  expect(guardrailTypeNames.slice(0, 4)).toEqual(['pii', 'secrets', 'prompt_injection', 'regex']);
});

test.each(guardrailTypeNames)('of %s the example is valid, and the sample triggers it', (type) => {
  const { title, hint, example, sample } = guardrailTypeLabels[type];
  expect(title).toMatch(/^[A-Z]/);
  expect(hint).toMatch(/^[A-Z].*\.$/);
  expect(validateConfig({ type, action: 'flag', config: example })).toEqual([]);
  if (sample !== undefined) expect(checkText(compileBundle([{ ...guardrail, type }]), { text: sample }).action).toBe('flag');
});
