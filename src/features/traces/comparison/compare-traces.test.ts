import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import type { ComparedRow } from '../../../contract/trace-comparison.ts';
import type { SpanRecord } from '../../records/index.ts';
import { nowNs, openTracesService } from '../traces-service.fixture.ts';
import type { TracesService } from '../traces-service.fixture.ts';

const second = 1_000_000_000n;

/** An agent that asks a model, calls a tool and asks again. */
function traceOf(
  traceId: string,
  changed: { answer?: Partial<SpanRecord>; tool?: Partial<SpanRecord>; more?: Array<Partial<SpanRecord>> } = {},
) {
  const at = (from: number, seconds: bigint) => ({
    startNs: nowNs + BigInt(from) * second,
    endNs: nowNs + BigInt(from) * second + seconds * second,
  });
  const call = {
    kind: 'llm' as const,
    model: 'm1',
    name: 'chat',
    inputTokens: 10,
    outputTokens: 5,
    costUsd: 0.01,
    costStatus: 'priced' as const,
  };
  const parentSpanId = `${traceId}-root`;
  return [
    { traceId, spanId: parentSpanId, name: 'support', kind: 'agent' as const, agentName: 'support', ...at(0, 10n) },
    { traceId, spanId: `${traceId}-1`, parentSpanId, ...call, input: '"hello"', output: '"search"', ...at(1, 2n) },
    {
      traceId,
      spanId: `${traceId}-2`,
      parentSpanId,
      name: 'execute_tool',
      kind: 'tool' as const,
      toolName: 'search',
      ...at(4, 1n),
      ...changed.tool,
    },
    {
      traceId,
      spanId: `${traceId}-3`,
      parentSpanId,
      ...call,
      input: '"found"',
      output: '"done"',
      ...at(6, 2n),
      ...changed.answer,
    },
    ...(changed.more ?? []).map((span, index) => ({
      traceId,
      spanId: `${traceId}-more-${index}`,
      parentSpanId,
      ...at(9, 1n),
      ...span,
    })),
  ];
}

let service: TracesService;
let project: TestProject;

beforeAll(async () => {
  service = await openTracesService();
  project = service.project();
  const chain = (traceId: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      traceId,
      spanId: `${traceId}-${index}`,
      parentSpanId: index === 0 ? '' : `${traceId}-${index - 1}`,
      name: `step ${index}`,
      startNs: nowNs + BigInt(index),
    }));
  const spans = [
    ...traceOf('one'),
    ...traceOf('twin'),
    ...traceOf('worse', {
      answer: {
        model: 'm2',
        output: '"I cannot"',
        outputTokens: 9,
        costUsd: 0.04,
        endNs: nowNs + 9n * second,
        promptVersion: '2',
        promptName: 'p',
      },
      tool: { status: 'error', errorCode: 'timeout', endNs: nowNs + 5_100_000_000n },
      more: [{ name: 'refund', kind: 'tool', toolName: 'refund' }],
    }),
    ...traceOf('renamed', { tool: { toolName: 'lookup' } }),
    { traceId: 'running', spanId: 'r', name: 'support', kind: 'agent' as const, agentName: 'support', endNs: null },
    ...chain('long', 2_300),
    ...chain('longer', 2_301),
  ];
  for (let at = 0; at < spans.length; at += 500) await service.store(project, { spans: spans.slice(at, at + 500) });
});
afterAll(() => service.close());

const compare = (a: string, b: string) => service.request(project, `/trace-comparison?${new URLSearchParams({ a, b })}`);
const shapeOf = (rows: ComparedRow[]) => rows.map(({ match, a, b }) => `${match} ${a?.spanId ?? '-'} ${b?.spanId ?? '-'}`);

describe('two traces', () => {
  test('a trace with itself, and with another run of the same, is the same', async () => {
    for (const b of ['one', 'twin']) {
      const { status, body } = await compare('one', b);
      expect(status).toBe(200);
      expect(body.rows.map(({ match, changes }: ComparedRow) => [match, changes])).toEqual(
        Array.from({ length: 4 }, () => ['same', []]),
      );
      expect(body.deltas).toEqual({
        durationMs: 0,
        costUsd: 0,
        spanCount: 0,
        callCount: 0,
        inputTokens: 0,
        outputTokens: 0,
        errorCount: 0,
      });
      expect(body).toMatchObject({ truncated: false, a: { traceId: 'one', spanCount: 4 }, b: { traceId: b } });
    }
  });

  test('what differs is named, and the first difference is marked', async () => {
    const { body } = await compare('one', 'worse');
    expect(shapeOf(body.rows)).toEqual([
      'same one-root worse-root',
      'same one-1 worse-1',
      'changed one-2 worse-2',
      'changed one-3 worse-3',
      'b - worse-more-0',
    ]);
    // The tool took 10 % longer.
    expect(body.rows[2]).toMatchObject({ changes: ['status', 'errorCode'], firstDifference: true });
    expect(body.rows[3].changes).toEqual(['model', 'output', 'usage', 'costUsd', 'durationMs', 'promptVersion']);
    expect(body.rows.filter((row: ComparedRow) => 'firstDifference' in row)).toHaveLength(1);
    expect(body.rows[3]).toMatchObject({ a: { inputPreview: '"found"', outputPreview: '"done"', depth: 1 }, b: { model: 'm2' } });
    expect(body.rows[3].a).not.toHaveProperty('output');
    expect(body.deltas).toEqual({
      durationMs: 0,
      costUsd: 0.03,
      spanCount: 1,
      callCount: 0,
      inputTokens: 0,
      outputTokens: 4,
      errorCount: 1,
    });
  });

  test('the other way round the signs change', async () => {
    const { body } = await compare('worse', 'one');
    expect(body.deltas).toMatchObject({ costUsd: -0.03, spanCount: -1, errorCount: -1 });
    expect(shapeOf(body.rows).at(-1)).toBe('a worse-more-0 -');
  });

  test('a tool is paired by its name, not by that of its span', async () => {
    const { body } = await compare('one', 'renamed');
    expect(shapeOf(body.rows).slice(2, 4)).toEqual(['a one-2 -', 'b - renamed-2']);
  });

  test('a running trace has no difference of durations', async () => {
    const { body } = await compare('one', 'running');
    expect(body.deltas.durationMs).toBeNull();
    expect(body.rows[0]).toMatchObject({ match: 'changed', changes: ['durationMs'], firstDifference: true });
  });

  test('of more than 2,000 spans the first are compared', async () => {
    const { body } = await compare('long', 'longer');
    expect(body.truncated).toBe(true);
    expect(body.rows).toHaveLength(2_000);
    expect(body.rows.every(({ match }: ComparedRow) => match === 'same')).toBe(true);
    expect(body.deltas.spanCount).toBe(1);
  });
});

test('a trace that there is not: 404; without one: 400', async () => {
  expect((await compare('one', 'none')).status).toBe(404);
  expect((await compare('none', 'one')).body.code).toBe('not_found');
  expect((await service.request(project, '/trace-comparison?a=one')).status).toBe(400);
  const other = service.project();
  expect((await service.request(other, '/trace-comparison?a=one&b=twin')).status).toBe(404);
});
