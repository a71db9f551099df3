import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SpanRecord } from '../records/index.ts';
import { nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

const mark = { agentName: 'simulation', environment: 'simulation', tags: ['simulation'] };
const call = { kind: 'llm', model: 'm', costUsd: 1, costStatus: 'provided', userId: 'ada', sessionId: 's' } as const;

/** Asks for what a project has. */
function asking(spans: Array<Partial<SpanRecord>>) {
  const project = service.project();
  const ask = async (path: string) => {
    const { status, body } = await service.request(project, `/${path}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const sum = (buckets: Array<{ traces: number }>) => buckets.reduce((total, { traces }) => total + traces, 0);
  return {
    ask,
    store: (more: Array<Partial<SpanRecord>>) => service.store(project, { spans: more }),
    stored: service.store(project, { spans }),
    traces: async (query: string) => {
      const [{ traces }, { buckets }] = await Promise.all([ask(`traces?${query}`), ask(`trace-counts?${query}`)]);
      expect(sum(buckets)).toBe(traces.length);
      return traces.map(({ traceId }: { traceId: string }) => traceId);
    },
    spans: async (query: string) => {
      const [{ spans: listed }, counted] = await Promise.all([
        ask(`spans?${query}`),
        ask(`span-counts?${query.replace(/^sort=.*/, '')}`),
      ]);
      expect(counted.count).toBe(listed.length);
      expect(counted.calls).toBe(listed.filter(({ isCall }: { isCall: boolean }) => isCall).length);
      return listed.map(({ spanId }: { spanId: string }) => spanId).toSorted();
    },
    sources: async (on: string, filter: string) => {
      const { facets } = await ask(`facets?on=${on}&field=source&filter=${filter}`);
      return Object.fromEntries(facets[0].values.map(({ value, count }: { value: string; count: number }) => [value, count]));
    },
  };
}

describe('evaluations', () => {
  const evaluation = [
    { ...call, traceId: 'made', spanId: 'item', name: 'first', origin: 'evaluation' as const },
    // What a library records within it says nothing.
    { ...call, traceId: 'made', spanId: 'within', parentSpanId: 'item', source: 'otlp' as const, origin: 'application' as const },
    { ...call, traceId: 'own', spanId: 'own', origin: 'application' as const },
  ];

  test('are in lists, counts and facets only where the filter names the source', async () => {
    const { stored, traces, spans, sources } = asking(evaluation);
    await stored;
    expect(await traces('')).toEqual(['own']);
    expect(await traces('simulated=any')).toEqual(['own']);
    expect(await traces('filter=source:evaluation')).toEqual(['made']);
    expect(await traces('filter=any(source:evaluation span:within)')).toEqual(['made']);
    expect(await traces('filter=source:otlp')).toEqual([]);
    expect(await traces('traceId=made')).toEqual(['made']);
    expect(await spans('')).toEqual(['own']);
    expect(await spans('filter=kind:llm')).toEqual(['own']);
    expect(await spans('sort=-cost')).toEqual(['own']);
    expect(await spans('filter=source:evaluation')).toEqual(['item', 'within']);
    expect(await spans('filter=NOT source:native')).toEqual(['item', 'within']);
    expect(await spans('filter=trace:made')).toEqual(['item', 'within']);
    expect(await sources('spans', '')).toEqual({ native: 1 });
    // Without its own term it shows what a second choice would add.
    expect(await sources('spans', 'source:native')).toEqual({ native: 1, evaluation: 2 });
    expect(await sources('traces', 'source:native')).toEqual({ native: 1, evaluation: 1 });
  });

  test('are in no figure, of no user and no session', async () => {
    const { stored, ask, spans } = asking(evaluation);
    await stored;
    const [user] = (await ask('users')).users;
    expect(user).toMatchObject({ userId: 'ada', traces: 1, calls: 1, costUsd: 1 });
    expect((await ask('sessions')).sessions).toMatchObject([{ sessionId: 's', traceCount: 1 }]);
    expect((await ask('sessions?filter=source:evaluation')).sessions).toMatchObject([{ sessionId: 's', traceCount: 2 }]);
    expect(await ask('span-counts?filter=source:*')).toMatchObject({ count: 3, calls: 1, costUsd: 1 });
    expect(await spans('filter=source:*')).toHaveLength(3);
  });

  test('that turn out late, or turn out to be none, move', async () => {
    const [item, within] = evaluation;
    const { stored, store, traces, spans } = asking(within ? [within] : []);
    await stored;
    expect([await traces(''), await spans('')]).toEqual([['made'], ['within']]);
    await store(item ? [item] : []);
    expect([await traces(''), await spans('')]).toEqual([[], []]);
    await store([{ ...item, origin: 'application' }]);
    expect([await traces(''), await spans('')]).toEqual([['made'], ['item', 'within']]);
  });
});

describe('simulations', () => {
  test('are left out, or asked for alone; those of earlier releases have the agent, the environment and the tag', async () => {
    const kinds: Record<string, Partial<SpanRecord>> = {
      simulated: { origin: 'simulation' },
      earlier: mark,
      client: { ...mark, origin: 'application' },
      agent: { ...mark, tags: [] },
      tag: { ...mark, agentName: 'a' },
      place: { ...mark, environment: 'e' },
    };
    const { stored, traces } = asking(
      Object.entries(kinds).map(([traceId, fields], index) => ({ traceId, ...fields, startNs: nowNs - BigInt(index) })),
    );
    await stored;
    const others = ['client', 'agent', 'tag', 'place'];
    expect(await traces('simulated=true')).toEqual(['simulated', 'earlier']);
    expect(await traces('simulated=false')).toEqual(others);
    expect(await traces('')).toEqual(others);
    expect(await traces('simulated=any')).toEqual(['simulated', 'earlier', ...others]);
    for (const asked of ['filter=source:*', 'filter=environment:simulation OR latency:*', 'tag=simulation']) {
      expect(await traces(asked), asked).toContain('earlier');
    }
    expect(await traces('traceId=simulated&traceId=agent')).toEqual(['simulated', 'agent']);
    expect(await traces('filter=-name:x')).toEqual(others);
  });

  test('are left out span by span: what their targets send is listed', async () => {
    const { stored, ask, spans } = asking([
      { ...call, traceId: 'item', spanId: 'item', ...mark },
      { ...call, traceId: 'item', spanId: 'target', parentSpanId: 'item', environment: 'prod', origin: 'application' },
    ]);
    await stored;
    expect(await spans('')).toEqual(['target']);
    expect(await ask('span-counts')).toMatchObject({ count: 1, calls: 1, costUsd: 1 });
    expect(await spans('filter=source:simulation')).toEqual(['item']);
    expect(await spans('filter=trace:item')).toEqual(['item', 'target']);
  });
});
