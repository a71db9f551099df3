import { expect, test } from 'vitest';
import { draftAs, draftOf, readDraft, readObjectDraft } from './value-draft.ts';

test('a draft is sent as typed, with all digits', () => {
  expect(readDraft({ form: 'json', text: '{"id": 12345678901234567890}' })).toEqual({ json: '{"id": 12345678901234567890}' });
  expect(readDraft({ form: 'text', text: 'say "hi"' })).toEqual({ json: String.raw`"say \"hi\""` });
  expect(readDraft({ form: 'none', text: 'left over' })).toEqual({ json: null });
});

test('invalid JSON is reported', () => {
  expect(readDraft({ form: 'json', text: '{"a": }' })).toEqual({ problem: expect.stringMatching(/Invalid JSON: .*}/) });
  expect(readObjectDraft({ form: 'json', text: '[1]' })).toEqual({ problem: expect.stringContaining('object') });
  expect(readObjectDraft({ form: 'json', text: '{}' })).toEqual({ json: '{}' });
});

test.each([
  [undefined, { form: 'none', text: '' }],
  [null, { form: 'json', text: 'null' }],
  ['a', { form: 'text', text: 'a' }],
  [{ a: 1 }, { form: 'json', text: '{\n  "a": 1\n}' }],
] as const)('%j becomes a draft', (value, draft) => {
  expect(draftOf(value)).toEqual(draft);
});

test('changing the form keeps the content', () => {
  expect(draftAs({ form: 'text', text: 'a "b"' }, 'json')).toEqual({ form: 'json', text: String.raw`"a \"b\""` });
  expect(draftAs({ form: 'json', text: '"a"' }, 'text')).toEqual({ form: 'text', text: 'a' });
  expect(draftAs({ form: 'json', text: '{"a":' }, 'text')).toEqual({ form: 'text', text: '{"a":' });
  expect(draftAs({ form: 'text', text: '{"a":1}' }, 'json')).toEqual({ form: 'json', text: '{"a":1}' });
});

test('a value nested 50,000 levels deep can be edited', () => {
  const nested = '['.repeat(50_000) + ']'.repeat(50_000);
  const draft = draftOf(JSON.parse(nested));
  expect(draft.text.replaceAll(/\s/g, '')).toBe(nested);
  expect(readDraft(draft)).toEqual({ json: draft.text });
  expect(readObjectDraft(draft)).toHaveProperty('problem');
  expect(draftAs({ form: 'text', text: nested }, 'json')).toEqual({ form: 'json', text: nested });
  expect(draftAs(draft, 'text')).toEqual({ form: 'text', text: draft.text });
});
