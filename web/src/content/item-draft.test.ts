import { expect, test } from 'vitest';
import { itemBody, itemDraftOf } from './item-draft.ts';
import type { DatasetItem } from '../api/service.ts';

const item: DatasetItem = {
  id: 'i',
  datasetId: 'd',
  input: { question: 'why?' },
  expectedOutput: 'because',
  metadata: {},
  createdAt: '2026-11-21T00:00:00.000Z',
  updatedAt: '2026-11-21T00:00:00.000Z',
};

test('a new item contains the typed values', () => {
  const draft = itemDraftOf(undefined);
  expect(itemBody({ ...draft, input: { form: 'json', text: '{"n": 9007199254740993}' } }, null)).toEqual({
    body: '{"input":{"n": 9007199254740993},"metadata":{}}',
  });
});

test('only edited fields of an existing item are sent', () => {
  const before = itemDraftOf(item);
  expect(itemBody(before, before)).toEqual({ body: '{}' });
  expect(itemBody({ ...before, expectedOutput: { form: 'text', text: 'since' } }, before)).toEqual({
    body: '{"expectedOutput":"since"}',
  });
  expect(itemBody({ ...before, expectedOutput: { form: 'none', text: 'because' } }, before)).toEqual({
    body: '{"unset":["expectedOutput"]}',
  });
});

test('invalid fields are reported', () => {
  const before = itemDraftOf(item);
  expect(itemBody({ ...before, input: { form: 'json', text: '{' }, metadata: { form: 'json', text: '[]' } }, before)).toEqual({
    problems: { input: expect.stringContaining('Invalid JSON'), metadata: expect.stringContaining('object') },
  });
});
