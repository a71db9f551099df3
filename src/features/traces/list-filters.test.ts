import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import { bucketsOf, maxBuckets } from './time-buckets.ts';
import { metadataFilter } from './member-filters.ts';
import { nowMs, nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

const pick = <T>(values: readonly T[], index: number) => values[index % values.length] as T;
const traceCount = 48;

/** Traces of two spans in every combination of few values; the second span may have failed. */
const traces = Array.from({ length: traceCount }, (_, index) => ({
  traceId: `trace-${index}`,
  name: pick(['answer', 'Answer', 'plan'], index),
  release: pick(['', 'r1', 'r2'], index >> 1),
  environment: pick(['prod', 'staging'], index >> 2),
  userId: pick(['', 'ada', 'bo'], index >> 3),
  tags: pick([[], ['a'], ['a', 'b'], ['c']], index),
  model: pick(['m1', 'm2'], index >> 1),
  errorCode: pick(['', 'timeout', 'rate_limit'], index),
  metadata: pick<Record<string, unknown> | null>(
    [null, { region: 'eu' }, { region: 'us', tier: 3 }, { tier: '3', 'a:b\\': 'x:y' }, { flag: true }],
    index,
  ),
  startMs: nowMs - index * 7_200_000,
}));
type Trace = (typeof traces)[number];

let service: TracesService;
let project: TestProject;

beforeAll(async () => {
  service = await openTracesService();
  project = service.project();
  await service.store(project, {
    spans: traces.flatMap(({ traceId, startMs, metadata, errorCode, model, ...trace }) => {
      const startNs = BigInt(startMs) * 1_000_000n;
      const failed = errorCode === '' ? {} : { status: 'error' as const, errorCode, errorMessage: `It ended with ${errorCode}.` };
      return [
        { ...trace, traceId, spanId: `root-of-${traceId}`, startNs },
        {
          traceId,
          spanId: `call-of-${traceId}`,
          parentSpanId: `root-of-${traceId}`,
          kind: 'llm' as const,
          model,
          startNs: startNs + 1n,
          metadata: metadata === null ? '' : JSON.stringify(metadata),
          ...failed,
        },
      ];
    }),
  });
});
afterAll(() => service.close());

const read = (path: string, parameters: URLSearchParams) => service.request(project, `/${path}?${parameters}`);

async function idsOf(...pairs: ReadonlyArray<[string, string]>): Promise<string[]> {
  const { status, body } = await read('traces', new URLSearchParams([['limit', '200'], ...pairs]));
  expect(status, JSON.stringify(body)).toBe(200);
  return body.traces.map(({ traceId }: { traceId: string }) => traceId);
}

/** The values that a trace has for a filter. */
const valuesOf: Readonly<Record<string, (trace: Trace) => readonly string[]>> = {
  name: ({ name }) => [name],
  release: ({ release }) => [release],
  environment: ({ environment }) => [environment],
  user: ({ userId }) => [userId],
  tag: ({ tags }) => tags,
  model: ({ model }) => [model],
  errorCode: ({ errorCode }) => [errorCode],
};

function hasMetadata({ metadata }: Trace, wanted: readonly string[]): boolean {
  const keys = new Set(wanted.map((text) => metadataKeys[text] ?? ''));
  return [...keys].every((key) =>
    wanted.some((text) => {
      if (metadata === null || !(key in metadata) || metadataKeys[text] !== key) return false;
      const value = metadata[key];
      const escaped = key.replaceAll(/[:\\]/g, '\\$&');
      return text === escaped || text === `${escaped}:${typeof value === 'string' ? value : JSON.stringify(value)}`;
    }),
  );
}

/** The metadata filters of the tests with the keys that they ask for. */
const metadataKeys: Readonly<Record<string, string>> = {
  'region:eu': 'region',
  'region:us': 'region',
  region: 'region',
  'tier:3': 'tier',
  'flag:true': 'flag',
  'none:x': 'none',
  'a\\:b\\\\:x:y': 'a:b\\',
  'a\\:b\\\\': 'a:b\\',
  'a:b\\\\:x:y': 'a',
};
const values = {
  name: ['answer', 'Answer', 'nothing'],
  release: ['r1', 'r2'],
  environment: ['prod', 'staging', 'x'],
  user: ['ada', 'bo'],
  tag: ['a', 'b', 'c'],
  model: ['m1', 'm2', 'm3'],
  errorCode: ['timeout', 'rate_limit', 'other'],
  metadata: Object.keys(metadataKeys),
};
const asked = fc
  .uniqueArray(fc.constantFrom(...(Object.keys(values) as Array<keyof typeof values>)), { maxLength: 3 })
  .chain((names) => fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), fc.subarray(values[name], { minLength: 1 })))));
