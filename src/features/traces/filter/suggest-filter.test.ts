import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import type { TracesService } from '../traces-service.fixture.ts';
import { openFilledService } from './filter-data.fixture.ts';
import type { FilledService } from './filter-data.fixture.ts';

let service: TracesService;
let project: TestProject;
let request: FilledService['request'];

beforeAll(async () => {
  ({ service, project, request } = await openFilledService());
});
afterAll(() => service.close());

describe('completions', () => {
  const suggested = async (marked: string, on = 'traces') => {
    const cursor = marked.indexOf('|');
    const text = marked.replace('|', '');
    const { status, body } = await service.request(project, '/filter-suggestions', {
      method: 'POST',
      body: { on, text, cursor },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.items.map(
      ({ insert, start, end }: { insert: string; start: number; end: number }) => text.slice(0, start) + insert + text.slice(end),
    );
  };

  test.each<[string, string[]]>([
    ['lat|', ['latency:', 'trace.latency:']],
    ['name:x -errorC|', ['name:x -errorCode:']],
    ['any(too|)', ['any(tool:)']],
    ['status:|', ['status:ok', 'status:error']],
    ['status:e| name:x', ['status:error name:x']],
    ['unpriced:|', ['unpriced:true', 'unpriced:false']],
    ['latency:|', ['latency:>', 'latency:>=', 'latency:<', 'latency:<=']],
    ['model:mini|', ['model:m1-mini']],
    ['model:|', ['model:m1', 'model:m1-mini', 'model:m2']],
    ['model:(m1 OR m2|)', ['model:(m1 OR m2)']],
    ['name:pl|', ['name:"plan \\"b\\""']],
    ['errorCode:|', ['errorCode:500', 'errorCode:timeout']],
    ['tool:ord|', ['tool:orders', 'tool:"lookup order"']],
    ['score.|', ['score."My Metric":', 'score.tone:']],
    ['label.tone:|', ['label.tone:kind', 'label.tone:rude']],
    ['metadata.t|', ['metadata.tier:']],
    ['metadata.a|', ['metadata."a.b":']],
    ['metadata.deep.|', ['metadata.deep.n:']],
    ['metadata.deep.x|', []],
    ['attribute.genkit|', ['attribute."genkit:name":']],
    ['metadata.tier:g|', ['metadata.tier:gold']],
    ['metadata.tier:(gold OR |)', ['3', '1', 'gold', '>', '>=', '<', '<='].map((one) => `metadata.tier:(gold OR ${one})`)],
    ['metadata."a.b".c:|', ['x', '>', '>=', '<', '<='].map((one) => `metadata."a.b".c:${one}`)],
    ['any(attribute."genkit:name":y|)', ['any(attribute."genkit:name":y)']],
    ['metadata.none:x|', []],
    ['nothing:|', []],
    ['model:"m1|" name:x', ['model:m1 name:x', 'model:m1-mini name:x']],
  ])('%s', async (marked, expectedTexts) => {
    expect(await suggested(marked)).toEqual(expectedTexts);
  });

  test('names are those of what is listed, and ids the newest', async () => {
    const names = ['answer', 'Answer', '"plan \\"b\\""'];
    expect((await suggested('name:|')).toSorted()).toEqual(names.map((name) => `name:${name}`).toSorted());
    const ofSpans = [...names, 'chat', 'search', '"lookup order"'].map((name) => `name:${name}`);
    expect((await suggested('name:|', 'spans')).toSorted()).toEqual(ofSpans.toSorted());
    expect(await suggested('any(name:ch|)')).toEqual(['any(name:chat)', 'any(name:search)']);
    expect(await suggested('trace.name:cha|', 'spans')).toEqual([]);
    expect(await suggested('trace:trace-17|')).toEqual(['trace:trace-17']);
    expect(await suggested('span:-call|', 'spans')).toHaveLength(20);
  });

  test('inside of any() they are fields of spans', async () => {
    expect(await suggested('spans|')).toContain('spans:');
    expect(await suggested('any(spans|')).toEqual(['any(trace.spans:']);
    expect(await suggested('spans|', 'spans')).toEqual(['trace.spans:']);
  });
});

test('the fields of each list have a type, operators and, of closed sets, values', async () => {
  const { body } = await request('filter-fields', { on: 'traces' });
  expect(body.fields).toContainEqual({
    name: 'status',
    type: 'text',
    operators: [':', ':*'],
    description: expect.any(String),
    values: ['ok', 'error'],
  });
  expect(body.fields).toContainEqual(expect.objectContaining({ name: 'metadata.', type: 'key' }));
  const names = async (on: string) =>
    (await request('filter-fields', { on })).body.fields.map(({ name }: { name: string }) => name);
  expect(await names('traces')).toContain('spans');
  expect(await names('spans')).not.toContain('spans');
  expect(await names('spans')).toContain('trace.spans');
});
