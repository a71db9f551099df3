import { expect, test } from 'vitest';
import type { PromptVersion } from '../../api/service.ts';
import { bodyOf, draftOf, emptyDraft, promptOf, withJson, withType } from './draft.ts';

const version = (fields: Partial<PromptVersion>) =>
  ({ name: 'a', type: 'text', prompt: '', config: {}, ...fields }) as PromptVersion;
const chat = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: '{{question}}', name: 'ada' },
];

test('a draft of a version gives the same version', () => {
  const draft = draftOf(version({ type: 'chat', prompt: JSON.stringify(chat), config: { model: 'm' } }));
  expect(JSON.parse(promptOf(draft))).toEqual(chat);
  expect(bodyOf(draft, false)).toEqual({
    body: { name: 'a', type: 'chat', prompt: JSON.stringify(chat), config: { model: 'm' }, commitMessage: '' },
  });
  expect(promptOf(draftOf(version({ prompt: 'Hi {{name}}' })))).toBe('Hi {{name}}');
});

test('messages round-trip through JSON, with their other fields', () => {
  const json = withJson(draftOf(version({ type: 'chat', prompt: JSON.stringify(chat) })), true);
  expect(json?.json).toContain('"name": "ada"');
  const back = json && withJson(json, false);
  expect(back && JSON.parse(promptOf(back))).toEqual(chat);
  expect(json && withJson({ ...json, json: '[{"role":1}]' }, false)).toBeNull();
});

test('a text becomes the first message of a chat, and a text again', () => {
  const made = withType({ ...emptyDraft('a', ''), text: 'Be brief.' }, 'chat');
  expect(made.messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'Be brief.'],
    ['user', ''],
  ]);
  expect(withType(made, 'text').text).toBe('Be brief.');
});

test('a chat of very many messages is edited as JSON', () => {
  const prompt = JSON.stringify(Array.from({ length: 60 }, () => chat[0]));
  expect(draftOf(version({ type: 'chat', prompt })).json).toContain('Be brief.');
});

test.each(['{', '[]', '3', 'null'])('a configuration of %s is rejected before sending', (config) => {
  expect(bodyOf({ ...emptyDraft('a', ''), config }, true)).toHaveProperty('configError');
});

test('a folder is sent only with a new prompt', () => {
  const draft = { ...emptyDraft('a', ' support '), config: '' };
  expect(bodyOf(draft, true)).toMatchObject({ body: { folder: 'support', config: {} } });
  expect(bodyOf(draft, false)).not.toHaveProperty('body.folder');
});

test('values nested 50,000 levels deep can be edited', () => {
  const nested = '['.repeat(50_000) + ']'.repeat(50_000);
  const prompt = `[{"role":"user","content":"Hi","extra":${nested}}]`;
  const draft = draftOf(version({ type: 'chat', prompt, config: { a: JSON.parse(nested) as unknown } }));
  expect(draft.config.replaceAll(/\s/g, '')).toBe(`{"a":${nested}}`);
  expect(withJson(draft, true)?.json?.replaceAll(/\s/g, '')).toBe(prompt);
  expect(bodyOf(draft, false)).toHaveProperty('body');
});
