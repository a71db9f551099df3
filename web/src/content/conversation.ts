import { readMessages } from './read-messages.ts';
import type { Message } from './read-messages.ts';

function messagesOf(value: unknown, role: 'user' | 'assistant'): Message[] {
  if (value === null || value === undefined || value === '') return [];
  const messages = readMessages(value);
  if (messages !== null) return messages;
  return [{ role, name: null, parts: [typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'other', value }] }];
}

/** Input and output as one conversation: what is no message already was said by the user, or by the assistant. */
export function conversationOf(input: unknown, output: unknown): Message[] {
  return [...messagesOf(input, 'user'), ...messagesOf(output, 'assistant')];
}
