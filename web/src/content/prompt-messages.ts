import { jsonLine } from '../format/deep-json.ts';

/** A message of a chat prompt. */
export interface PromptMessage {
  role: string;
  content: string;
  /** Its other fields, which the service stores unchanged. */
  rest: Readonly<Record<string, unknown>>;
}

/**
 * Parses the messages of a stored or resolved chat prompt.
 *
 * @returns null if it is not a list of messages, for example while it is being edited
 */
export function promptMessages(prompt: unknown): PromptMessage[] | null {
  const value = typeof prompt === 'string' ? parsed(prompt) : prompt;
  if (!Array.isArray(value)) return null;
  const messages: PromptMessage[] = [];
  for (const message of value as unknown[]) {
    if (typeof message !== 'object' || message === null) return null;
    const { role, content, ...rest } = message as Record<string, unknown>;
    if (typeof role !== 'string' || typeof content !== 'string') return null;
    messages.push({ role, content, rest });
  }
  return messages;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Serializes messages for a request. */
export function messagesJson(messages: readonly PromptMessage[]): string {
  return jsonLine(messages.map(({ role, content, rest }) => ({ role, content, ...rest })));
}

/** A prompt as text for a line diff. Each message of a chat follows a line with its role. */
export function promptLines(type: 'text' | 'chat', prompt: string): string {
  const messages = type === 'chat' ? promptMessages(prompt) : null;
  if (messages === null) return prompt;
  return messages
    .map(({ role, content, rest }) => {
      const fields = Object.keys(rest).length === 0 ? '' : ` ${jsonLine(rest)}`;
      return `── ${role}${fields} ──\n${content}`;
    })
    .join('\n\n');
}
