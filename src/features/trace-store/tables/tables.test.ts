import { readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { costStatuses, spanKinds } from '../../../contract/kinds.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { RowWriter } from '../../../platform/row-binary/index.ts';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';
import { storedScores, storedSpans } from '../derivation/stored-headers.ts';
import { calls } from './calls.ts';
import { guardrailActivity } from './guardrail-activity.ts';
import { outcomes } from './outcomes.ts';
import { quality } from './quality.ts';
import { scores } from './scores.ts';
import { spanAgents } from './span-agents.ts';
import { spanHeaders } from './span-headers.ts';
import { spans } from './spans.ts';
import { traceTags } from './trace-tags.ts';
import { traces } from './traces.ts';

const tables = { calls, guardrailActivity, outcomes, quality, scores, spanAgents, spans, traces, traceTags };

let clickhouse: ClickHouse;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

test.each(Object.values(tables))('the description of $name has the columns of the migrated table', async ({ name, layout }) => {
  const columns = await clickhouse.systemQuery<{ name: string; type: string }>(
    'SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {name:String} ORDER BY name',
    { name },
  );
  const described = layout.map(([column, type]) => ({ name: column, type }));
  expect(described.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
    columns.map(({ name: column, type }) => ({ name: column, type: insertedAs(type) })),
  );
});

test('span_headers has the columns of spans but for the payloads, and one of its own', async () => {
  const columns = await clickhouse.systemQuery<{ name: string }>(
    `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'span_headers' AND name != 'lot' ORDER BY name`,
  );
  expect(columns.map(({ name }) => name)).toEqual(spanHeaders.columns.toSorted());
});

/** An insert encodes low-cardinality texts as texts and a `DateTime` as seconds. */
function insertedAs(type: string): string {
  return type
    .replaceAll(/LowCardinality\((\w+)\)/g, '$1')
    .replaceAll(", 'UTC'", '')
    .replace("DateTime('UTC')", 'UInt32');
}

test('a changed layout has a new version, since rows in the log name it', async () => {
  for (const { name, layout, layoutVersion } of Object.values(tables)) {
    const text = layout.map(([column, type]) => `${column} ${type}\n`).join('');
    await expect(text).toMatchFileSnapshot(`./snapshots/${name}-${layoutVersion}.txt`);
  }
  const files = readdirSync(new URL('snapshots', import.meta.url)).map((file) => file.replace('.txt', ''));
  const versions = Object.values(tables).flatMap(({ name, layoutVersion }) =>
    Array.from({ length: layoutVersion }, (_, index) => `${name}-${index + 1}`),
  );
  expect(files.toSorted()).toEqual(versions.toSorted());
});

const text = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((value) => value.isWellFormed());
const count = fc.option(fc.nat({ max: Number.MAX_SAFE_INTEGER }));
const instant = fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n });
const anySpan: fc.Arbitrary<SpanRecord> = fc.record({
  traceId: fc.uuid(),
  spanId: fc.uuid(),
  parentSpanId: text,
  name: text,
  kind: fc.constantFrom(...spanKinds),
  startNs: instant,
  endNs: fc.option(instant),
  status: fc.constantFrom('', 'ok', 'error'),
  errorCode: text,
  errorMessage: text,
  model: text,
  requestModel: text,
  provider: text,
  agentName: text,
  operation: text,
  sessionId: text,
  userId: text,
  environment: text,
  release: text,
  service: text,
  promptName: text,
  promptVersion: text,
  promptVersionType: fc.constantFrom('' as const, 'number' as const),
  responseId: text,
  traceName: text,
  toolName: text,
  tags: fc.array(text, { maxLength: 3 }),
  inputTokens: count,
  outputTokens: count,
  cachedTokens: count,
  cacheWriteTokens: count,
  reasoningTokens: count,
  usageDetails: text,
  costUsd: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
  costStatus: fc.constantFrom(...costStatuses),
  timeToFirstTokenMs: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
  source: fc.constantFrom('native', 'otlp'),
  origin: fc.constantFrom('', 'application', 'simulation', 'playground', 'evaluation'),
  scopeName: text,
  input: text,
  output: text,
  metadata: text,
  attributes: text,
  extra: text,
});
const anyScore: fc.Arbitrary<ScoreRecord> = fc.record({
  scoreId: fc.uuid(),
  traceId: fc.uuid(),
  spanId: text,
  sessionId: text,
  evaluator: text,
  score: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  passed: fc.option(fc.boolean()),
  label: text,
  comment: text,
  model: text,
  timestampMs: fc.nat({ max: 4_000_000_000_000 }),
  source: fc.constantFrom('native', 'otlp', 'api', 'evaluator', 'annotation'),
  metadata: text,
  scaleMin: fc.integer(),
  scaleMax: fc.integer(),
  isQuality: fc.boolean(),
});

test(
  'a header is the same from the record, from the bytes of its row, and looked up in the engine, and a record of its row is what was written',
  { timeout: 30_000 },
  async () => {
    let version = 1;
    await fc.assert(
      fc.asyncProperty(
        fc.uuid(),
        fc.array(anySpan, { minLength: 1, maxLength: 40 }),
        fc.array(anyScore, { minLength: 1, maxLength: 10 }),
        async (projectId, spanRecords, scoreRecords) => {
          const writer = new RowWriter();
          const writeSpan = spans.writer(writer);
          const spanHeaders = spanRecords.map((span) => writeSpan({ projectId, version: version++, deleted: false }, span));
          const spanBytes = writer.take();
          const writeScore = scores.writer(writer);
          const scoreHeaders = scoreRecords.map((score) => writeScore({ projectId, version: version++, deleted: false }, score));
          const scoreBytes = writer.take();
          expect(spans.readHeaders(spanBytes)).toEqual(spanHeaders);
          expect(scores.readHeaders(scoreBytes)).toEqual(scoreHeaders);
          await clickhouse.insertRows({ table: 'spans', layout: spans.layout, bytes: [spanBytes], token: `${version}` });
          await clickhouse.insertRows({ table: 'scores', layout: scores.layout, bytes: [scoreBytes], token: `${version}` });
          const spansOf = await storedSpans(
            clickhouse,
            projectId,
            spanHeaders.map(({ traceId }) => traceId),
          );
          const scoresOf = await storedScores(
            clickhouse,
            projectId,
            scoreHeaders.map(({ traceId }) => traceId),
          );
          for (const header of spanHeaders) expect(spansOf.get(header.traceId)).toEqual([header]);
          for (const header of scoreHeaders) expect(scoresOf.get(header.traceId)).toEqual([header]);
          const reader = clickhouse.forTenant({ projectId, oldestMs: null });
          const read = async (payloads: boolean) =>
            (await reader.query<object>(`SELECT ${spans.select({ payloads })} FROM spans FINAL`)).map((row) =>
              spans.fromRow({ ...row }),
            );
          const inOrder = (records: readonly SpanRecord[]) =>
            records.toSorted((left, right) => (left.traceId < right.traceId ? -1 : 1));
          expect(inOrder(await read(true))).toEqual(inOrder(spanRecords));
          const none = { input: '', output: '', metadata: '', attributes: '', extra: '' };
          expect(inOrder(await read(false))).toEqual(inOrder(spanRecords.map((span) => ({ ...span, ...none }))));
        },
      ),
      { numRuns: 10 },
    );
  },
);
