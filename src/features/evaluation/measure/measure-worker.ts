import { LRUCache } from 'lru-cache';
import { serveParent } from '../../../platform/thread-rpc/index.ts';
import { foldCase } from './canonical-json.ts';
import { compare, similarityOf } from './edit-distance.ts';
import { compileSchema, SchemaRefused } from './json-schema.ts';
import type { SchemaCheck } from './json-schema.ts';
import { compilePattern, PatternRefused } from './linear-pattern.ts';
import type { LinearPattern } from './linear-pattern.ts';
import { hasText } from './text-search.ts';

/** A task of the thread; JSON is sent as text. */
export type MeasureTask =
  | { kind: 'similarity'; left: string; right: string }
  | { kind: 'schema'; schema: string; value: string }
  | { kind: 'refused-schema'; schema: string }
  | { kind: 'pattern'; pattern: string; flags: string; text: string }
  | { kind: 'contains'; text: string; value: string; ignoreCase: boolean };

/** The functions of the thread. */
export interface MeasureFunctions {
  /** Resolves when the engines are loaded, which takes longer than most tasks; time limits start then. */
  ready(): void;
  measure(task: MeasureTask): MeasureResult;
}

export type MeasureResult = { result: number | string | boolean | null } | { refused: string };

/** Steps of an edit distance: those of two entirely different texts of 128 Ki code points, some seconds. */
const maxSteps = 2 ** 29;
/** Cached patterns and schemas: a used pattern may take some megabytes. */
const maxKept = 10;
const schemas = new LRUCache<string, SchemaCheck>({ max: maxKept });
const patterns = new LRUCache<string, LinearPattern>({ max: maxKept });

function kept<T extends object>(cache: LRUCache<string, T>, key: string, make: () => T): T {
  const cached = cache.get(key);
  if (cached) return cached;
  const made = make();
  cache.set(key, made);
  return made;
}

function similarity(left: string, right: string): MeasureResult {
  const comparison = compare(left, right);
  if (comparison.steps <= maxSteps) return { result: similarityOf(comparison) };
  return {
    refused:
      'The texts are too long to compare; a fuzzy evaluator takes two texts of up to 131,072 characters that differ throughout.',
  };
}

function schemaCheck(json: string): SchemaCheck {
  return kept(schemas, json, () => compileSchema(JSON.parse(json) as object));
}

/** The message of {@link SchemaRefused} for a schema; null when it can be used. */
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

serveParent<MeasureFunctions>(() => ({ ready: () => undefined, measure: carryOut }));
