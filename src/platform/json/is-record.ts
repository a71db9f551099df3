import { isKeptNumber } from './exact-numbers.ts';

/** Whether a parsed value is a JSON object: neither a list nor null, nor a number that `parseKeepingNumbers` kept. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isKeptNumber(value);
}
