import { holdsMoreValues, nestsDeeper, parseKeepingNumbers, pointerSteps } from '../../../platform/json/index.ts';
import { ItemError } from './item-error.ts';

/** Bytes of an answer, and of an output as JSON. */
export const maxOutputBytes = 4 * 1_048_576;
/** Levels of an output. */
const maxLevels = 1_000;
/** Levels of a payload of a span. */
const maxSpanLevels = 100;
/** JSON values of an answer: evaluators parse it once more, while others wait. */
const maxValues = 100_000;

/** An output: the JSON text that is stored. */
export interface Output {
  json: string;
  /** It nests too deeply for a span. */
  isDeep: boolean;
}

/**
 * The output in a target's answer (docs/semantics.md, "HTTP targets").
 *
 * @param pointer a JSON pointer; empty: the whole answer, as text where it is not JSON
 *
 * Errors: {@link ItemError}.
 */
export function outputOf(body: Uint8Array, pointer: string): Output {
  const text = utf8.decode(body);
  const parsed = parsedJson(body, text);
  if (parsed === undefined) {
    if (pointer === '') return checkedOutput(text);
    throw new ItemError('The answer is not JSON; correct the target, or set outputPath to "" to take the answer as text.');
  }
  let value: unknown = parsed;
  for (const step of pointerSteps(pointer)) value = member(value, step, pointer);
  return checkedOutput(value);
}

/** An output that can be stored. Errors: {@link ItemError} for one that is too large or nested too deeply. */
export function checkedOutput(value: unknown): Output {
  if (nestsDeeper(value, maxLevels))
    throw new ItemError(`The output is nested more than ${maxLevels} levels deep; answer a flatter one.`);
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) > maxOutputBytes)
    throw new ItemError(`The output has more than ${maxOutputBytes / 1_048_576} MiB; answer a smaller one.`);
  return { json, isDeep: nestsDeeper(value, maxSpanLevels) };
}

/** Invalid bytes are replaced; a mark of the byte order is left out. */
const utf8 = new TextDecoder('utf-8');

/** undefined for what is not JSON. */
function parsedJson(body: Uint8Array, text: string): unknown {
  // A value has a byte at least.
  if (body.length > maxValues && holdsMoreValues(body, maxValues))
    throw new ItemError(`The answer has more than ${maxValues} JSON values; answer a smaller one.`);
  try {
    const parsed: unknown = JSON.parse(text);
    // Numbers are kept in what a recursion can follow.
    return nestsDeeper(parsed, maxLevels) ? parsed : parseKeepingNumbers(text, parsed);
  } catch {
    return undefined;
  }
}

function member(value: unknown, step: string, pointer: string): unknown {
  const found = Array.isArray(value)
    ? /^(?:0|[1-9]\d{0,9})$/.test(step) && Number(step) < value.length
      ? { value: value[Number(step)] as unknown }
      : null
    : typeof value === 'object' && value !== null && Object.hasOwn(value, step)
      ? { value: (value as Record<string, unknown>)[step] }
      : null;
  if (found) return found.value;
  throw new ItemError(`The answer has nothing at ${pointer}; correct outputPath or the target.`);
}
