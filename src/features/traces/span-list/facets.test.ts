import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import type { TracesService } from '../traces-service.fixture.ts';
import { filterTraces as traces, openFilledService } from '../filter/filter-data.fixture.ts';
import type { FilledService } from '../filter/filter-data.fixture.ts';

let service: TracesService;
let project: TestProject;
let request: FilledService['request'];

beforeAll(async () => {
  ({ service, project, request } = await openFilledService());
});
afterAll(() => service.close());

describe('facets', () => {
  const facetsOf = async (on: string, fields: string[], filter = '') => {
    const query = new URLSearchParams({ on, filter });
    for (const field of fields) query.append('field', field);
    const { status, body } = await service.request(project, `/facets?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.facets;
  };
  interface Values {
    field: string;
    values: Array<{ value: string; count: number }>;
    missing: number;
    other: number;
    total: number;
  }
  const fields =
    'kind tool user tag agent session model provider status operation errorCode trace.status source unpriced scored label.tone metadata.tier commented'.split(
      ' ',
    );

  // A value counts what the filter with that value in it matches.
  test.each(['spans', 'traces'] as const)('of %s count what a filter by each value finds', async (on) => {
    const rest = 'latency:<5s';
    const countOf = async (filter: string) => {
      const { body } = await request(on === 'spans' ? 'span-counts' : 'trace-counts', { filter });
      return on === 'spans'
        ? body.count
        : body.buckets.reduce((sum: number, { traces: count }: { traces: number }) => sum + count, 0);
    };
    const facets: Values[] = [
      ...(await facetsOf(on, fields.slice(0, 12), rest)),
      ...(await facetsOf(on, fields.slice(12), rest)),
    ];
    expect(facets.map(({ field }) => field)).toEqual(fields);
    const total = await countOf(rest);
    for (const { field, values, missing, other, total: rows } of facets) {
      expect(rows, field).toBe(total);
      expect(other).toBe(0);
      expect(values.length, field).toBeGreaterThan(0);
      expect(values).toEqual(values.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)));
      for (const { value, count } of values) {
        expect(count, `${field}:${value}`).toBe(await countOf(`${rest} ${field}:${JSON.stringify(value)}`));
      }
      if (field !== 'metadata.tier') expect(missing, field).toBe(await countOf(`${rest} NOT ${field}:*`));
    }
  });

  test('leave out the own terms of a field', async () => {
    const filter = 'model:m1 kind:llm -user:ada';
    const [model, kind] = await facetsOf('spans', ['model', 'kind'], filter);
    expect(model).toEqual((await facetsOf('spans', ['model'], 'kind:llm -user:ada'))[0]);
    expect(model.values.length).toBe(3);
    expect(kind).toEqual((await facetsOf('spans', ['kind'], 'model:m1 -user:ada'))[0]);
  });

  test('of numbers are 20 buckets of equal width', async () => {
    const [cost] = await facetsOf('spans', ['cost'], 'kind:llm');
    const costs = traces.flatMap(({ spans }) => spans.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd])));
    expect(cost).toMatchObject({ min: Math.min(...costs), max: Math.max(...costs), total: 60, missing: 60 - costs.length });
    expect(cost.buckets).toHaveLength(20);
    const last = cost.buckets.length - 1;
    for (const [index, { from, to, count }] of cost.buckets.entries()) {
      const within = costs.filter((value) => value >= from - 1e-12 && (index === last ? value <= to : value < to - 1e-12));
      expect(count).toBe(within.length);
    }
  });

  test('of numbers of the trace count each of its spans, as those on traces count the trace', async () => {
    const [levels] = await facetsOf('traces', ['depth'], 'user:ada');
    const [ofSpans] = await facetsOf('spans', ['trace.depth'], 'user:ada');
    const shape = ({
      min,
      max,
      total,
      buckets,
    }: {
      min: number;
      max: number;
      total: number;
      buckets: Array<{ count: number }>;
    }) => [min, max, total, ...buckets.flatMap(({ count }) => (count > 0 ? [count] : []))] as const;
    const depths = traces
      .filter(({ spans: [root] }) => root?.userId === 'ada')
      .map(({ spans: [, call, tool] }) => (tool?.parentSpanId === call?.spanId ? 3 : 2));
    const of = (depth: number) => depths.filter((one) => one === depth).length;
    expect(shape(levels)).toEqual([2, 3, depths.length, of(2), of(3)]);
    expect(shape(ofSpans)).toEqual([2, 3, 3 * depths.length, 3 * of(2), 3 * of(3)]);
  });

  test('of ids are those that match', async () => {
    const filter = 'model:m2 unpriced:true';
    const [trace, span, onTraces] = [
      ...(await facetsOf('spans', ['trace', 'span'], filter)),
      ...(await facetsOf('traces', ['trace'], filter)),
    ];
    const matching = traces.filter(({ spans: [, call] }) => call?.model === 'm2' && call.costStatus === 'unpriced');
    const counted = (ids: string[]) => ids.toSorted().map((value) => ({ value, count: 1 }));
    const traceIds = counted(matching.map(({ traceId }) => traceId));
    expect(matching.length).toBeGreaterThan(1);
    expect(trace).toEqual({ field: 'trace', values: traceIds, other: 0, missing: 0, total: traceIds.length });
    expect(span.values).toEqual(counted(matching.map(({ traceId }) => `${traceId}-call`)));
    expect(onTraces).toEqual(trace);
  });

  test.each(['spans', 'traces'] as const)('of a score on %s are 20 buckets of the scores as they stand', async (on) => {
    const [facet] = await facetsOf(on, ['score.tone'], 'score.tone:>5');
    // The own term is left out.
    expect(facet).toEqual((await facetsOf(on, ['score.tone']))[0]);
    const rows = on === 'traces' ? traces.length : traces.flatMap(({ spans }) => spans).length;
    const figures = traces.flatMap(({ scores, spans }) => {
      const told = scores.filter(({ evaluator, score }) => evaluator === 'tone' && score !== null);
      if (on === 'traces') {
        const own = told.filter(({ spanId }) => !spanId);
        return (own.length > 0 ? own : told).slice(-1).map(({ score }) => Number(score));
      }
      return spans.flatMap(({ spanId }) =>
        told
          .filter((one) => one.spanId === spanId)
          .slice(-1)
          .map(({ score }) => Number(score)),
      );
    });
    expect(figures.length).toBeGreaterThan(0);
    expect(facet).toMatchObject({
      field: 'score.tone',
      min: Math.min(...figures),
      max: Math.max(...figures),
      total: rows,
      missing: rows - figures.length,
    });
    expect(facet.buckets).toHaveLength(20);
    expect(facet.buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(figures.length);
  });

  test.each([
    ['a field that is none', ['latncy']],
    ['a field with a value', ['model:m1']],
    ['a time', ['started']],
    ['a text that is searched within', ['input']],
    ['an amount of outcomes', ['outcome.value']],
    ['more than 12', Array.from({ length: 13 }, () => 'kind')],
    ['none', []],
  ])('%s: 400', async (_, names) => {
    const query = new URLSearchParams({ on: 'spans' });
    for (const name of names) query.append('field', name);
    expect((await service.request(project, `/facets?${query}`)).status).toBe(400);
  });
});
