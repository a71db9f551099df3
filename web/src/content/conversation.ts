import { readMessages } from './read-messages.ts';
import type { Message } from './message.ts';

function messagesOf(value: unknown, role: 'user' | 'assistant'): Message[] {
  if (value === null || value === undefined || value === '') return [];
  const messages = readMessages(value);
  if (messages !== null) return messages;
  return [{ role, name: null, parts: [typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'other', value }] }];
}

/** Input and output as one conversation. An input that is not a conversation is a user message, an output an assistant message. */
export function conversationOf(input: unknown, output: unknown): Message[] {
  return [...messagesOf(input, 'user'), ...messagesOf(output, 'assistant')];
}
