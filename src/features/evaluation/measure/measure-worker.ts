import { parentPort } from 'node:worker_threads';
import { compare, similarityOf } from './edit-distance.ts';
import { compileSchema, SchemaRefused } from './json-schema.ts';
import type { SchemaCheck } from './json-schema.ts';
import { compilePattern, PatternRefused } from './linear-pattern.ts';
import type { LinearPattern } from './linear-pattern.ts';

/** What the thread is asked; JSON travels as text. */
export type MeasureTask =
  | { kind: 'similarity'; left: string; right: string }
  | { kind: 'schema'; schema: string; value: string }
  | { kind: 'pattern'; pattern: string; flags: string; text: string };

export type MeasureResult = { result: number | string | boolean | null } | { refused: string };

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

function carryOut(task: MeasureTask): MeasureResult {
  try {
    switch (task.kind) {
      case 'similarity':
        return { result: similarityOf(compare(task.left, task.right)) };
      case 'schema': {
        const check = kept(schemas, task.schema, () => compileSchema(JSON.parse(task.schema) as object));
        return { result: check(JSON.parse(task.value)) };
      }
      case 'pattern': {
        const { pattern, flags, text } = task;
        return { result: kept(patterns, `${flags}/${pattern}`, () => compilePattern(pattern, flags)).test(text) };
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
