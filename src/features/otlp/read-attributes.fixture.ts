import type { ScoreRecord, SpanRecord } from '../trace-store/records.ts';
import { encodeRequest } from '../../../test/support/otlp-oracle.ts';
import { readChecked } from './read-checked.fixture.ts';
import { jsonAttributes } from './otlp-requests.fixture.ts';

/** The parts of a request beside the span's attributes. */
export interface SpanParts {
  resource?: Record<string, unknown>;
  status?: { code: number; message?: string };
  events?: { name: string; attributes: Record<string, unknown> }[];
  links?: { traceId: string; spanId: string }[];
  traceState?: string;
}

const startMs = Date.UTC(2026, 10, 21, 10);

function read(attributes: Record<string, unknown>, parts: SpanParts): { spans: SpanRecord[]; scores: ScoreRecord[] } {
  const { resource = {}, events = [], ...rest } = parts;
  const span = {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    name: 'the span',
    kind: 1,
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 1000}000000`,
    attributes: jsonAttributes(attributes),
    events: events.map((event) => ({
      name: event.name,
      timeUnixNano: `${startMs + 500}000000`,
      attributes: jsonAttributes(event.attributes),
    })),
    ...rest,
  };
  const scopeSpans = [{ scope: { name: 'test' }, spans: [span] }];
  const body = encodeRequest({ resourceSpans: [{ resource: { attributes: jsonAttributes(resource) }, scopeSpans }] });
  return readChecked(body, 'protobuf', { nowMs: startMs, oldestMs: startMs - 86_400_000 }).batch;
}

/** The record of an OTLP span with these attributes. */
export function readAttributes(attributes: Record<string, unknown>, parts: SpanParts = {}): SpanRecord {
  const [span] = read(attributes, parts).spans;
  if (span === undefined) throw new Error('the span was rejected');
  return span;
}

/** The scores of an OTLP span with one evaluation event for each element of `events`. */
export function readScores(events: readonly Record<string, unknown>[]): ScoreRecord[] {
  return read({}, { events: events.map((attributes) => ({ name: 'gen_ai.evaluation.result', attributes })) }).scores;
}
