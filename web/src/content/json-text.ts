import { deepJson } from '../format/deep-json.ts';

/** Deeper levels are not indented: the text would grow with the square of the depth. */
const mostIndented = 50;

/** A value as indented JSON, in the order it came. */
export function jsonText(value: unknown): string {
  try {
    return nestsDeeper(value, mostIndented) ? deepJson(value, mostIndented) : (JSON.stringify(value, null, 2) ?? 'null');
  } catch {
    // With its indents it is longer than a text can be.
    return deepJson(value, 0);
  }
}

/** Whether a value nests lists and objects deeper than so many levels. */
function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => nestsDeeper(member, levels - 1));
}