type Query = ReadonlyArray<[name: string, values: string[]]>;

function expected(query: Query): Trace[] {
  return traces.filter((trace) =>
    query.every(([name, wanted]) =>
      name === 'metadata' ? hasMetadata(trace, wanted) : valuesOf[name]?.(trace).some((value) => wanted.includes(value)),
    ),
  );
}

test('a metadata filter is divided at the first colon without a backslash', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ':', '\\') }), fc.option(fc.string()), (key, value) => {
      const escaped = key.replaceAll(/[:\\]/g, '\\$&');
      expect(metadataFilter(value === null ? escaped : `${escaped}:${value}`)).toEqual({ key, value });
    }),
  );
  expect(metadataFilter('C\\dir:\\:x')).toEqual({ key: 'C\\dir', value: '\\:x' });
});

describe('filters', () => {
  test('several values of a field match any of them, several fields all of them; the counts over time are of the same traces', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (query) => {
        const pairs = query.flatMap(([name, wanted]) => wanted.map((value): [string, string] => [name, value]));
        const matching = expected(query);
        expect(await idsOf(...pairs)).toEqual(matching.map(({ traceId }) => traceId));
        const { status, body } = await read('trace-counts', new URLSearchParams(pairs));
        expect(status).toBe(200);
        expect(body.buckets.length).toBeLessThanOrEqual(maxBuckets);
        for (const { start, traces: count, errors } of body.buckets) {
          const within = matching.filter(
            ({ startMs }) => startMs >= Date.parse(start) && startMs < Date.parse(start) + body.bucketMs,
          );
          expect([start, count, errors]).toEqual([
            start,
            within.length,
            within.filter(({ errorCode }) => errorCode !== '').length,
          ]);
        }
        const counted = body.buckets.reduce((sum: number, bucket: { traces: number }) => sum + bucket.traces, 0);
        expect(counted).toBe(matching.length);
      }),
      { numRuns: 25 },
    );
  });

  test('an empty environment asks for traces without one, alone and beside others', async () => {
    const other = service.project();
    await service.store(other, {
      spans: ['', 'prod', 'staging'].map((environment) => ({ traceId: `in-${environment}`, environment })),
    });
    const list = async (query: string) => {
      const { body } = await service.request(other, `/traces?${query}`);
      return body.traces.map(({ traceId }: { traceId: string }) => traceId).toSorted();
    };
    expect(await list('environment=')).toEqual(['in-']);
    expect(await list('environment=&environment=prod')).toEqual(['in-', 'in-prod']);
    expect(await list('name=&environment=prod')).toEqual(['in-prod']);
  });

  test('a range is any number of days, hours or minutes', async () => {
    const other = service.project();
    const ago = { '10m': 600_000, '2h': 7_200_000, '30h': 108_000_000, '20d': 20 * 86_400_000 };
    await service.store(other, {
      spans: Object.entries(ago).map(([traceId, ms]) => ({ traceId, startNs: nowNs - BigInt(ms) * 1_000_000n })),
    });
    const list = async (range: string) => {
      const { status, body } = await service.request(other, `/traces?range=${range}`);
      return status === 200 ? body.traces.map(({ traceId }: { traceId: string }) => traceId) : status;
    };
    expect(await list('15m')).toEqual(['10m']);
    expect(await list('3h')).toEqual(['10m', '2h']);
    expect(await list('2d')).toEqual(['10m', '2h', '30h']);
    expect(await list('21d')).toEqual(['10m', '2h', '30h', '20d']);
    for (const range of ['0d', '366d', '721h', '43201m', '5', 'd', '1w', '01d']) expect(await list(range)).toBe(400);
  });

  test('too many values are refused', async () => {
    const many = new URLSearchParams(Array.from({ length: 21 }, (_, index): [string, string] => ['model', `m${index}`]));
    const { status, body } = await read('traces', many);
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ path: '/model', message: 'must be 1 to 20 values, each of at most 4096 characters' }]);
  });

  test('traces are asked for by their ids, together with other filters', async () => {
    expect(await idsOf(['traceId', 'trace-9'], ['traceId', 'trace-3'], ['traceId', 'none'])).toEqual(['trace-3', 'trace-9']);
    expect(await idsOf(['traceId', 'trace-9'], ['traceId', 'trace-3'], ['environment', 'staging'])).toEqual([]);
  });

  test('a search finds trace and span ids by their beginning', async () => {
    expect(await idsOf(['q', 'trace-47'])).toEqual(['trace-47']);
    expect(await idsOf(['q', 'call-of-trace-46'])).toEqual(['trace-46']);
    expect(await idsOf(['q', ' TRACE-47\n'])).toEqual(['trace-47']);
    expect(await idsOf(['q', 'race-46'])).toEqual([]);
    expect(await idsOf(['q', '   '])).toEqual([]);
  });

  test('a failed trace has the error of the failed span that started last', async () => {
    const { body } = await read('traces', new URLSearchParams([['limit', '2']]));
    expect(body.traces.map(({ error }: { error: unknown }) => error)).toEqual([
      null,
      { code: 'timeout', message: 'It ended with timeout.' },
    ]);
  });
});

