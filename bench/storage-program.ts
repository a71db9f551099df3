import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { LocalBatchBuilder, restoreCopies } from '../src/features/trace-store/index.ts';
import { encodeOtlpRecord } from '../src/features/trace-store/log/log-record.ts';
import { spans as spansTable } from '../src/features/trace-store/tables/spans.ts';
import { openTestClickHouse } from '../test/support/analytics.ts';
import type { Figure } from './figure.ts';
import { conversationBodies, otlpBodies } from './load.ts';

// CPU of inserting a span and its size on disk. Runs in its own process: the embedded engine opens one directory per process, and the CPU of the
// whole process is measured.

const [rounds = 2, bodies = 64] = process.argv.slice(2).map(Number);
const bodiesABatch = 32;
const spansABody = 512;
const projectId = '0197a000-0000-7000-8000-000000000001';
const { clickhouse, close } = await openTestClickHouse();
const now = Date.now();
const figures = [await insertFigure(), await diskFigure()];
await close();
process.send?.(figures satisfies Figure[]);
process.disconnect();

/** The rows of requests in batches, as the pipeline makes them. */
async function batchesOf(requests: readonly Buffer[]) {
  const builder = new LocalBatchBuilder(clickhouse);
  const tenant = { projectId, organizationId: projectId };
  const counts = { quotaCount: spansABody, eventCount: spansABody, spanCount: spansABody };
  const counted = { ...counts, month: '2026-11-01', receivedMs: now, bodyDigest: '' };
  const records = requests.map((body, index) =>
    encodeOtlpRecord(
      tenant,
      {
        body,
        encoding: 'protobuf',
        contentEncoding: 'gzip',
        inflatedBytes: body.length,
        nowMs: now,
        oldestMs: 0,
        spanCount: spansABody,
        maxScores: 0,
        passThresholds: new Map(),
        ownPrices: new Map(),
      },
      counted,
      now * 1000 + index * spansABody,
    ),
  );
  const batches = [];
  for (let at = 0; at < records.length; at += bodiesABatch) {
    const terms = { token: `bench-${at}`, fresh: true, unwritten: 0, minVersion: 0, spansOfProjects: [] };
    const { derived, rows } = await builder.build(records.slice(at, at + bodiesABatch), terms);
    await builder.written();
    batches.push({ derived, rows });
  }
  return batches;
}

/** CPU of inserting the same rows of `spans` as RowBinary, as the pipeline does, and as JSON lines; both from files with the same blocks. */
async function insertFigure(): Promise<Figure> {
  const batches = await batchesOf(otlpBodies(bodies));
  const columns = spansTable.layout.map(([column]) => column).join(', ');
  const structure = spansTable.layout.map(([column, type]) => `${column} ${type}`).join(', ');
  await clickhouse.command('CREATE TABLE spans_of_json AS spans');
  await clickhouse.command('SYSTEM STOP MERGES');
  const ratios: number[] = [];
  const microseconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let [binary, json] = [0, 0];
    for (const [index, { rows }] of batches.entries()) {
      await clickhouse.command('TRUNCATE TABLE spans');
      const token = `${round}-${index}`;
      binary += await cpuOf(async () => {
        for (const insert of rows) await clickhouse.insertRows({ ...insert, copies: [], token: `${token}-${insert.table}` });
      });
      const file = join(tmpdir(), `spanwise-bench-${process.pid}-${token}.json`);
      const written = `file('${file}', 'JSONEachRow', '${structure.replaceAll("'", "\\'")}')`;
      await clickhouse.command(`INSERT INTO FUNCTION ${written} SELECT ${columns} FROM spans`);
      json += await cpuOf(() =>
        clickhouse.command(
          `INSERT INTO spans_of_json (${columns}) SELECT * FROM ${written}
           SETTINGS max_insert_block_size = 100000000, min_insert_block_size_rows = 100000000, max_threads = 1`,
        ),
      );
      await rm(file);
    }
    ratios.push(binary / json);
    microseconds.push(binary / (bodies * spansABody));
  }
  await clickhouse.command('SYSTEM START MERGES');
  await clickhouse.command('DROP TABLE spans_of_json');
  const detail = `${microseconds.toSorted()[0]?.toFixed(1)} µs a span`;
  return { title: 'insert CPU of a row ÷ JSONEachRow insert', values: ratios, unit: '', wanted: { most: 0.25 }, detail };
}

/** Bytes on disk of spans and their derived rows after merging, compared with the same spans as JSON lines under `gzip -6`. */
async function diskFigure(): Promise<Figure> {
  for (const table of ['spans', 'calls', 'traces']) await clickhouse.command(`TRUNCATE TABLE ${table}`);
  const batches = await batchesOf(conversationBodies(bodies));
  for (const { derived, rows } of batches) for (const insert of [...derived, ...rows]) await clickhouse.insertRows(insert);
  for (const table of ['spans', 'calls', 'traces']) await clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`);
  const parts = await clickhouse.systemQuery<{ bytes: number }>(
    `SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase() AND table IN ('spans', 'calls', 'traces')`,
  );
  const file = join(tmpdir(), `spanwise-bench-${process.pid}.json`);
  const kept = spansTable.layout
    .map(([column]) => column)
    .filter((column) => !['version', 'is_deleted', 'project_id'].includes(column));
  const sent = kept.filter((column) => !column.endsWith('_preview'));
  await clickhouse.command(
    `INSERT INTO FUNCTION file('${file}', 'JSONEachRow') SELECT ${sent.join(', ')} FROM spans ORDER BY start_time`,
  );
  let text = 0;
  let zipped = 0;
  await pipeline(
    createInterface({ input: createReadStream(file) }),
    async function* (lines: AsyncIterable<string>) {
      for await (const line of lines) {
        const row = JSON.parse(line) as { input: string; output: string; attributes: string };
        const whole = `${JSON.stringify({ ...row, attributes: restoreCopies(row) })}\n`;
        text += Buffer.byteLength(whole);
        yield whole;
      }
    },
    createGzip({ level: 6 }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const { length } of chunks) zipped += length;
    },
  );
  await rm(file);
  const spans = bodies * spansABody;
  const onDisk = parts[0]?.bytes ?? 0;
  const detail = `${(onDisk / spans).toFixed(0)} ÷ ${(zipped / spans).toFixed(0)} bytes a span; ${(text / spans).toFixed(0)} as text`;
  return {
    title: 'bytes of a span on disk, merged ÷ gzip -6 of its JSON lines',
    values: [onDisk / zipped],
    unit: '',
    wanted: { most: 0.6 },
    detail,
  };
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
