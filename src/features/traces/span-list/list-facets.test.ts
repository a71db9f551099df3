import { afterAll, beforeAll, expect, test } from 'vitest';
import { facetsQuery } from '../../../contract/spans.ts';
import type { Facet } from '../../../contract/spans.ts';
import type { SpanRecord } from '../../records/index.ts';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import { nowNs, openTracesService } from '../traces-service.fixture.ts';
import type { TracesService } from '../traces-service.fixture.ts';
import { listFacets } from './list-facets.ts';

// Three spans a trace; what the trace has is on its root alone.
const traces = 1_200;
const spans = Array.from({ length: traces * 3 }, (_, index): Partial<SpanRecord> => {
  const trace = Math.floor(index / 3);
  const isRoot = index % 3 === 0;
  return {
    traceId: `trace-${trace}`,
    spanId: `span-${index}`,
    parentSpanId: isRoot ? '' : `span-${trace * 3}`,
    kind: isRoot ? 'agent' : 'llm',
    model: isRoot ? '' : `m${index % 4}`,
    environment: isRoot ? (trace % 4 === 0 ? 'dev' : 'prod') : '',
    agentName: isRoot ? `agent-${trace % 2}` : '',
    metadata: JSON.stringify({ tier: trace % 5 === 0 ? 'gold' : 'iron' }),
    startNs: nowNs - BigInt(trace) * 1_000_000_000n,
  };
});

let service: TracesService;
let project: TestProject;
beforeAll(async () => {
  service = await openTracesService();
  project = service.project();
  await service.store(project, { spans });
}, 60_000);
afterAll(() => service.close());

const read = (exactUpTo: number, field: string[], filter = '') =>
  listFacets(
    service,
    { projectId: project.projectId, plan: 'scale' },
    facetsQuery.parse({ on: 'spans', range: '7d', field, filter }),
    { exactUpTo, size: 900 },
  );

const countsOf = (facet: Facet | undefined) =>
  facet && 'values' in facet ? Object.fromEntries(facet.values.map(({ value, count }) => [value, count])) : {};

test('many spans are counted in a sample where their own columns do not have the value', async () => {
  const fields = ['model', 'environment', 'agent', 'metadata.tier'];
  const exact = await read(spans.length, fields);
  expect(exact.sampled).toBe(false);
  expect(exact.facets.map(countsOf)).toEqual([
    { m0: 600, m1: 600, m2: 600, m3: 600 },
    { prod: 2_700, dev: 900 },
    { 'agent-0': 1_800, 'agent-1': 1_800 },
    { iron: 2_880, gold: 720 },
  ]);
  const { facets, sampled } = await read(spans.length - 1, fields);
  expect(sampled).toBe(true);
  expect(facets[0]).toEqual(exact.facets[0]);
  for (const [index, facet] of facets.entries()) {
    expect(facet.total).toBe(spans.length);
    const wanted = countsOf(exact.facets[index]);
    // Of 900 spans the share of a value is within five points of that of all, thrice its standard error.
    for (const [value, count] of Object.entries(countsOf(facet)))
      expect(Math.abs(count - (wanted[value] ?? 0)) / spans.length).toBeLessThan(0.05);
    expect(Object.keys(countsOf(facet)).toSorted()).toEqual(Object.keys(wanted).toSorted());
  }
});

test('whether there is a sample depends on the spans that match', async () => {
  expect((await read(900, ['environment'], 'agent:agent-0 model:m1')).sampled).toBe(false);
  expect((await read(900, ['environment', 'agent'], 'agent:agent-0')).sampled).toBe(true);
});
