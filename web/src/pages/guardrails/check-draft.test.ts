import { expect, test } from 'vitest';
import { checkText, compileBundle } from '../../../../packages/guardrails/src/index.ts';
import type { Guardrail } from '../../api/service.ts';
import { checkInput, companionsOf, draftOf, draftSlug } from './check-draft.ts';
import { emptyForm } from './form-values.ts';
import type { FormValues } from './form-values.ts';

const form: FormValues = { ...emptyForm, type: 'blocklist', terms: 'Acme', action: 'redact' };

function record(change: Partial<Guardrail>): Guardrail {
  return {
    id: change.slug ?? 'id',
    projectId: 'p',
    slug: 'other',
    name: 'Other',
    type: 'max_length',
    stage: 'input',
    action: 'block',
    config: { maxCharacters: 3 },
    environments: null,
    priority: 1,
    enabled: true,
    onError: 'block',
    managedBy: 'dashboard',
    createdAt: '',
    updatedAt: '',
    ...change,
  };
}

test('a draft without a slug is checked with its companions', () => {
  const input = checkInput(form, { text: 'Call Acme', stage: 'output', companions: companionsOf(form, null, [record({})]) });
  expect(input).toMatchObject({ stage: 'input', text: 'Call Acme' });
  const outcome = checkText(compileBundle(input?.guardrails ?? []), { text: 'Call Acme', stage: 'input' });
  expect(outcome).toMatchObject({ action: 'block', text: 'Call [REDACTED]' });
  expect(outcome.results.map(({ guardrail }) => guardrail)).toEqual(['other', draftSlug]);
});

test('the stage is one that the draft looks at', () => {
  const stageOf = (stage: FormValues['stage'], asked: 'input' | 'output') =>
    checkInput({ ...form, stage }, { text: '', stage: asked, companions: [] })?.stage;
  expect([stageOf('output', 'input'), stageOf('input', 'output'), stageOf('both', 'output'), stageOf('both', 'input')]).toEqual([
    'output',
    'input',
    'output',
    'input',
  ]);
});

test('nothing is checked while the schema has a syntax error', () => {
  const broken: FormValues = { ...form, type: 'json_schema', schema: '{' };
  expect(draftOf(broken)).toBeNull();
  expect(checkInput(broken, { text: '', stage: 'input', companions: [] })).toBeNull();
});

test('companions are enabled, local, and apply where the draft does', () => {
  const all = [
    record({ slug: 'everywhere' }),
    record({ slug: 'staging', environments: ['staging'] }),
    record({ slug: 'production', environments: ['production', 'eu'] }),
    record({ slug: 'off', enabled: false }),
    record({ slug: 'judge', type: 'llm_judge' }),
    record({ slug: 'own', id: 'own-id' }),
  ];
  const slugs = (change: Partial<FormValues>) =>
    companionsOf({ ...form, slug: 'own', ...change }, 'own-id', all).map(({ slug }) => slug);
  expect(slugs({})).toEqual(['everywhere', 'staging', 'production']);
  expect(slugs({ everywhere: false, environments: ['eu'] })).toEqual(['everywhere', 'production']);
  expect(slugs({ everywhere: false, environments: [] })).toEqual(['everywhere']);
});
