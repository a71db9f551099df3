import { encodeRequest } from '../../../test/support/otlp-oracle.ts';
import type { ScoreRecord, SpanRecord } from '../records/index.ts';
import { jsonAttributes } from './otlp-requests.fixture.ts';
import { readChecked } from './read-checked.fixture.ts';
import type { OtlpEncoding } from './read-traces.ts';

/** The parts of a request beside the span's attributes. */
export interface SpanParts {
  name?: string;
  scopeName?: string;
  resource?: Record<string, unknown>;
  status?: { code: number; message?: string };
  events?: { name: string; attributes: Record<string, unknown> }[];
  links?: { traceId: string; spanId: string }[];
  traceState?: string;
}

/** A span as a client sends it, and the fields that it must have. Made by hand; recorded bodies are in test/fixtures/otlp. */
export interface ClientSpan {
  client: string;
  attributes: Record<string, unknown>;
  parts?: SpanParts;
  /** Inputs, outputs and metadata as the value of their JSON. */
  fields: Partial<Record<keyof SpanRecord, unknown>>;
}

const startMs = Date.UTC(2026, 10, 21, 10);

function read(
  attributes: Record<string, unknown>,
  parts: SpanParts,
  encoding: OtlpEncoding,
): { spans: SpanRecord[]; scores: ScoreRecord[] } {
  const { resource = {}, events = [], scopeName = 'test', ...rest } = parts;
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
  const scopeSpans = [{ scope: { name: scopeName }, spans: [span] }];
  const request = { resourceSpans: [{ resource: { attributes: jsonAttributes(resource) }, scopeSpans }] };
  const body = encoding === 'json' ? Buffer.from(JSON.stringify(request)) : encodeRequest(request);
  return readChecked(body, encoding, { nowMs: startMs, oldestMs: startMs - 86_400_000 }).batch;
}

/** The record of an OTLP span with these attributes. */
export function readAttributes(
  attributes: Record<string, unknown>,
  parts: SpanParts = {},
  encoding: OtlpEncoding = 'protobuf',
): SpanRecord {
  const [span] = read(attributes, parts, encoding).spans;
  if (span === undefined) throw new Error('the span was rejected');
  return span;
}

/** The scores of an OTLP span with one evaluation event for each element of `events`. */
export function readScores(events: readonly Record<string, unknown>[]): ScoreRecord[] {
  return read({}, { events: events.map((attributes) => ({ name: 'gen_ai.evaluation.result', attributes })) }, 'protobuf').scores;
}
