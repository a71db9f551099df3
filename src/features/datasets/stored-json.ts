import { ServiceError } from '../../contract/errors.ts';
import { nestsDeeper, parseKeepingNumbers } from '../../platform/json/index.ts';

/** Maximum nesting of a body, because serializing recurses. Spans keep 100 levels. */
const maxDepth = 110;
/** Maximum bytes of an item's input, expected output and metadata together as JSON, and of a run item's output. */
export const maxItemBytes = 4 * 1_048_576;
/** Maximum bytes of the metadata of a dataset or run. */
const maxMetadataBytes = 64 * 1024;

/** Numeric wire fields. Members with these names in free-form values are parsed as ordinary numbers too. */
const measures = new Set(['latencyMs', 'costUsd']);

/**
 * Parses JSON, but keeps numbers that a double cannot represent (such as ids of 19 digits): `JSON.stringify` writes them as they were sent.
 *
 * Errors: SyntaxError; `invalid_request` for nesting deeper than 110 levels.
 */
export function parseExactly(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (nestsDeeper(parsed, maxDepth)) {
    throw new ServiceError('invalid_request', `Send JSON that nests at most ${maxDepth} levels deep.`);
  }
  return parseKeepingNumbers(text, parsed, measures);
}

/** The stored form of a dataset's or run's metadata. Errors: `payload_too_large` past 64 KiB. */
export function metadataText(metadata: unknown): string {
  const text = JSON.stringify(metadata ?? {});
  if (Buffer.byteLength(text) > maxMetadataBytes) {
    throw new ServiceError('payload_too_large', `The metadata has more than ${maxMetadataBytes / 1024} KiB; keep it smaller.`);
  }
  return text;
}

/** Errors: `payload_too_large` with the index in `items` when the JSON texts of one item exceed 4 MiB together. */
export function checkItemSize(texts: ReadonlyArray<string | null>, index: number): void {
  const bytes = texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0);
  if (bytes <= maxItemBytes) return;
  throw new ServiceError(
    'payload_too_large',
    `Item ${index} (counted from 0) has more than ${maxItemBytes / 1_048_576} MiB; keep large contents elsewhere and refer to them.`,
  );
}

/** Serializes an object with further members whose values are JSON texts; members with a null text are omitted. */
export function withMembers(fields: object, members: ReadonlyArray<readonly [name: string, json: string | null]>): string {
  const added = members.filter(([, json]) => json !== null).map(([name, json]) => `,"${name}":${json}`);
  return `${JSON.stringify(fields).slice(0, -1)}${added.join('')}}`;
}
