import { decimalOf, isKeptNumber, parseKeepingNumbers } from '../../../platform/json/index.ts';

/**
 * Whether two JSON values are equal; the order of an object's members does not matter, nor how a number is written, nor the sign of 0 (which `isDeepStrictEqual`
 * tells apart). Recurses as deep as the values nest.
 *
 * @param left as `parseKeepingNumbers` returns it, like `right`: numbers of any length are compared digit by digit
 */
export function equalJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const [one, other] = [numberOf(left), numberOf(right)];
  if (one !== null || other !== null) return one !== null && other !== null && decimalOf(one) === decimalOf(other);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((entry, index) => equalJson(entry, right[index]));
  }
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  const [of, as] = [left as Record<string, unknown>, right as Record<string, unknown>];
  return names.every((name) => Object.hasOwn(as, name) && equalJson(of[name], as[name]));
}

/** {@link equalJson} of two JSON texts. */
export function equalOutputs(left: string, right: string): boolean {
  return equalJson(exact(left), exact(right));
}

/** The value of a JSON text, with its numbers as they are written. */
export function exact(json: string): unknown {
  return parseKeepingNumbers(json, JSON.parse(json));
}

/** A number as it is written; null for other values. */
function numberOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return isKeptNumber(value) ? value.rawJSON : null;
}
