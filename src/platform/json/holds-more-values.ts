import { jsonExcess } from './json-excess.ts';

/** Maximum values in a body of telemetry or dataset items. A body of 16 MiB exceeds it only with values of two or three bytes. */
export const maxBodyValues = 2_000_000;

/**
 * Whether a JSON text has more than `max` values. Checked before parsing, as {@link jsonExcess} says.
 *
 * @param json UTF-8; invalid JSON is counted in the same way
 */
export function holdsMoreValues(json: Uint8Array, max: number): boolean {
  return json.length > max && jsonExcess(json, { values: max, levels: Infinity }) === 'values';
}
