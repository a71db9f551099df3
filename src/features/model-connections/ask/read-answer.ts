import { holdsMoreValues } from '../../../platform/json/index.ts';
import { choiceOf, usageOf } from './completion.ts';
import type { CompletionChoice, CompletionUsage } from './completion.ts';
import { jsonObjectInText } from './json-object-in-text.ts';
import type { JsonObject } from './json-object-in-text.ts';
import { redactSecret } from './without-secret.ts';

/** JSON values of a server's answer, and of the object that a model answers with. */
export const answerLimits = { values: 100_000, objectValues: 10_000 };

/** A chat completion as it was read. */
export interface ReadAnswer {
  usage: CompletionUsage;
  /** null: the body is no chat completion. Runs of 8 or more characters of the API key are replaced by `[redacted]`. */
  choice: CompletionChoice | null;
  /** The JSON object in the text; null where there is none, it is too large, or none was asked for. */
  object: JsonObject | null;
}

export interface ReadAnswerOptions {
  /** Is not repeated. */
  apiKey: string | null;
  /** Properties by which the object is told from others in the text; null: no object is asked for. */
  essential: readonly string[] | null;
}

/** Reads the body of a model server's answer; `not-json` and `too-many-values` where it cannot be read. */
export function readAnswer(
  body: Uint8Array,
  { apiKey, essential }: ReadAnswerOptions,
): ReadAnswer | 'not-json' | 'too-many-values' {
  if (holdsMoreValues(body, answerLimits.values)) return 'too-many-values';
  const parsed = parsedJson(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'));
  if (parsed === undefined) return 'not-json';
  const usage = usageOf(parsed);
  const answered = choiceOf(parsed);
  if (!answered) return { usage, choice: null, object: null };
  const choice = { ...answered, text: redactSecret(answered.text, apiKey) };
  return { usage, choice, object: essential === null ? null : objectIn(choice.text, essential) };
}

function objectIn(text: string, essential: readonly string[]): JsonObject | null {
  return holdsMoreValues(Buffer.from(text), answerLimits.objectValues) ? null : jsonObjectInText(text, essential);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