test('buckets cover the range, are aligned to UTC, and are at most 60', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 0, max: 5e10 }), (startMs, durationMs) => {
      const { startMs: first, lengthMs, count } = bucketsOf(startMs, startMs + durationMs);
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThanOrEqual(maxBuckets);
      expect(first % lengthMs).toBe(0);
      expect(first).toBeLessThanOrEqual(startMs);
      expect(first + count * lengthMs).toBeGreaterThan(startMs + durationMs);
      // No bucket lies outside of the range.
      expect(first + lengthMs).toBeGreaterThan(startMs);
      expect(first + (count - 1) * lengthMs).toBeLessThanOrEqual(startMs + durationMs);
    }),
  );
});

test('buckets of long ranges are the fewest whole days', () => {
  const dayMs = 86_400_000;
  for (const [days, length] of [
    [31, 1],
    [60, 1],
    [61, 2],
    [121, 3],
  ] as const)
    expect(bucketsOf(0, days * dayMs - 1)).toEqual({ startMs: 0, lengthMs: length * dayMs, count: Math.ceil(days / length) });
});

test('traces dated ahead are counted in the last bucket, and a range from the past to the retention edge is bounded', async () => {
  const other = service.project('free');
  await service.store(other, { spans: [{ traceId: 'ahead', startNs: nowNs + 3_600_000_000_000n }] });
  const { body } = await service.request(other, '/trace-counts?from=1970-01-01T00:00:00.000Z');
  expect(body.buckets.length).toBeLessThanOrEqual(maxBuckets);
  expect(body.buckets.at(-1)).toMatchObject({ traces: 1, errors: 0 });
});

describe('a trace of spans that only prepare a run', () => {
  const prepares = { source: 'otlp', operation: 'create_agent', name: 'create_agent weather' } as const;
  const lists = { source: 'otlp', operation: 'tools/list', name: 'MCP send tools/list' } as const;
  const failed = { status: 'error', errorCode: 'timeout' } as const;
  let other: TestProject;

  beforeAll(async () => {
    other = service.project('free');
    const edgeNs = nowNs - 14n * 86_400_000_000_000n;
    await service.store(other, {
      spans: [
        { ...prepares, traceId: 'made' },
        { ...lists, traceId: 'listed', spanId: 'a' },
        { ...prepares, traceId: 'listed', spanId: 'b' },
        { ...lists, ...failed, traceId: 'failed' },
        { ...prepares, traceId: 'ran', spanId: 'a' },
        { traceId: 'ran', spanId: 'b', source: 'otlp', operation: 'invoke_agent' },
        { ...prepares, source: 'native', traceId: 'native' },
        { ...prepares, traceId: 'partly-expired', spanId: 'a', startNs: edgeNs - 1n },
        { ...prepares, traceId: 'partly-expired', spanId: 'b', startNs: edgeNs + 1n },
      ],
    });
  });

  const idsIn = async (query: string) => {
    const { status, body } = await service.request(other, `/traces?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.traces.map(({ traceId }: { traceId: string }) => traceId).toSorted();
  };

  test('is neither in the list nor counted, unless it failed', async () => {
    expect(await idsIn('')).toEqual(['failed', 'native', 'ran']);
    expect(await idsIn('sort=cost')).toEqual(['failed', 'native', 'ran']);
    const { body } = await service.request(other, '/trace-counts?');
    expect(body.buckets.reduce((sum: number, { traces: count }: { traces: number }) => sum + count, 0)).toBe(3);
  });

  test('is found by its name, and by its id', async () => {
    expect(await idsIn(`name=${encodeURIComponent(prepares.name)}`)).toEqual(['made', 'native', 'partly-expired', 'ran']);
    expect((await service.request(other, '/traces/made')).status).toBe(200);
  });
});
