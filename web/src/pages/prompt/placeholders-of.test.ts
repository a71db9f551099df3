import { expect, test } from 'vitest';
import { placeholdersOf } from './placeholders-of.ts';

const named = (version: Parameters<typeof placeholdersOf>[0]) => {
  const { variables, references } = placeholdersOf(version);
  return [variables, references.map(({ name }) => name)];
};

test('the variables of included prompts are named, in order', () => {
  const prompt = '{{> tone }} {{question}}';
  expect(named({ type: 'text', prompt, resolvedPrompt: 'Be {{mood}} {{question}}' })).toEqual([['mood', 'question'], ['tone']]);
  const messages = (content: string) => [{ role: 'user', content }];
  expect(
    named({ type: 'chat', prompt: JSON.stringify(messages(prompt)), resolvedPrompt: messages('Be {{mood}} {{question}}') }),
  ).toEqual([['mood', 'question'], ['tone']]);
});

test('where a prompt cannot be resolved, its own variables', () => {
  expect(named({ type: 'text', prompt: '{{> tone }} {{a}}', resolvedPrompt: null })).toEqual([['a'], ['tone']]);
});
