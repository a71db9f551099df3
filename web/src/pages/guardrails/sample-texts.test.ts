import { expect, test } from 'vitest';
import { checkText, compileBundle } from '../../../../packages/guardrails/src/index.ts';
import type { GuardrailTypeName } from '../../api/wire.ts';
import { sampleTexts } from './sample-texts.ts';

test.each(Object.entries(sampleTexts))('the example for %s triggers it', (type, text) => {
  const guardrail = { slug: 'a', stage: 'input', action: 'flag', config: {}, priority: 1, onError: 'block' } as const;
  const bundle = compileBundle([{ ...guardrail, type: type as GuardrailTypeName }]);
  expect(checkText(bundle, { text }).action).toBe('flag');
});
