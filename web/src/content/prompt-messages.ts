import { jsonLine } from '../format/deep-json.ts';

/** A message of a chat prompt. */
export interface PromptMessage {
  role: string;
  content: string;
  /** Its other fields, which the service keeps as they came. */
  rest: Readonly<Record<string, unknown>>;
}

/**
 * The messages of a chat prompt, as it is stored or resolved.
 *
 * @returns null for what is no list of messages, such as one that is being typed
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

/** Messages as the service takes them. */
export function messagesJson(messages: readonly PromptMessage[]): string {
  return jsonLine(messages.map(({ role, content, rest }) => ({ role, content, ...rest })));
}

/** A prompt as lines to be read beside those of another version: of a chat, each message under its role. */
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
