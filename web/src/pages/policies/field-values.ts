import { deepJson, jsonLine } from '../../format/deep-json.ts';
import { pointerSteps } from '../../format/json-pointer.ts';

/** Longer values, in characters, are cut. */
const maxLength = 2_000;
/** JSON up to this length, in characters, is on one line. */
const maxLine = 100;

/** A value of a planned change as text: texts as they are, others as JSON; null, which stands for an absent field, as `not set`. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'not set';
  const text = typeof value === 'string' ? value : jsonText(value);
  if (text === '') return '""';
  return text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length - maxLength} characters more)` : text;
}

function jsonText(value: unknown): string {
  const line = jsonLine(value);
  return line.length > maxLine ? deepJson(value, 4) : line;
}

/** A JSON pointer into `spec` as a path: `/config/patterns/0/label` becomes `config.patterns[0].label`. */
export function fieldPath(pointer: string): string {
  return pointerSteps(pointer)
    .map((key, index) => {
      if (/^\d+$/.test(key)) return `[${key}]`;
      if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key)) return `[${JSON.stringify(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}
