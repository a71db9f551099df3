import { readMessages } from './read-messages.ts';

const content = /"(?:content|text)"\s*:\s*"((?:[^"\\]|\\.)*)/g;

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/**
 * A one-line preview of a value: a string without quotes, the last text of a conversation, or else the JSON itself.
 *
 * @param json the beginning of the value's JSON, which may be truncated
 */
export function previewOf(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'string') return oneLine(value);
    const prompt = typeof value === 'object' && value !== null && 'prompt' in value ? value.prompt : null;
    if (typeof prompt === 'string') return oneLine(prompt);
    const last = readMessages(value)?.findLast(({ parts }) => parts.some(({ kind }) => kind === 'text'));
    const part = last?.parts.find(({ kind }) => kind === 'text');
    return oneLine(part?.kind === 'text' ? part.text : json);
  } catch {
    if (json.startsWith('"')) return oneLine(unescaped(json.slice(1).replace(/\\[^\\]{0,5}$/, '')));
    const last = [...json.matchAll(content)].at(-1)?.[1];
    return oneLine(last === undefined ? json : unescaped(last));
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
