import { jsonText } from './json-text.ts';

/** A value while somebody writes it: as text, as JSON, or not there at all. */
export interface ValueDraft {
  form: 'text' | 'json' | 'none';
  text: string;
}

/** A value to be changed; undefined is one that is not there. */
export function draftOf(value: unknown): ValueDraft {
  if (value === undefined) return { form: 'none', text: '' };
  return typeof value === 'string' ? { form: 'text', text: value } : { form: 'json', text: jsonText(value) };
}

/**
 * The same content in another form, as far as there is one: a text becomes a JSON string and back, and what was typed otherwise stays as
 * it is.
 */
export function draftAs(draft: ValueDraft, form: ValueDraft['form']): ValueDraft {
  if (form === draft.form || form === 'none' || draft.form === 'none') return { form, text: draft.text };
  if (form === 'json') return { form, text: looksLikeJson(draft.text) ? draft.text : JSON.stringify(draft.text) };
  try {
    const value: unknown = JSON.parse(draft.text);
    return { form, text: typeof value === 'string' ? value : draft.text };
  } catch {
    return { form, text: draft.text };
  }
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{"]/.test(text) && 'json' in readDraft({ form: 'json', text });
}

/** What is sent of a draft: its JSON text exactly as it was typed, null when it is not there; or why it cannot be sent. */
export function readDraft(draft: ValueDraft): { json: string | null } | { problem: string } {
  if (draft.form === 'none') return { json: null };
  if (draft.form === 'text') return { json: JSON.stringify(draft.text) };
  try {
    JSON.parse(draft.text);
    return { json: draft.text };
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it cannot be read';
    return { problem: `This is not JSON: ${reason}. Correct it, or choose Text.` };
  }
}

/** The same, where the value must be an object. */
export function readObjectDraft(draft: ValueDraft): { json: string | null } | { problem: string } {
  const read = readDraft(draft);
  if ('problem' in read || read.json === null) return read;
  const value: unknown = JSON.parse(read.json);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? read : { problem: 'This must be a JSON object, such as {"topic": "weather"}.' };
}
