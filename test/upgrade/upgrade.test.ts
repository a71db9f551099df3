import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstRelease, startUpgraded } from './first-release.ts';
import type { Upgraded } from './first-release.ts';

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
  spans: Array<{ spanId: string; parentSpanId: string | null; kind: string; agentName: string | null }>;
  scores: Array<{ evaluator: string; score: number; spanId: string | null }>;
}

const recorded = JSON.parse(readFileSync(join(firstRelease, 'recorded.json'), 'utf8')) as Recorded;

let upgraded: Upgraded;
const get = <T>(path: string): Promise<T> => upgraded.get<T>(path);

beforeAll(async () => {
  upgraded = await startUpgraded('data.tar.zst', recorded.recordedMs);
});
afterAll(() => upgraded.close());

const isAudit = (path: string) => path.includes('/audit-log');

/** The first release's answer, with the rule that has changed since: a native span has the agent name of its nearest agent ancestor. */
function withAgentNames(answer: unknown): object {
  const { spans } = answer as Partial<TraceDetail>;
  if (!spans) return answer as object;
  const agentOf = (spanId: string | null): string | null => {
    const span = spans.find((one) => one.spanId === spanId);
    if (!span) return null;
    return (span.kind === 'agent' ? span.agentName : null) ?? agentOf(span.parentSpanId);
  };
  return {
    ...(answer as object),
    spans: spans.map((span) => ({ ...span, agentName: span.agentName ?? agentOf(span.parentSpanId) })),
  };
}

/** Quotients of whole numbers had 15 significant digits in the first release. */
function withRoundedNumbers(answer: unknown): object {
  const text = JSON.stringify(answer, (_name, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(15)) : value,
  );
  return JSON.parse(text) as object;
}

/** Without the input and output that a trace lacked: it has those of its calls now. */
function withoutLacking(answer: object): object {
  const lacking = new Set(['input', 'output', 'inputPreview', 'outputPreview']);
  const { trace } = answer as { trace?: object };
  if (!trace) return answer;
  return {
    ...answer,
    trace: Object.fromEntries(Object.entries(trace).filter(([name, value]) => value !== null || !lacking.has(name))),
  };
}

// A later release may add fields.
test.each(recorded.reads.filter(({ path }) => !isAudit(path)))('$path is answered as before', async ({ path, answer }) => {
  expect(withRoundedNumbers(await get(path))).toMatchObject(withoutLacking(withRoundedNumbers(withAgentNames(answer))));
});

test('the audit log keeps its entries and continues', async () => {
  const { path = '', answer } = recorded.reads.find((read) => isAudit(read.path)) ?? {};
  const before = (answer as { entries: object[] }).entries;
  const { entries } = await get<{ entries: object[] }>(path);
  expect(entries.slice(-before.length)).toMatchObject(before);
  expect(entries.length).toBe(before.length + 1);
  expect(await get(path.replace(/\?.*/, '/verify'))).toMatchObject({ brokenAt: null });
});

/**
 * Fields of the traces in the log whose mapping has changed since the first release; `recorded-bodies.test.ts` tests what they are now. The
 * messages of OpenInference come before its `input.value` and `output.value`. A tool call of the AI SDK has the name of its tool.
 * A status in a message comes before the class of an error.
 */
const mappedAnew: Readonly<Record<string, readonly string[]>> = {
  '6def170ced4d4fb1705dc9e19a8caa0f': ['input', 'output'],
  '1722b9efef8d09d840922d708b18e448': ['name'],
  '311731c1a9f5b6ca6cf3f5e86815435a': ['errorCode'],
};

function without(span: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(span).filter(([field]) => !fields.includes(field)));
}

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
    const before = stored?.answer as TraceDetail | undefined;
    const { spans } = await traceOf(traceId);
    expect(spans).toMatchObject(before?.spans.map((span) => without(span, mappedAnew[traceId] ?? [])) ?? []);
    expect(spans.length).toBeGreaterThan(0);
  });
});

test('nothing is left in the log', () => {
  expect(upgraded.app.features.traceStore.pipeline.pendingEvents(recorded.leftOver.projectId)).toBe(0);
});

test('failed traces that the first release summed up are listed with the error of the failed span that started last', async () => {
  interface Failed {
    trace: { traceId: string };
    spans: Array<{ spanId: string; startTime: string; status: string | null; errorCode: string; errorMessage: string }>;
  }
  const traces = `/v1/projects/${recorded.projectId}/traces`;
  const errors = recorded.reads.flatMap(({ path, answer }) => {
    if (!path.startsWith(`${traces}/`)) return [];
    const { trace, spans } = answer as Failed;
    const last = spans
      .filter(({ status }) => status === 'error')
      .toSorted((a, b) => (`${a.startTime} ${a.spanId}` < `${b.startTime} ${b.spanId}` ? -1 : 1))
      .at(-1);
    return last ? [{ traceId: trace.traceId, error: { code: last.errorCode, message: last.errorMessage } }] : [];
  });
  expect(errors.length).toBeGreaterThan(2);
  const listed = await get<{ traces: Array<{ traceId: string }> }>(`${traces}?status=error&limit=100`);
  expect(listed.traces).toEqual(expect.arrayContaining(errors.map((error) => expect.objectContaining(error))));
});

test('a trace that the first release summed up is listed with what is left of it at the retention edge', async () => {
  interface Recounted {
    trace: object;
    spans: Array<{ spanId: string; startTime: string; endTime: string | null; status: string | null }>;
  }
  const traces = `/v1/projects/${recorded.projectId}/traces`;
  const details = recorded.reads.flatMap(({ path, answer }) => (path.startsWith(`${traces}/`) ? [answer as Recounted] : []));
  const starts = (detail: Recounted) => detail.spans.map((span) => span.startTime).toSorted();
  const straddling = details.find((detail) => new Set(starts(detail)).size > 2);
  const edge = straddling && starts(straddling).at(-1);
  if (!straddling || !edge) throw new Error('the fixture has no trace of several starts');
  // The plan of the first organization keeps a year.
  upgraded.clock.set(Date.parse(edge) + 365 * 86_400_000);
  await upgraded.signIn();
  const left = straddling.spans.filter(({ startTime }) => startTime >= edge);
  expect(left.length).toBeLessThan(straddling.spans.length);
  const expected = {
    ...straddling.trace,
    startTime: edge,
    spanCount: left.length,
    errorCount: left.filter(({ status }) => status === 'error').length,
    endTime:
      left
        .flatMap(({ endTime }) => endTime ?? [])
        .toSorted()
        .at(-1) ?? null,
  };
  const { traceId, startTime, endTime, spanCount, errorCount } = expected as typeof expected & { traceId: string };
  const figures = { traceId, startTime, endTime, spanCount, errorCount };
  const listed = await get<{ traces: Array<{ traceId: string }> }>(`${traces}?from=2025-01-01T00:00:00Z&limit=100`);
  expect(listed.traces.find((trace) => trace.traceId === traceId)).toMatchObject(figures);
  const detail = await get<Recounted>(`${traces}/${traceId}`);
  expect(detail.trace).toMatchObject(figures);
  expect(detail.spans.map(({ spanId }) => spanId).toSorted()).toEqual(left.map(({ spanId }) => spanId).toSorted());
});
