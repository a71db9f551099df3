import { deepJson } from '../format/deep-json.ts';

/** Deeper levels are not indented: the length would grow with the square of the depth. */
const maxIndented = 50;

/** A value as indented JSON. Keeps the order of members. */
export function jsonText(value: unknown): string {
  try {
    return nestsDeeper(value, maxIndented) ? deepJson(value, maxIndented) : (JSON.stringify(value, null, 2) ?? 'null');
  } catch {
    // Indented, it exceeds the maximum string length.
    return deepJson(value, 0);
  }
}

/** Whether a value nests arrays and objects deeper than `levels`. */
function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => nestsDeeper(member, levels - 1));
}
