import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobLimits } from '../../src/contract/jobs.ts';
import type { TestApp } from '../support/app.ts';
import { openSelections } from './selection-requests.ts';
import type { Selections } from './selection-requests.ts';

let selections: Selections;
let app: TestApp;
const ask: Selections['ask'] = (...asked) => selections.ask(...asked);
const select: Selections['select'] = (...asked) => selections.select(...asked);
const done: Selections['done'] = (...asked) => selections.done(...asked);
const download: Selections['download'] = (...asked) => selections.download(...asked);
const sendTraces: Selections['sendTraces'] = (...sent) => selections.sendTraces(...sent);
const stored: Selections['stored'] = (ids) => selections.stored(ids);

beforeAll(async () => {
  selections = await openSelections();
  ({ app } = selections);
});
afterAll(() => app.close());

test('exports the records of a list, with their payloads', async () => {
  const more = {
    input: { n: '12345678901234567890' },
    output: '=1+1',
    metadata: { plan: 'pro' },
    attributes: { k: 'v' },
    userId: 'exported',
  };
  const ids = await sendTraces(3, more);
  const filter = 'user:exported';
  for (const on of ['traces', 'spans'] as const) {
    const listed = (await ask('GET', `/${on}?filter=${encodeURIComponent(filter)}`)).body[on];
    expect(listed).toHaveLength(on === 'traces' ? 3 : 6);
    const plain = await done({ on, filter, action: { type: 'export', format: 'jsonl', payloads: false } }, 'key');
    expect(plain).toMatchObject({ status: 'completed', matched: listed.length, done: listed.length, failed: 0 });
    expect(plain.result).toEqual({
      url: `/v1/projects/${app.projectId}/jobs/${plain.id}/download`,
      expiresAt: new Date(app.clock.now() + 7 * 86_400_000).toISOString(),
    });
    const answer = await download(plain.id, 'viewer');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${on}-${plain.id}.jsonl"`);
    const lines = (await answer.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(listed);
    const whole = await done({ on, filter, action: { type: 'export', format: 'jsonl', payloads: true } });
    const records = (await (await download(whole.id)).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ input: _i, output: _o, metadata: _m, attributes: _a, ...rest }) => rest)).toEqual(listed);
    for (const record of records.filter(({ spanId }) => spanId !== 'call'))
      expect(record).toMatchObject({
        input: more.input,
        output: more.output,
        metadata: more.metadata,
        attributes: more.attributes,
      });
  }
  expect(await stored(ids)).toEqual(ids);
});

test('a CSV file quotes every cell, and runs no formula', async () => {
  await sendTraces(1, {
    name: '=cmd',
    userId: '-1',
    sessionId: 'a "quoted", text',
    tags: ['x', 'y'],
    output: '@SUM(A1)',
    input: 42,
  });
  const action = { type: 'export', format: 'csv', payloads: true };
  const { id } = await done({ on: 'traces', filter: 'user:"-1"', action });
  const answer = await download(id);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [header = '', line = ''] = (await answer.text()).split('\n');
  const cells = [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"'));
  expect(line.replaceAll(/"(?:[^"]|"")*"/g, '')).toMatch(/^,+$/);
  const names = header.split(',').map((name) => name.slice(1, -1));
  expect(cells).toHaveLength(names.length);
  const record = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  expect(record).toMatchObject({
    name: "'=cmd",
    userId: "'-1",
    sessionId: 'a "quoted", text',
    tags: '["x","y"]',
    costUsd: '0.5',
    spanCount: '2',
    error: '',
    input: '42',
    output: "'@SUM(A1)",
    attributes: '',
  });
  const empty = await done({ on: 'spans', filter: 'user:nobody', action: { ...action, payloads: false } });
  expect(empty).toMatchObject({ status: 'completed', matched: 0, done: 0 });
  expect((await (await download(empty.id)).text()).split('\n')).toEqual([expect.stringMatching(/^"traceId","spanId",/), '']);
});

test('an export is not there before it is complete, and no longer after 7 days', async () => {
  const made = await select({ on: 'traces', filter: '', action: { type: 'export', format: 'jsonl' } });
  const { id } = made.body.job;
  expect((await download(id)).status).toBe(404);
  await app.features.jobs.runPending();
  expect((await download(id)).status).toBe(200);
  const clean = async () => {
    for (const feature of app.features.all)
      for (const job of feature.jobs ?? []) if (job.name === 'remove-exports') await job.run(new AbortController().signal);
  };
  await clean();
  expect((await download(id)).status).toBe(200);
  const before = app.clock.now();
  app.clock.advance(7 * 86_400_000 + 1);
  expect((await download(id)).status).toBe(404);
  await clean();
  app.clock.set(before);
  expect((await download(id)).status).toBe(404);
  expect(jobLimits.matched).toBe(1_000_000);
});
