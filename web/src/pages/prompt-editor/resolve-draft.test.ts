import { expect, test } from 'vitest';
import { referenceKey } from '../../content/prompt-parts.ts';
import { draftReferences, resolveDraft } from './resolve-draft.ts';
import type { Target } from './resolve-draft.ts';

test('references are replaced in every message; unresolved ones stay', () => {
  const prompt = JSON.stringify([
    { role: 'system', content: '{{> tone }} {{> gone }}' },
    { role: 'user', content: '{{question}} {{> tone }}' },
  ]);
  const references = draftReferences({ type: 'chat', prompt });
  expect(references.map(({ name }) => name)).toEqual(['tone', 'gone']);
  const targets = new Map<string, Target>(
    references.map((one) => [referenceKey(one), one.name === 'tone' ? { text: 'Be kind.' } : { problem: 'nowhere' }]),
  );
  expect(resolveDraft({ type: 'chat', prompt }, targets)).toEqual([
    { role: 'system', content: 'Be kind. {{> gone }}' },
    { role: 'user', content: '{{question}} Be kind.' },
  ]);
  expect(resolveDraft({ type: 'text', prompt: 'a {{> tone }}' }, targets)).toBe('a Be kind.');
});

test('an incomplete chat has no references', () => {
  expect(draftReferences({ type: 'chat', prompt: '[{"role"' })).toEqual([]);
});
