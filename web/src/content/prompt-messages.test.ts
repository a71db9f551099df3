import { expect, test } from 'vitest';
import { messagesJson, promptLines, promptMessages } from './prompt-messages.ts';

test('a chat becomes lines under its roles, with its other fields', () => {
  const prompt = '[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi","name":"ada"}]';
  expect(promptLines('chat', prompt)).toBe('── system ──\nBe brief.\n\n── user {"name":"ada"} ──\nHi');
  expect(messagesJson(promptMessages(prompt) ?? [])).toBe(prompt);
});

test('fields nested 50,000 levels deep are shown and sent', () => {
  const nested = '['.repeat(50_000) + ']'.repeat(50_000);
  const prompt = `[{"role":"user","content":"Hi","extra":${nested}}]`;
  expect(promptLines('chat', prompt)).toBe(`── user {"extra":${nested}} ──\nHi`);
  expect(messagesJson(promptMessages(prompt) ?? [])).toBe(prompt);
  expect(promptMessages(nested)).toBeNull();
});
