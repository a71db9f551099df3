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
 * One line out of the first characters of a value's JSON: a string without its quotes, of a conversation what was said last, else the
 * JSON itself.
 *
 * @param json may end in the middle
 */
export function previewOf(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'string') return oneLine(value);
    const prompt = typeof value === 'object' && value !== null && 'prompt' in value ? value.prompt : null;
    if (typeof prompt === 'string') return oneLine(prompt);
    const said = readMessages(value)?.findLast(({ parts }) => parts.some(({ kind }) => kind === 'text'));
    const part = said?.parts.find(({ kind }) => kind === 'text');
    return oneLine(part?.kind === 'text' ? part.text : json);
  } catch {
    if (json.startsWith('"')) return oneLine(unescaped(json.slice(1).replace(/\\[^\\]{0,5}$/, '')));
    const said = [...json.matchAll(content)].at(-1)?.[1];
    return oneLine(said === undefined ? json : unescaped(said));
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
