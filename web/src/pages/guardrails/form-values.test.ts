import { describe, expect, test } from 'vitest';
import {
  canRedact,
  guardrailTypes,
  piiEntities,
  secretLabels as engineLabels,
  validateConfig,
} from '../../../../packages/guardrails/src/index.ts';
import type { Guardrail } from '../../api/service.ts';
import { guardrailTypeNames } from '../../content/guardrail-labels.ts';
import { actionFor, actionsOf, allEntities, configLabel, secretLabels } from './config-labels.ts';
import { refilled } from '../../format/edited-values.ts';
import { changedFields, configOf, emptyForm, fieldsOf, formOf, hasOwnFields, jsonProblem, termsOf } from './form-values.ts';
import type { FormValues } from './form-values.ts';

const filled: FormValues = {
  ...emptyForm,
  slug: ' no-cards ',
  patterns: [
    { pattern: String.raw`\d{4}`, label: ' order ', ignoreCase: false },
    { pattern: 'secret', label: '', ignoreCase: true },
  ],
  terms: 'Acme\n\n  \r\nBeta corp\n',
  maxCharacters: '2000',
  connection: 'Judges',
  model: 'gpt-4o',
  instructions: 'Is it rude?',
};

const configs = {
  regex: {
    patterns: [
      { pattern: String.raw`\d{4}`, label: 'order' },
      { pattern: 'secret', ignoreCase: true },
    ],
  },
  blocklist: { terms: ['Acme', 'Beta corp'], ignoreCase: true, wholeWords: true },
  pii: { entities: [...allEntities], phoneRegions: ['US'] },
  secrets: {},
  prompt_injection: { threshold: 0.5 },
  max_length: { maxCharacters: 2000 },
  json_schema: { schema: { type: 'object' } },
  llm_judge: { connection: 'Judges', model: 'gpt-4o', instructions: 'Is it rude?' },
} as const;

function recordOf(form: FormValues): Guardrail {
  return { id: 'i', projectId: 'p', managedBy: 'dashboard', createdAt: '', updatedAt: '', ...fieldsOf(form) } as Guardrail;
}

describe('the labels cover what the engine knows', () => {
  test('types, entities, secrets and actions', () => {
    expect(guardrailTypeNames.toSorted()).toEqual([...guardrailTypes].toSorted());
    expect(allEntities.toSorted()).toEqual([...piiEntities].toSorted());
    expect(secretLabels).toEqual([...engineLabels].toSorted());
    for (const type of guardrailTypes) {
      expect(actionsOf(type).includes('redact'), type).toBe(canRedact(type));
      expect(actionsOf(type)).toContain(actionFor(type, 'redact'));
      expect(actionFor(type, 'flag')).toBe('flag');
    }
  });
});

describe('the request body of the form', () => {
  test.each(guardrailTypeNames.filter(hasOwnFields))(
    'for %s has the configuration of that type, which the engine takes',
    (type) => {
      const config = configOf({ ...filled, type });
      expect(config).toEqual(configs[type as keyof typeof configs]);
      expect(validateConfig({ type, action: 'flag', config })).toEqual([]);
    },
  );

  test.each(guardrailTypeNames)('of a %s guardrail that was not edited has no changes', (type) => {
    const form = formOf(recordOf({ ...filled, type, everywhere: false, environments: ['staging'] }));
    expect(fieldsOf(form)).toMatchObject({ slug: 'no-cards', name: 'no-cards', environments: ['staging'], priority: 100 });
    expect(changedFields(form, form)).toEqual({});
  });

  test('names what the defaults of a configuration stand for', () => {
    const form = formOf({ ...recordOf(filled), type: 'pii', config: {} });
    expect(form).toMatchObject({ entities: allEntities, phoneRegions: ['US'] });
    expect(formOf({ ...recordOf(filled), type: 'blocklist', config: { terms: ['a'] } })).toMatchObject({
      ignoreCase: true,
      wholeWords: true,
    });
  });

  test('has the edited fields only, and never the slug', () => {
    const form: FormValues = { ...filled, slug: 'other', type: 'max_length', action: 'flag', everywhere: false, name: '' };
    const before = formOf(recordOf(filled));
    expect(changedFields({ ...before, priority: '5' }, before)).toEqual({ priority: 5 });
    expect(changedFields({ ...before, name: '' }, { ...before, name: 'Cards' })).toEqual({ name: 'no-cards' });
    expect(changedFields(form, { ...filled, name: 'no-cards' })).toEqual({
      type: 'max_length',
      action: 'flag',
      config: { maxCharacters: 2000 },
      environments: [],
    });
  });

  test('keeps invalid numbers for the service to reject', () => {
    expect(configOf({ ...filled, type: 'max_length', maxCharacters: 'many' })).toEqual({ maxCharacters: 'many' });
    expect(configOf({ ...filled, type: 'prompt_injection', threshold: '0,7' })).toEqual({ threshold: 0.7 });
    expect(fieldsOf({ ...filled, priority: '' }).priority).toBe('');
  });

  test('has no phone regions without phone numbers', () => {
    expect(configOf({ ...filled, type: 'pii', entities: ['iban'] })).toEqual({ entities: ['iban'] });
  });

  test('is not made of a schema with a syntax error', () => {
    expect(jsonProblem({ ...filled, type: 'json_schema', schema: '{' })).toMatchObject({ path: '/config/schema' });
    expect(jsonProblem({ ...filled, type: 'json_schema' })).toBeNull();
    expect(jsonProblem({ ...filled, type: 'regex', schema: '{' })).toBeNull();
  });
});

test('terms keep their spaces, and lines without a term are left out', () => {
  expect(termsOf('a b\r\n\n c \n')).toEqual(['a b', ' c ']);
});

test('a newer version of the guardrail keeps what was typed', () => {
  const now = { ...filled, priority: '7', name: 'Renamed' };
  expect(refilled({ ...filled, priority: '5' }, filled, now)).toMatchObject({ priority: '5', name: 'Renamed' });
});

describe('the short form of a configuration', () => {
  test.each([
    ['regex', configs.regex, '2 patterns'],
    ['regex', { patterns: [{ pattern: 'a+' }] }, '/a+/'],
    ['regex', { patterns: [{ pattern: 'a', label: 'x' }] }, 'x'],
    ['blocklist', configs.blocklist, '2 terms'],
    ['pii', {}, 'all entities'],
    ['pii', { entities: ['iban', 'email'] }, 'IBAN, Email address'],
    ['secrets', {}, 'all formats'],
    ['secrets', { exclude: ['jwt'] }, 'without jwt'],
    ['prompt_injection', {}, 'score ≥ 0.5'],
    ['max_length', { maxCharacters: 10_000 }, '> 10,000 characters'],
    ['json_schema', configs.json_schema, ''],
    ['llm_judge', { connection: 'Judges', instructions: '' }, 'Judges'],
  ] as const)('of %s %j is "%s"', (type, config, label) => {
    expect(configLabel({ type, config })).toBe(label);
  });
});
