import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { SpanRecord } from '../records/index.ts';
import { openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

const under = (parentSpanId: string, spanId: string, more: Partial<SpanRecord> = {}): Partial<SpanRecord> => ({
  traceId: 't',
  spanId,
  parentSpanId,
  name: spanId,
  ...more,
});
const planner = under('', 'planner', { kind: 'agent', agentName: 'planner' });
const below = [
  under('planner', 'search', { kind: 'tool' }),
  under('search', 'request'),
  under('planner', 'writer.run', { kind: 'agent' }),
  under('writer.run', 'read', { kind: 'retriever' }),
  under('writer.run', 'ask', { kind: 'llm', model: 'm' }),
  under('writer.run', 'unnamed call', { kind: 'llm' }),
  under('writer.run', 'told', { kind: 'tool', agentName: 'other' }),
  under('elsewhere', 'loose', { kind: 'tool' }),
];

/** The agents of the spans as the list, the filter and the facet tell them: they agree. */
async function agentsIn(project: TestProject): Promise<Record<string, string>> {
  const ask = async (path: string) => (await service.request(project, `/${path}`)).body;
  const { spans } = await ask('spans');
  const agents = new Map<string, string>(
    spans.flatMap(({ spanId, agentName }: { spanId: string; agentName: string | null }) =>
      agentName === null ? [] : [[spanId, agentName]],
    ),
  );
  const {
    facets: [facet],
  } = await ask('facets?on=spans&field=agent');
  const counted = Map.groupBy(agents.values(), (name) => name);
  expect(facet).toMatchObject({ missing: spans.length - agents.size, total: spans.length });
  expect(facet.values.length).toBe(counted.size);
  for (const { value, count } of facet.values) {
    expect(count, value).toBe(counted.get(value)?.length);
    const { spans: found } = await ask(`spans?filter=agent:${value}`);
    const wanted = [...agents].filter(([, name]) => name === value).map(([spanId]) => spanId);
    expect(found.map(({ spanId }: { spanId: string }) => spanId).toSorted(), value).toEqual(wanted.toSorted());
  }
  return Object.fromEntries(agents);
}

test('every span has the agent of the nearest agent above it, also when that one comes late, changes or is deleted', async () => {
  const project = service.project();
  await service.store(project, { spans: below });
  const inner = { 'writer.run': 'writer', read: 'writer', ask: 'writer', 'unnamed call': 'writer', told: 'other' };
  expect(await agentsIn(project)).toEqual(inner);
  await service.store(project, { spans: [planner] });
  expect(await agentsIn(project)).toEqual({ ...inner, planner: 'planner', search: 'planner', request: 'planner' });
  await service.store(project, {
    spans: [
      { ...planner, agentName: 'boss' },
      under('search', 'loose', { kind: 'tool' }),
      under('writer.run', 'read', { kind: 'llm', model: 'm' }),
    ],
  });
  expect(await agentsIn(project)).toEqual({
    ...inner,
    planner: 'boss',
    search: 'boss',
    request: 'boss',
    loose: 'boss',
  });
  await service.store(project, { spans: [{ ...planner, kind: 'span', agentName: '' }] });
  expect(await agentsIn(project)).toEqual(inner);
  expect((await service.request(project, '/traces/t', { method: 'DELETE', by: 'owner' })).status).toBe(204);
  expect(await agentsIn(project)).toEqual({});
});
