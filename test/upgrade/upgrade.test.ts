import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../src/app.ts';
import type { App } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { ManualClock } from '../../src/platform/clock/clock.ts';
import { administrator, temporaryDataDirectory } from '../support/service.ts';

interface Recorded {
  /** When the answers were recorded, epoch milliseconds. */
  recordedMs: number;
  projectId: string;
  /** Acknowledged, and in the write-ahead log alone. */
  leftOver: { projectId: string; native: string[]; otlpTraces: string[] };
  reads: Array<{ path: string; answer: unknown }>;
}

interface TraceDetail {
  trace: { name: string };
  spans: Array<{ spanId: string; parentSpanId: string | null }>;
  scores: Array<{ evaluator: string; score: number; spanId: string | null }>;
}

const fixture = join(import.meta.dirname, '../fixtures/first-release');
const recorded = JSON.parse(readFileSync(join(fixture, 'recorded.json'), 'utf8')) as Recorded;

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let app: App;
let cookie: string;

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(`${app.url}${path}`, { headers: { cookie } });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  const archive = zstdDecompressSync(readFileSync(join(fixture, 'data.tar.zst')));
  execFileSync('tar', ['-x', '-C', directory.path], { input: archive });
  const config = readConfig({
    SPANWISE_PORT: '0',
    SPANWISE_DATA_DIR: join(directory.path, 'data'),
    SPANWISE_ADMIN_EMAIL: administrator.email,
    SPANWISE_ADMIN_PASSWORD: administrator.password,
    SPANWISE_LOG_LEVEL: 'silent',
  });
  app = await startApp(config, { log: pino({ level: 'silent' }), clock: new ManualClock(recorded.recordedMs), jobs: false });
  const login = await fetch(`${app.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(administrator),
  });
  cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await app.features.traceStore.pipeline.drain();
});
afterAll(async () => {
  await app.close();
  await directory.remove();
});

const isAudit = (path: string) => path.includes('/audit-log');

// A later release may add fields.
test.each(recorded.reads.filter(({ path }) => !isAudit(path)))('$path is answered as before', async ({ path, answer }) => {
  expect(await get(path)).toMatchObject(answer as object);
});

test('the audit log keeps its entries and continues', async () => {
  const { path = '', answer } = recorded.reads.find((read) => isAudit(read.path)) ?? {};
  const before = (answer as { entries: object[] }).entries;
  const { entries } = await get<{ entries: object[] }>(path);
  expect(entries.slice(-before.length)).toMatchObject(before);
  expect(entries.length).toBe(before.length + 1);
  expect(await get(path.replace(/\?.*/, '/verify'))).toMatchObject({ brokenAt: null });
});

describe('what was acknowledged and left in the log is readable', () => {
  const traceOf = (traceId: string) => get<TraceDetail>(`/v1/projects/${recorded.leftOver.projectId}/traces/${traceId}`);

  test('native events', async () => {
    for (const name of recorded.leftOver.native) {
      const { trace, spans, scores } = await traceOf(`${name}-trace`);
      expect(trace.name).toBe(`${name} as a whole`);
      expect(spans.map(({ spanId }) => spanId).toSorted()).toEqual([`${name}-agent`, `${name}-call`, `${name}-failed`]);
      expect(scores.map(({ evaluator, score }) => [evaluator, score]).toSorted()).toEqual([
        ['helpful', 0.75],
        ['polite', 0.25],
      ]);
    }
  });

  test.each(recorded.leftOver.otlpTraces)('OTLP trace %s, span by span', async (traceId) => {
    // The first release got the same bodies for the first project, and stored them.
    const stored = recorded.reads.find(({ path }) => path.endsWith(`${recorded.projectId}/traces/${traceId}`));
    const { spans } = await traceOf(traceId);
    expect(spans).toEqual((stored?.answer as TraceDetail | undefined)?.spans);
    expect(spans.length).toBeGreaterThan(0);
  });
});

test('nothing is left in the log', () => {
  expect(app.features.traceStore.pipeline.pendingEvents(recorded.leftOver.projectId)).toBe(0);
});
