import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { makeApiKey } from '../../src/contract/api-key.ts';
import { temporaryDataDirectory } from '../support/service.ts';
import { copyStore } from '../support/store-templates.ts';

/** Every file under a folder. A file that is removed meanwhile counts as empty. */
async function contents(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map((file) => readFile(file).catch(() => Buffer.alloc(0))));
}

test('a checked text is found in no file and in no line of the log, whatever the answer is', { timeout: 60_000 }, async () => {
  const directory = await temporaryDataDirectory();
  // Of this process alone, also where other tests use servers: the files of the stores are searched.
  copyStore('postgres', join(directory.path, 'postgres'));
  copyStore('clickhouse', join(directory.path, 'clickhouse'));
  const apiKey = makeApiKey();
  let logged = '';
  const log = pino({ level: 'trace' }, new Writable({ write: (chunk, _encoding, done) => ((logged += String(chunk)), done()) }));
  const owner = { email: 'owner@example.com', password: 'correct horse battery' };
  const settings = { SPANWISE_PORT: '0', SPANWISE_DATA_DIR: directory.path, SPANWISE_API_KEY: apiKey };
  const config = readConfig({ ...settings, SPANWISE_ADMIN_EMAIL: owner.email, SPANWISE_ADMIN_PASSWORD: owner.password });
  const app = await startApp(config, { log, jobs: false });
  const json = { 'content-type': 'application/json' };
  const send = async (path: string, body: string) =>
    (await fetch(`${app.url}${path}`, { method: 'POST', headers: { 'x-api-key': apiKey, ...json }, body })).status;
  const signedIn = await fetch(`${app.url}/v1/auth/login`, { method: 'POST', headers: json, body: JSON.stringify(owner) });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const session = (await (await fetch(`${app.url}/v1/auth/session`, { headers: { cookie } })).json()) as {
    organizations: Array<{ projects: Array<{ id: string }> }>;
  };
  const projectId = session.organizations[0]?.projects[0]?.id;
  const guardrail = { slug: 'words', type: 'regex', config: { patterns: [{ pattern: '[a-z]+-of-this' }] } };
  const made = await fetch(`${app.url}/v1/projects/${projectId}/guardrails`, {
    method: 'POST',
    headers: { cookie, ...json },
    body: JSON.stringify(guardrail),
  });
  expect(made.status).toBe(201);
  const secret = 'sesame-of-this-test';
  const marker = 'kept-name-of-this-test';
  const check = '/v1/guardrails/check';
  const long = `${secret} `.repeat(1_000);
  const statuses = [
    await send(check, JSON.stringify({ text: secret, traceId: 't' })),
    await send(check, JSON.stringify({ text: long, traceId: 't' })),
    await send(check, JSON.stringify({ text: `${secret}${'a'.repeat(262_144)}` })),
    await send(check, JSON.stringify({ text: secret, guardrails: ['none'] })),
    await send(check, JSON.stringify({ text: [secret] })),
    await send(check, `{"text": "${secret}"`),
    await send(
      '/v1/ingest',
      JSON.stringify({ type: 'span', traceId: 't', spanId: 's', name: marker, startTime: new Date().toISOString() }),
    ),
  ];
  expect(statuses).toEqual([200, 200, 413, 400, 400, 400, 202]);
  await app.features.guardrails.flushActivity();
  const inLog = await contents(directory.path);
  await app.close();
  const stored = [...inLog, ...(await contents(directory.path))];
  const holds = (text: string) => stored.some((file) => file.includes(text));
  expect([holds('guardrail check'), holds(marker), holds(secret)]).toEqual([true, true, false]);
  expect(logged).not.toContain(secret);
  await directory.remove();
});
