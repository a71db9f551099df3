import { jsonText } from './json-text.ts';

/** A value that is being edited: as text, as JSON, or absent. */
export interface ValueDraft {
  form: 'text' | 'json' | 'none';
  text: string;
}

/** A draft of an existing value; undefined means absent. */
export function draftOf(value: unknown): ValueDraft {
  if (value === undefined) return { form: 'none', text: '' };
  return typeof value === 'string' ? { form: 'text', text: value } : { form: 'json', text: jsonText(value) };
}

/**
 * Converts a draft to another form. A text becomes a JSON string and back; other content is kept unchanged.
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

/** The JSON text of a draft exactly as typed, null if absent; or the reason why it is invalid. */
export function readDraft(draft: ValueDraft): { json: string | null } | { problem: string } {
  if (draft.form === 'none') return { json: null };
  if (draft.form === 'text') return { json: JSON.stringify(draft.text) };
  try {
    JSON.parse(draft.text);
    return { json: draft.text };
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'syntax error';
    return { problem: `Invalid JSON: ${reason}. Correct it, or choose Text.` };
  }
}

/** Like {@link readDraft}, for a value that must be an object. */
export function readObjectDraft(draft: ValueDraft): { json: string | null } | { problem: string } {
  const read = readDraft(draft);
  if ('problem' in read || read.json === null) return read;
  const value: unknown = JSON.parse(read.json);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? read : { problem: 'Must be a JSON object, such as {"topic": "weather"}.' };
}
