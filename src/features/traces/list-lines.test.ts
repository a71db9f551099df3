import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import { nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;
let project: TestProject;
const count = 2_105;

beforeAll(async () => {
  service = await openTracesService();
  project = service.project();
  await service.store(project, {
    spans: Array.from({ length: count }, (_, index) => ({
      traceId: `t${index}`,
      spanId: 's',
      name: index % 2 === 0 ? 'even' : 'odd',
      startNs: nowNs - BigInt(index) * 1_000_000n,
      endNs: nowNs - BigInt(index) * 1_000_000n + BigInt(index % 7) * 1_000_000n,
    })),
  });
});
afterAll(() => service.close());

const ndjson = 'application/x-ndjson';
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const lines = async (path: string, accept = ndjson) => {
  const answer = await service.request(project, path, { headers: { accept } });
  return { ...answer, records: answer.status === 200 ? linesOf(answer.text) : [] };
};
const allPages = async (on: 'spans' | 'traces', query: string) => {
  const records: unknown[] = [];
  for (let cursor = ''; ;) {
    const { body } = await service.request(project, `/${on}?limit=200&${query}${cursor}`);
    records.push(...body[on]);
    if (body.nextCursor === null) return records;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
};

test.each(['spans', 'traces'] as const)('streams all %s as lines, in the order of the pages', async (on) => {
  const { status, headers, records } = await lines(`/${on}`);
  expect([status, headers.get('content-type')]).toEqual([200, `${ndjson}; charset=utf-8`]);
  expect(records).toHaveLength(count);
  expect(records).toEqual(await allPages(on, ''));
  const slow = await lines(`/${on}?sort=-latency&filter=name:odd`);
  expect(slow.records).toHaveLength(Math.floor(count / 2));
  expect(slow.records).toEqual(await allPages(on, 'sort=-latency&filter=name:odd'));
});

test('takes a limit beyond that of a page, and a page does not', async () => {
  expect((await lines('/spans?limit=1500')).records).toHaveLength(1_500);
  expect((await lines('/traces?limit=1', 'text/html, application/x-ndjson;q=0.9')).records).toHaveLength(1);
  for (const on of ['spans', 'traces']) {
    for (const limit of ['0', '100001', 'x']) expect((await lines(`/${on}?limit=${limit}`)).status, limit).toBe(400);
    const page = await service.request(project, `/${on}?limit=201`);
    expect([page.status, page.body.code, page.body.details[0].path]).toEqual([400, 'invalid_request', '/limit']);
    expect((await service.request(project, `/${on}`)).body[on]).toHaveLength(50);
  }
});

test('a wrong filter is an error as of a page, and without matches there is no line', async () => {
  const wrong = await service.request(project, '/spans?filter=latency:fast', { headers: { accept: ndjson } });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_filter']);
  const none = await service.request(project, '/traces?filter=name:none', { headers: { accept: ndjson } });
  expect([none.status, none.text]).toEqual([200, '']);
});
