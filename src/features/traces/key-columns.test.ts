import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import { nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

// The columns of a list that are keys of metadata and attributes.

let service: TracesService;
let project: TestProject;

const json = JSON.stringify;
const at = (index: number) => nowNs - BigInt(index) * 1_000_000n;
const spans = [
  {
    traceId: 't',
    spanId: 'root',
    startNs: at(9),
    metadata: json({ tenant: 'acme', plan: { tier: 3 }, 'a.b': true, odd: [1, 'x', null, [2], { y: 1 }], none: null }),
    output: json('😀'.repeat(300)),
    // With a copy of the output, which is stored once.
    attributes: json({ 'http.route': '/ask', long: '😀'.repeat(300) }),
  },
  { traceId: 't', spanId: 'b', parentSpanId: 'root', startNs: at(8), metadata: json({ tenant: 'zeta' }) },
  { traceId: 't', spanId: 'c', parentSpanId: 'root', startNs: at(7), metadata: json({ tenant: ['beta', 'acme'] }) },
  { traceId: 't', spanId: 'd', parentSpanId: 'root', startNs: at(6) },
  ...Array.from({ length: 9 }, (_, index) => ({
    traceId: 'many',
    spanId: `s${index}`,
    startNs: at(20 - index),
    metadata: json({ tenant: `tenant ${index}` }),
  })),
  // The record of a trace itself, which was sent after its spans.
  { traceId: 'own', spanId: '', startNs: at(1), metadata: json({ tenant: 'own' }) },
  { traceId: 'own', spanId: 'a', startNs: at(5), metadata: json({ tenant: 'of a span' }) },
];

beforeAll(async () => {
  service = await openTracesService();
  project = service.project();
  await service.store(project, { spans });
});
afterAll(() => service.close());

const ask = (on: 'spans' | 'traces', names: readonly string[], rest = '') =>
  service.request(project, `/${on}?limit=100${names.map((name) => `&column=${encodeURIComponent(name)}`).join('')}${rest}`);

interface Listed {
  traceId: string;
  spanId?: string;
  columns?: Record<string, string[]>;
}

async function columnsOf(on: 'spans' | 'traces', names: readonly string[]): Promise<Record<string, Listed['columns']>> {
  const { status, body } = await ask(on, names);
  expect(status, json(body)).toBe(200);
  return Object.fromEntries((body[on] as Listed[]).map((one) => [one.spanId ?? one.traceId, one.columns]));
}

test('a span has its own values, as text, one by one of an array', async () => {
  const names = ['metadata.tenant', 'metadata.plan.tier', 'metadata."a.b"', 'metadata.odd', 'metadata.plan', 'metadata.none'];
  const listed = await columnsOf('spans', [...names, 'attribute.http.route', 'attribute.long']);
  expect(listed['root']).toEqual({
    'metadata.tenant': ['acme'],
    'metadata.plan.tier': ['3'],
    'metadata."a.b"': ['true'],
    'metadata.odd': ['1', 'x'],
    'metadata.plan': [],
    'metadata.none': [],
    'attribute.http.route': ['/ask'],
    'attribute.long': ['😀'.repeat(200)],
  });
  expect(listed['b']?.['metadata.tenant']).toEqual(['zeta']);
  expect(listed['c']?.['metadata.tenant']).toEqual(['acme', 'beta']);
  expect(listed['d']?.['metadata.tenant']).toEqual([]);
});

test('a trace has those of its record and its root before those of other spans, each once and at most five', async () => {
  const listed = await columnsOf('traces', ['metadata.tenant']);
  expect(listed).toEqual({
    t: { 'metadata.tenant': ['acme', 'zeta', 'beta'] },
    own: { 'metadata.tenant': ['own', 'of a span'] },
    many: { 'metadata.tenant': [0, 1, 2, 3, 4].map((index) => `tenant ${index}`) },
  });
});

test.each(['spans', 'traces'] as const)('a filter on %s finds what its column shows', async (on) => {
  const { body } = await ask(on, ['metadata.tenant']);
  const shown = body[on] as Listed[];
  const idOf = ({ traceId, spanId }: Listed) => `${traceId}/${spanId}`;
  for (const value of ['acme', 'zeta', 'beta', 'own', 'tenant 3']) {
    const found = await ask(on, [], `&filter=${encodeURIComponent(`metadata.tenant:"${value}"`)}`);
    const withValue = shown.filter(({ columns }) => columns?.['metadata.tenant']?.includes(value));
    expect((found.body[on] as Listed[]).map(idOf), value).toEqual(withValue.map(idOf));
  }
});

test('without a column, records have none; a page goes on with other columns, and lines have them too', async () => {
  const whole = await ask('spans', ['metadata.tenant']);
  const plain = await ask('spans', []);
  expect(plain.body.spans).toEqual((whole.body.spans as Listed[]).map(({ columns: _columns, ...span }) => span));
  const page = await service.request(project, '/spans?limit=2&column=metadata.tenant');
  const next = `/spans?limit=2&column=metadata.plan.tier&cursor=${encodeURIComponent(page.body.nextCursor)}`;
  expect((await service.request(project, next)).status).toBe(200);
  const { text } = await service.request(project, '/traces?column=metadata.tenant', {
    headers: { accept: 'application/x-ndjson' },
  });
  const records = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Listed);
  expect(Object.fromEntries(records.map((record) => [record.traceId, record.columns]))).toEqual(
    await columnsOf('traces', ['metadata.tenant']),
  );
});

test.each([
  ['model', 'model is no key'],
  ['metadata.', 'metadata. is no key'],
  ['metadata.a:b', 'metadata.a:b is no key'],
  ['x) OR (metadata.a', 'is no key'],
  ['score.helpful', 'score.helpful is no key'],
])('refuses %s', async (name, message) => {
  for (const on of ['spans', 'traces'] as const) {
    const { status, body } = await ask(on, [name]);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.details).toEqual([{ path: '/column', message: expect.stringContaining(message) }]);
  }
});

test('takes ten, and no more', async () => {
  const names = Array.from({ length: 11 }, (_, index) => `metadata.k${index}`);
  expect((await ask('spans', names.slice(1))).status).toBe(200);
  expect((await ask('spans', names)).status).toBe(400);
});
