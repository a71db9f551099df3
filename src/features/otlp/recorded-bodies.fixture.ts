import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type OtlpEncoding, type OtlpReading } from './read-traces.ts';
import { readChecked } from './read-checked.fixture.ts';

const folder = fileURLToPath(new URL('../../../test/fixtures/otlp/', import.meta.url));

/** The bodies were recorded on 2026-11-21, with span times from 2026-09-21 on. */
export const recordedOptions = { nowMs: Date.UTC(2026, 10, 22), oldestMs: Date.UTC(2026, 0, 1) };

export function fixtureBytes(file: string): Buffer {
  return readFileSync(folder + file);
}

/** The expected record of a span: test/fixtures/otlp/README.md. */
export interface ExpectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  scope: string;
  kind: string;
  operation: string | null;
  provider: string | null;
  model_requested: string | null;
  model: string | null;
  agent_name: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  client_cost: number | null;
  ttft_ms: number | null;
  session_id: string | null;
  user_id: string | null;
  tags: string[] | null;
  prompt_name: string | null;
  prompt_version: string | null;
  is_error: boolean;
  error_code: string | null;
  environment: string | null;
  has_input: boolean;
  has_output: boolean;
}

export interface ExpectedBody {
  summary: {
    spans: number;
    traces: number;
    kinds: Record<string, number>;
    llm: Record<string, number | string[]>;
    sessions: string[];
    agents: string[];
    naive_token_sum_all_spans: number;
  };
  spans: ExpectedSpan[];
}

export const expectedBodies = JSON.parse(fixtureBytes('expected.json').toString()) as Record<string, ExpectedBody>;

/** A recorded body, decompressed, with its encoding. */
export function recordedBody(file: string): { body: Buffer; encoding: OtlpEncoding } {
  const request = JSON.parse(fixtureBytes(file.replace('.bin', '.req.json')).toString()) as Record<string, string | null>;
  const bytes = fixtureBytes(file);
  return {
    body: request['contentEncoding'] === 'gzip' ? gunzipSync(bytes) : bytes,
    encoding: request['contentType'] === 'application/json' ? 'json' : 'protobuf',
  };
}

export function readRecorded(file: string): OtlpReading {
  const { body, encoding } = recordedBody(file);
  return readChecked(body, encoding, recordedOptions);
}
