import { describe, expect, test } from 'vitest';
import type { EvaluatorRecord } from '../../api/wire.ts';
import { changedFields, emptyForm, fieldsOf, formOf, refilled, unreadable } from './form-values.ts';
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

describe('what the form of an evaluator sends', () => {
  test.each([
    ['exact', { ignoreCase: false }],
    ['fuzzy', { threshold: 0.8 }],
    ['contains', { value: 'sorry', ignoreCase: false }],
    ['regex', { pattern: '^a', flags: 'i' }],
    ['json_schema', { schema: { type: 'object' } }],
    ['latency', { maxMs: 2000 }],
    ['cost', { maxUsd: 0.01 }],
    ['llm_judge', { connectionId: 'c', model: 'gpt-4o', instructions: 'Be strict.', scale: [1, 5] }],
  ] as const)('for %s is the configuration of that type alone', (type, config) => {
    expect(fieldsOf({ ...filled, type }).config).toEqual(config);
  });

  test('goes by the slug without a name, and leaves out filters without values', () => {
    const fields = fieldsOf({ ...filled, filter: { ...filled.filter, kinds: ['llm'] } });
    expect(fields).toMatchObject({ slug: 'tone', name: 'tone', filter: { kinds: ['llm'] }, sampleRate: 1, passThreshold: null });
    expect(fields).not.toHaveProperty('idleMinutes');
    expect(fieldsOf({ ...filled, target: 'session', idleMinutes: '5' }).idleMinutes).toBe(5);
  });

  test('keeps what is no number for the service to refuse', () => {
    expect(fieldsOf({ ...filled, sampleRate: 'half' }).sampleRate).toBe('half');
    expect(fieldsOf({ ...filled, sampleRate: '0,5' }).sampleRate).toBe(0.5);
  });

  test('is the evaluator again that the form was filled with', () => {
    const fields = fieldsOf({ ...filled, type: 'llm_judge', passThreshold: '3', sampleRate: '0.25' });
    const record = { ...fields, id: 'i', idleMinutes: 30, createdAt: '', updatedAt: '' } as EvaluatorRecord;
    expect(fieldsOf(formOf(record))).toEqual(fields);
  });
});

describe('what is sent to change an evaluator', () => {
  test('is what was typed, and nothing of what was not', () => {
    expect(changedFields(filled, filled)).toEqual({});
    expect(changedFields({ ...filled, sampleRate: '0,5' }, filled)).toEqual({ sampleRate: 0.5 });
    expect(changedFields({ ...filled, name: 'Tone' }, filled)).toEqual({ name: 'Tone' });
    expect(changedFields({ ...filled, ignoreCase: true }, filled)).toEqual({ config: { value: 'sorry', ignoreCase: true } });
  });

  test('leaves what became of the evaluator meanwhile', () => {
    const now = { ...filled, name: 'By somebody else' };
    const form = refilled({ ...filled, sampleRate: '0.5' }, filled, now);
    expect(form).toEqual({ ...now, sampleRate: '0.5' });
    expect(changedFields(form, now)).toEqual({ sampleRate: 0.5 });
  });
});

test('a schema that is no JSON is told before anything is sent', () => {
  expect(unreadable({ ...filled, type: 'json_schema', schema: '{' })?.path).toBe('/config/schema');
  expect(unreadable({ ...filled, type: 'contains', schema: '{' })).toBeNull();
});

test('a schema that nests 50,000 deep can be edited', () => {
  const nested = '['.repeat(50_000) + ']'.repeat(50_000);
  const form: FormValues = { ...filled, type: 'json_schema', schema: `{"a":${nested}}` };
  const record = { ...fieldsOf(form), id: 'i', idleMinutes: 30, createdAt: '', updatedAt: '' } as EvaluatorRecord;
  expect(formOf(record).schema.replaceAll(/\s/g, '')).toBe(form.schema);
  expect(unreadable(form)).toBeNull();
  expect(changedFields(formOf(record), form)).toEqual({});
  expect(Object.keys(changedFields(form, filled))).toEqual(['type', 'config']);
});
