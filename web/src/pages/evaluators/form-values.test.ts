import { describe, expect, test } from 'vitest';
import type { Evaluator } from '../../api/service.ts';
import { refilled } from '../../format/edited-values.ts';
import { changedFields, emptyForm, fieldsOf, formOf, jsonProblem } from './form-values.ts';
import type { FormValues } from './form-values.ts';

const filled: FormValues = {
  ...emptyForm,
  slug: ' tone ',
  value: 'sorry',
  pattern: '^a',
  flags: 'i',
  connectionId: 'c',
  model: 'gpt-4o',
  instructions: 'Be strict.',
};

describe('the request body of the evaluator form', () => {
  test.each([
    ['exact', { ignoreCase: false }],
    ['fuzzy', { threshold: 0.8 }],
    ['contains', { value: 'sorry', ignoreCase: false }],
    ['regex', { pattern: '^a', flags: 'i' }],
    ['json_schema', { schema: { type: 'object' } }],
    ['latency', { maxMs: 2000 }],
    ['cost', { maxUsd: 0.01 }],
    ['llm_judge', { connectionId: 'c', model: 'gpt-4o', instructions: 'Be strict.', scale: [1, 5] }],
  ] as const)('for %s contains the configuration of that type only', (type, config) => {
    expect(fieldsOf({ ...filled, type }).config).toEqual(config);
  });

  test('is JSON for a type without fields of its own', () => {
    const form: FormValues = { ...filled, type: 'added_later' as FormValues['type'], config: '{"limit": 2}' };
    expect(fieldsOf(form).config).toEqual({ limit: 2 });
    expect(jsonProblem(form)).toBeNull();
    expect(jsonProblem({ ...form, config: '{' })).toMatchObject({ path: '/config' });
    const record = { ...fieldsOf(form), id: 'i', idleMinutes: 30, createdAt: '', updatedAt: '' } as Evaluator;
    expect(fieldsOf(formOf(record))).toEqual(fieldsOf(form));
  });

  test('uses the slug as default name, and omits empty filters', () => {
    const fields = fieldsOf({ ...filled, filter: { ...filled.filter, kinds: ['llm'] } });
    expect(fields).toMatchObject({ slug: 'tone', name: 'tone', filter: { kinds: ['llm'] }, sampleRate: 1, passThreshold: null });
    expect(fields).not.toHaveProperty('idleMinutes');
    expect(fieldsOf({ ...filled, slug: '' })).not.toHaveProperty('name');
    expect(fieldsOf({ ...filled, target: 'session', idleMinutes: '5' }).idleMinutes).toBe(5);
  });

  test('has the filter as it was typed, unless it is blank', () => {
    const form = { ...filled, expression: ' latency:>2s ', filter: { ...filled.filter, tags: ['a'] } };
    expect(fieldsOf(form).filter).toEqual({ tags: ['a'], expression: ' latency:>2s ' });
    expect(fieldsOf({ ...form, expression: ' ' }).filter).toEqual({ tags: ['a'] });
    const record = { ...fieldsOf(form), id: 'i', idleMinutes: 30, createdAt: '', updatedAt: '' } as Evaluator;
    expect(changedFields(formOf(record), formOf(record))).toEqual({});
    expect(fieldsOf(formOf(record)).filter).toEqual(fieldsOf(form).filter);
  });

  test('omits a model connection that was not chosen', () => {
    expect(fieldsOf({ ...filled, type: 'llm_judge', connectionId: '' }).config).not.toHaveProperty('connectionId');
  });

  test('keeps invalid numbers for the service to reject', () => {
    expect(fieldsOf({ ...filled, sampleRate: 'half' }).sampleRate).toBe('half');
    expect(fieldsOf({ ...filled, sampleRate: '0,5' }).sampleRate).toBe(0.5);
  });

  test('equals the evaluator that the form was filled with', () => {
    const fields = fieldsOf({ ...filled, type: 'llm_judge', passThreshold: '3', sampleRate: '0.25' });
    const record = { ...fields, id: 'i', idleMinutes: 30, createdAt: '', updatedAt: '' } as Evaluator;
    expect(fieldsOf(formOf(record))).toEqual(fields);
  });
});

describe('the request body of a change', () => {
  test('contains edited fields only', () => {
    expect(changedFields(filled, filled)).toEqual({});
    expect(changedFields({ ...filled, sampleRate: '0,5' }, filled)).toEqual({ sampleRate: 0.5 });
    expect(changedFields({ ...filled, name: 'Tone' }, filled)).toEqual({ name: 'Tone' });
    expect(changedFields({ ...filled, ignoreCase: true }, filled)).toEqual({ config: { value: 'sorry', ignoreCase: true } });
  });

  test('keeps concurrent changes', () => {
    const now = { ...filled, name: 'By somebody else' };
    const form = refilled({ ...filled, sampleRate: '0.5' }, filled, now);
    expect(form).toEqual({ ...now, sampleRate: '0.5' });
    expect(changedFields(form, now)).toEqual({ sampleRate: 0.5 });
  });
});

test('an invalid JSON schema is reported before sending', () => {
  expect(jsonProblem({ ...filled, type: 'json_schema', schema: '{' })?.path).toBe('/config/schema');
  expect(jsonProblem({ ...filled, type: 'contains', schema: '{' })).toBeNull();
});

test('a schema nested 50,000 levels deep can be edited', () => {
  const nested = '['.repeat(50_000) + ']'.repeat(50_000);
  const form: FormValues = { ...filled, type: 'json_schema', schema: `{"a":${nested}}` };
  const record = { ...fieldsOf(form), id: 'i', idleMinutes: 30, createdAt: '', updatedAt: '' } as Evaluator;
  expect(formOf(record).schema.replaceAll(/\s/g, '')).toBe(form.schema);
  expect(jsonProblem(form)).toBeNull();
  expect(changedFields(formOf(record), form)).toEqual({});
  expect(Object.keys(changedFields(form, filled))).toEqual(['type', 'config']);
});
