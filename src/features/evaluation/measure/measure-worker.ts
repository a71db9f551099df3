import { parentPort } from 'node:worker_threads';
import { foldCase } from './canonical-json.ts';
import { compare, similarityOf } from './edit-distance.ts';
import { compileSchema, SchemaRefused } from './json-schema.ts';
import type { SchemaCheck } from './json-schema.ts';
import { compilePattern, PatternRefused } from './linear-pattern.ts';
import type { LinearPattern } from './linear-pattern.ts';
import { hasText } from './text-search.ts';

/** What the thread is asked; JSON travels as text. */
export type MeasureTask =
  | { kind: 'similarity'; left: string; right: string }
  | { kind: 'schema'; schema: string; value: string }
  | { kind: 'refused-schema'; schema: string }
  | { kind: 'pattern'; pattern: string; flags: string; text: string }
  | { kind: 'contains'; text: string; value: string; ignoreCase: boolean };

export type MeasureResult = { result: number | string | boolean | null } | { refused: string };

/** The most steps of an edit distance: two texts of 128 Ki code points that differ throughout; some seconds. */
const mostSteps = 2 ** 29;
/** A pattern that was used may hold some megabytes. */
const mostKept = 10;
const schemas = new Map<string, SchemaCheck>();
const patterns = new Map<string, LinearPattern>();

function kept<T>(cache: Map<string, T>, key: string, make: () => T): T {
  let value = cache.get(key);
  if (value === undefined) {
    value = make();
    if (cache.size >= mostKept) cache.clear();
    cache.set(key, value);
  }
  return value;
}

function similarity(left: string, right: string): MeasureResult {
  const comparison = compare(left, right);
  if (comparison.steps <= mostSteps) return { result: similarityOf(comparison) };
  return {
    refused:
      'The texts are too long to compare; a fuzzy evaluator takes two texts of up to 131,072 characters that differ throughout.',
  };
}

function schemaCheck(json: string): SchemaCheck {
  return kept(schemas, json, () => compileSchema(JSON.parse(json) as object));
}

/** Why a schema cannot be used, in the words of {@link SchemaRefused}; null when it can. */
function refusalOf(json: string): string | null {
  try {
    schemaCheck(json);
    return null;
  } catch (error) {
    if (error instanceof SchemaRefused) return error.message;
    throw error;
  }
}

function carryOut(task: MeasureTask): MeasureResult {
  try {
    switch (task.kind) {
      case 'similarity':
        return similarity(task.left, task.right);
      case 'schema':
        return { result: schemaCheck(task.schema)(JSON.parse(task.value)) };
      case 'refused-schema':
        return { result: refusalOf(task.schema) };
      case 'pattern': {
        const { pattern, flags, text } = task;
        return { result: kept(patterns, `${flags}/${pattern}`, () => compilePattern(pattern, flags)).test(text) };
      }
      case 'contains': {
        const { text, value, ignoreCase } = task;
        return { result: ignoreCase ? hasText(foldCase(text), foldCase(value)) : hasText(text, value) };
      }
    }
  } catch (error) {
    if (error instanceof PatternRefused) return { refused: `The pattern ${error.message}.` };
    if (error instanceof SchemaRefused) return { refused: `The schema ${error.message}.` };
    if (error instanceof RangeError) return { refused: 'The schema and the value are nested too deeply to be checked.' };
    throw error;
  }
}

parentPort?.on('message', (task: MeasureTask) => parentPort?.postMessage(carryOut(task)));
// Loading the engines takes longer than most tasks: the time of a task counts from here.
parentPort?.postMessage('ready');
