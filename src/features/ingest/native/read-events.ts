import { ServiceError } from '../../../contract/errors.ts';
import { ingestEvent, maxLines } from '../../../contract/ingest.ts';
import type { LineError } from '../../../contract/ingest.ts';
import { holdsMoreValues, maxBodyValues, nestsDeeper } from '../../../platform/json/index.ts';
import type { OwnPrices } from '../../pricing/index.ts';
import type { IngestBatch } from '../../records/index.ts';
import { withExactPayloads } from './exact-payloads.ts';
import { filledLines } from './filled-lines.ts';
import { refusalSentence } from './refusal-sentence.ts';
import { scoreIdOf } from './score-id.ts';
import { LineRefusal, toRecord } from './to-record.ts';

/** Maximum nesting: JSON.stringify recurses, and a hostile body nests as deep as it is long. */
const maxDepth = 100;

export interface ReadEventsOptions {
  nowMs: number;
  /** The oldest accepted moment, epoch milliseconds. */
  oldestMs: number;
  /** Identifies the body; equal for a repeated body. */
  bodyKey: string;
  /** First arrival of the body, epoch milliseconds; by default now. */
  firstSeenMs?: number;
  /** The project's own prices; default: none. */
  ownPrices?: OwnPrices;
}

export interface ReadEvents {
  batch: IngestBatch;
  accepted: number;
  rejected: LineError[];
}

/**
 * Reads the body of `POST /v1/ingest`: one JSON object a line, blank lines skipped (docs/semantics.md, "Native events"). Invalid lines are
 * rejected one by one (docs/semantics.md, "Rejected lines").
 *
 * Errors: `payload_too_large` over 100 non-blank lines, `invalid_request` over {@link maxBodyValues} and when there is no line.
 */
export function readEvents(body: Buffer, options: ReadEventsOptions): ReadEvents {
  const lines = filledLines(body, maxLines + 1);
  if (lines.length > maxLines) {
    throw new ServiceError(
      'payload_too_large',
      `The body has more than ${maxLines} events; send at most ${maxLines} in one request.`,
    );
  }
  if (holdsMoreValues(body, maxBodyValues)) {
    throw new ServiceError(
      'invalid_request',
      `The body has more than ${maxBodyValues.toLocaleString('en-US')} JSON values; send it in several requests, or long lists of numbers as text.`,
    );
  }
  if (lines.length === 0) throw new ServiceError('invalid_request', 'The body has no events; send one JSON object on each line.');
  const read: ReadEvents = { batch: { spans: [], scores: [] }, accepted: 0, rejected: [] };
  for (const { number, from, to } of lines) {
    const refusal = readLine(body.toString('utf8', from, to), number, options, read.batch);
    if (refusal === null) read.accepted += 1;
    else read.rejected.push({ line: number, code: 'invalid_request', error: refusal });
  }
  return read;
}

/** @returns why the line is rejected; null when its record is in the batch */
function readLine(line: string, number: number, options: ReadEventsOptions, batch: IngestBatch): string | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return 'The line is not valid JSON; send one JSON object on each line.';
  }
  if (Array.isArray(parsed)) return 'The line is a JSON array; send each of its events as an object on a separate line.';
  if (typeof parsed !== 'object' || parsed === null)
    return 'The line is not a JSON object; send one object with a type on each line.';
  if (nestsDeeper(parsed, maxDepth)) return `The event nests more than ${maxDepth} levels deep; flatten it.`;
  const event = ingestEvent.safeParse(parsed);
  if (!event.success) return refusalSentence(event.error, parsed);
  try {
    const { bodyKey, firstSeenMs = options.nowMs } = options;
    const scoreId = () => scoreIdOf({ bodyKey, firstSeenMs, line: number });
    toRecord(withExactPayloads(event.data, line, parsed), { ...options, scoreId }, batch);
    return null;
  } catch (error) {
    if (error instanceof LineRefusal) return error.message;
    throw error;
  }
}
