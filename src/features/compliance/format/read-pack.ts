import { holdsMoreValues, jsonFault, nestsDeeper } from '../../../platform/json/index.ts';

/** Values of a pack. A generated one has a tenth of them. */
export const maxValues = 500_000;
/** Levels of a pack: a generated one has fewer than 10. */
const maxLevels = 64;

/** Bytes that are no evidence pack. The message is one sentence that says what to do. */
export class NoPack extends Error {}

/** A pack as it was read; any of its members can be wrong or missing. */
export interface ReadPack {
  pack: Readonly<Record<string, unknown>>;
  /** Why programs may read the text differently; null: they do not. */
  fault: string | null;
}

/**
 * Reads a pack as it was downloaded. What can be called a pack is read, however it was changed; verification says what is wrong.
 *
 * @param bytes JSON in UTF-8
 *
 * Errors: {@link NoPack} for bytes that are no JSON object, that nest too deep or hold too many values, and for an object without `sha256`, `signature`
 * and `publicKey`.
 */
export function readPack(bytes: Uint8Array): ReadPack {
  if (holdsMoreValues(bytes, maxValues))
    throw new NoPack('It has more values than a pack can have; give the file as it was downloaded.');
  const text = textOf(bytes);
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new NoPack('It is not a JSON object; give an evidence pack as it was downloaded with format=json.');
  if (nestsDeeper(value, maxLevels)) throw new NoPack('It nests deeper than a pack does; give the file as it was downloaded.');
  const pack = value as Record<string, unknown>;
  if (!['sha256', 'signature', 'publicKey'].some((name) => Object.hasOwn(pack, name)))
    throw new NoPack('It has no sha256, signature and publicKey; give an evidence pack as it was downloaded with format=json.');
  return { pack, fault: jsonFault(text) };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NoPack('It is not text in UTF-8; give an evidence pack as it was downloaded with format=json.');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoPack('It is not valid JSON, or it was cut off; download the pack again.');
  }
}
