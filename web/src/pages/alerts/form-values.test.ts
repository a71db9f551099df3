import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AlertRule } from '../../api/service.ts';
import { refilled } from '../../format/edited-values.ts';
import { changedFields, emptyForm, fieldsOf, formOf, previewFields } from './form-values.ts';

const rule: AlertRule = {
  id: 'r',
  projectId: 'p',
  name: 'Errors',
  type: 'error-rate',
  threshold: 0.07,
  window: '1h',
  filter: { models: ['m'] },
  environment: 'production',
  groupBy: 'model',
  count: null,
  minCount: 20,
  forMinutes: 5,
  recoveryThreshold: 0.07,
  noData: 'keep',
  renotifyMinutes: null,
  channels: [{ id: 'c', type: 'webhook', url: 'https://example.com', hasSecret: true, disabledAt: null }],
  enabled: true,
  state: 'ok',
  lastValue: null,
  lastEvaluatedAt: null,
  lastError: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
};

test('a form that is not edited changes nothing, and an edited field is sent alone', () => {
  const filled = formOf(rule);
  expect(filled.threshold).toBe('7');
  expect(changedFields(filled, filled)).toEqual({});
  expect(changedFields({ ...filled, threshold: '2,5', enabled: false }, filled)).toEqual({ threshold: 0.025 });
});

test('a threshold in per cent survives the form', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (millionths) => {
      const threshold = millionths / 1_000_000;
      expect(fieldsOf(formOf({ ...rule, threshold })).threshold).toBe(threshold);
    }),
  );
});

test('only what the type takes is sent; another type sends every field', () => {
  const filled = formOf(rule);
  expect(fieldsOf({ ...filled, type: 'model-lifecycle', noData: 'fire' })).toMatchObject({
    threshold: null,
    window: null,
    filter: {},
    environment: null,
    groupBy: null,
    count: null,
    minCount: null,
    forMinutes: 0,
    noData: 'keep',
  });
  expect(Object.keys(changedFields({ ...filled, type: 'latency' }, filled))).toContain('filter');
  expect(fieldsOf({ ...filled, type: 'guardrail', groupBy: 'model' }).groupBy).toBeNull();
});

test('the filter of calls is sent as it was typed, by types over calls alone', () => {
  const filled = formOf({ ...rule, filter: { models: ['m'], expression: ' latency:>2s ' } });
  expect(changedFields(filled, filled)).toEqual({});
  const filter = { models: ['m'], expression: 'status:error' };
  expect(changedFields({ ...filled, expression: 'status:error' }, filled)).toEqual({ filter });
  expect(changedFields({ ...filled, expression: '  ' }, filled)).toEqual({ filter: { models: ['m'] } });
  expect(fieldsOf({ ...filled, type: 'quality' }).filter).toEqual({ models: ['m'] });
});

test('a kept secret is not sent, a typed one is', () => {
  const filled = formOf(rule);
  expect(fieldsOf(filled).channels).toEqual([{ type: 'webhook', url: 'https://example.com' }]);
  const channels = filled.channels.map((channel) => ({ ...channel, secret: ' whsec_x ' }));
  expect(changedFields({ ...filled, channels }, filled)).toEqual({
    channels: [{ type: 'webhook', url: 'https://example.com', secret: 'whsec_x' }],
  });
});

test('a preview waits for the threshold and leaves out what does not matter', () => {
  expect(previewFields(emptyForm)).toBeNull();
  expect(previewFields({ ...emptyForm, type: 'model-lifecycle', threshold: '1' })).toBeNull();
  expect(previewFields({ ...formOf(rule), name: '' })).toMatchObject({ name: 'Preview', channels: [], threshold: 0.07 });
  expect(previewFields({ ...emptyForm, type: 'ingest-stopped' })).toMatchObject({ threshold: null, window: '15m' });
});

test('a newer version keeps what was edited', () => {
  const filled = formOf(rule);
  const newer = formOf({ ...rule, name: 'Renamed', minCount: 50 });
  expect(refilled({ ...filled, minCount: '5' }, filled, newer)).toMatchObject({ name: 'Renamed', minCount: '5' });
});
