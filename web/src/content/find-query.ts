import { createContext } from 'react';
import { jsonLine } from '../format/deep-json.ts';
import { jsonText } from './json-text.ts';
import type { Message, Part } from './message.ts';

/** The text that is searched in the contents inside the provider, in lower case; `''`: none. Folded contents that have it open. */
export const FindQuery = createContext('');

/** Whether a text has the searched one. */
export function hasText(text: string, query: string): boolean {
  return query !== '' && text.toLowerCase().includes(query);
}

/** Whether a message has the searched text, in what it says or in tool calls. */
export function messageHasText({ parts }: Message, query: string): boolean {
  return parts.some((part) => partHasText(part, query));
}

/** Whether a part of a message has the searched text. */
export function partHasText(part: Part, query: string): boolean {
  return query !== '' && textsOf(part).some((text) => hasText(text, query));
}

function textsOf(part: Part): string[] {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return [part.text];
    case 'tool-call':
      return [part.name, jsonOf(part.arguments), jsonOf(part.result)];
    case 'tool-result':
      return [part.name ?? '', jsonOf(part.result)];
    case 'media':
      return [part.label];
    case 'other':
      return [jsonOf(part.value)];
  }
}

const jsonOf = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : jsonLine(value));

/** One line that says what a message has, for its folded form. */
export function messageLine({ parts }: Message): string {
  const part = parts.find(({ kind }) => kind === 'text') ?? parts[0];
  if (part === undefined) return '';
  const calls = parts
    .filter(({ kind }) => kind === 'tool-call')
    .map((call) => (call.kind === 'tool-call' ? `${call.name}()` : ''));
  const text = part.kind === 'tool-call' ? '' : (textsOf(part)[0] ?? '').slice(0, 300);
  return [text.replaceAll(/\s+/g, ' ').trim(), ...calls].filter((one) => one !== '').join(' · ');
}

/** A message as a text to copy. */
export function messageText({ parts }: Message): string {
  return parts
    .map((part) =>
      part.kind === 'text' || part.kind === 'reasoning'
        ? part.text
        : part.kind === 'tool-call'
          ? jsonText({ name: part.name, arguments: part.arguments, ...(part.answered ? { result: part.result } : {}) })
          : part.kind === 'tool-result'
            ? jsonOf(part.result)
            : part.kind === 'media'
              ? (part.url ?? part.label)
              : jsonOf(part.value),
    )
    .join('\n\n');
}
