import { ServiceError } from '../../contract/errors.ts';
import { nestsDeeper, parseKeepingNumbers } from '../../platform/json/index.ts';

/** Deepest nesting of a body: writing it again recurses, and a hostile one nests as deep as it is long. Spans keep 100 levels. */
const mostDepth = 110;
/** What input, expected output and metadata of one item may come to as JSON, and what the output of a run item may. */
export const mostItemBytes = 4 * 1_048_576;
/** What the metadata of a dataset or of a run may come to. */
const mostMetadataBytes = 64 * 1024;

/** Fields of the wire that are numbers themselves; members of free-form values of that name are kept to what a number holds. */
const measures = new Set(['latencyMs', 'costUsd']);

/**
 * `JSON.parse`, but a number that JavaScript would change (an id of 19 digits, say) is written again as it was sent by `JSON.stringify`.
 *
 * Errors: SyntaxError; `invalid_request` for what nests deeper than 110 levels.
 */
export function parseExactly(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (nestsDeeper(parsed, mostDepth)) {
    throw new ServiceError('invalid_request', `Send JSON that nests at most ${mostDepth} levels deep.`);
  }
  return parseKeepingNumbers(text, parsed, measures);
}

/** The metadata of a dataset or run as it is stored. Errors: `payload_too_large` past 64 KB. */
export function metadataText(metadata: unknown): string {
  const text = JSON.stringify(metadata ?? {});
  if (Buffer.byteLength(text) > mostMetadataBytes) {
    throw new ServiceError('payload_too_large', `The metadata has more than ${mostMetadataBytes / 1024} KB; keep it smaller.`);
  }
  return text;
}

/** Errors: `payload_too_large`, naming the entry of `items`, when the JSON texts of one item come to more than 4 MB. */
export function checkItemSize(texts: ReadonlyArray<string | null>, index: number): void {
  const bytes = texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0);
  if (bytes <= mostItemBytes) return;
  throw new ServiceError(
    'payload_too_large',
    `Item ${index} (counted from 0) has more than ${mostItemBytes / 1_048_576} MB; keep large contents elsewhere and refer to them.`,
  );
}

/** An object as JSON text, with further members whose values are JSON texts; one whose text is null is left out. */
export function withMembers(fields: object, members: ReadonlyArray<readonly [name: string, json: string | null]>): string {
  const added = members.filter(([, json]) => json !== null).map(([name, json]) => `,"${name}":${json}`);
  return `${JSON.stringify(fields).slice(0, -1)}${added.join('')}}`;
}
