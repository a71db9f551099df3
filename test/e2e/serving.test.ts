import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, temporaryDataDirectory } from '../support/service.ts';
import type { Service } from '../support/service.ts';

let service: Service;
let remove: () => Promise<void>;

beforeAll(async () => {
  const directory = await temporaryDataDirectory();
  service = await startService({ dataDirectory: directory.path });
  ({ remove } = directory);
});
afterAll(async () => {
  await service.stop();
  await remove();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.url}${path}`, { headers });

test('the built page names scripts and styles that are there, compressed', async () => {
  const html = await (await get('/')).text();
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] ?? '');
  expect(files.some((file) => file.endsWith('.js'))).toBe(true);
  expect(files.some((file) => file.endsWith('.css'))).toBe(true);
  for (const file of files) {
    const answer = await get(file, { 'accept-encoding': 'br' });
    expect(answer.status, file).toBe(200);
    if (Number(answer.headers.get('content-length')) > 1024) expect(answer.headers.get('content-encoding'), file).toBe('br');
    await answer.arrayBuffer();
  }
});

test('answers of the API are compressed where they are large', async () => {
  const { cookie, projectId } = await service.signIn();
  const startTime = new Date().toISOString();
  const events = Array.from({ length: 60 }, (_, index) => ({
    type: 'span',
    traceId: `t-${index}`,
    spanId: 's',
    name: 'chat',
    startTime,
  }));
  await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/x-ndjson' },
    body: events.map((event) => JSON.stringify(event)).join('\n'),
  });
  const path = `/v1/projects/${projectId}/traces?limit=200`;
  const listed = async (answer: Response) => ((await answer.json()) as { traces: unknown[] }).traces.length;
  await expect.poll(async () => listed(await get(path, { cookie }))).toBe(60);
  const large = await get(path, { cookie, 'accept-encoding': 'gzip' });
  expect(large.headers.get('content-encoding')).toBe('gzip');
  expect(await listed(large)).toBe(60);
  const readOne = () => get(`/v1/projects/${projectId}/traces/t-1`, { cookie, 'accept-encoding': 'gzip' });
  // A batch writes the summaries of traces before their spans.
  await expect.poll(async () => (await readOne()).status).toBe(200);
  const one = await readOne();
  expect(one.headers.get('content-encoding')).toBe('gzip');
  expect(await one.json()).toMatchObject({ trace: { traceId: 't-1' } });
  const small = await get(`/v1/projects/${projectId}/ingest-health`, { cookie, 'accept-encoding': 'gzip' });
  expect(small.headers.get('content-encoding')).toBeNull();
});
