import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWholeBackup } from '../../../src/features/backup/index.ts';
import { startService } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { until } from '../../support/until.ts';
import { runCommand } from './spanwise-command.ts';

// A service that is backed up under load and restored to another directory.

let root: string;
let service: Service;
let owner: { cookie: string; projectId: string; organizationId: string };
/** An evidence pack that was made before the backup. */
let packId: string;
let sent = 0;
/** Traces whose spans were answered with 202. */
const acknowledged: string[] = [];
const json = { 'content-type': 'application/json' };
const startTime = () => new Date(Date.now() - 60_000).toISOString();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'spanwise-backup-'));
  copyStores(join(root, 'data'));
  service = await startService({ dataDirectory: join(root, 'data') });
  owner = await service.signIn();
  await ask(service, 'POST', `/v1/projects/${owner.projectId}/model-connections`, {
    name: 'Judge',
    baseUrl: 'https://example.com/v1',
    apiKey: 'sk-of-a-test',
    model: 'm',
  });
  await ask(service, 'POST', `/v1/projects/${owner.projectId}/evaluators`, {
    slug: 'fast',
    type: 'latency',
    config: { maxMs: 5000 },
    target: 'span',
  });
  await ask(service, 'POST', `/v1/prompts?projectId=${owner.projectId}`, {
    name: 'a/b',
    prompt: 'Hello {{name}}',
    labels: ['production'],
  });
  const dataset = await ask<{ id: string }>(service, 'POST', `/v1/datasets?projectId=${owner.projectId}`, { name: 'Questions' });
  await ask(service, 'POST', `/v1/datasets/${dataset.id}/items?projectId=${owner.projectId}`, {
    input: { a: [1] },
    expectedOutput: '2',
  });
  const range = { from: new Date(Date.now() - 86_400_000).toISOString(), to: startTime() };
  const packs = `/v1/projects/${owner.projectId}/evidence-packs`;
  packId = (await ask<{ id: string }>(service, 'POST', packs, { framework: 'soc2', ...range })).id;
  for (let n = 0; n < 20; n++) await sendSpan('fixed');
});
afterAll(async () => {
  await service.stop('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

async function ask<T = unknown>({ url }: Service, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { cookie: owner.cookie, ...(body ? json : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function sendSpan(model: string): Promise<void> {
  const traceId = `t-${++sent}`;
  const times = { startTime: startTime(), endTime: new Date(Date.now() - 59_000).toISOString() };
  const span = {
    type: 'span',
    traceId,
    spanId: 's',
    name: 'chat',
    kind: 'llm',
    model,
    ...times,
    costUsd: 0.25,
    input: 'x'.repeat(500),
  };
  const send = () =>
    fetch(`${service.url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': service.apiKey, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify(span),
    });
  // An idle connection can be closed at the moment of its reuse.
  const answer = await send().catch(send);
  if (answer.status === 202) acknowledged.push(traceId);
}

/** Sends spans in sequence until it is stopped. */
function load(): { stop(): Promise<void> } {
  let going = true;
  const running = (async () => {
    while (going) await sendSpan('load');
  })();
  return {
    stop: () => {
      going = false;
      return running;
    },
  };
}

/** The data that a restore must bring back. */
async function seen(of: Service) {
  const project = `/v1/projects/${owner.projectId}`;
  const datasets = await ask<{ datasets: Array<{ id: string }> }>(of, 'GET', `/v1/datasets?projectId=${owner.projectId}`);
  return {
    model: await ask(of, 'GET', `${project}/models/fixed?range=7d`),
    prompts: await ask(of, 'GET', `/v1/prompts?projectId=${owner.projectId}`),
    datasets,
    items: await ask(of, 'GET', `/v1/datasets/${datasets.datasets[0]?.id}/items?projectId=${owner.projectId}`),
    evaluators: await ask(of, 'GET', `${project}/evaluators`),
    connections: await ask(of, 'GET', `${project}/model-connections`),
    // Signed with the key that the restored service has.
    pack: await ask(of, 'GET', `${project}/evidence-packs/${packId}/verify`),
    audit: await ask(of, 'GET', `/v1/organizations/${owner.organizationId}/audit-log/verify`),
  };
}

/** Waits until the spans of the fixed model and their evaluations are counted. */
async function settled(of: Service): Promise<void> {
  await until('the spans are counted', async () => {
    const { model } = (await seen(of)) as {
      model: { summary: { total_calls: number } | null; quality: { byEvaluator: Array<{ eval_count: number }> } };
    };
    return model.summary?.total_calls === 20 && model.quality.byEvaluator[0]?.eval_count === 20;
  });
}

const withoutShares = (view: Awaited<ReturnType<typeof seen>>) =>
  JSON.parse(JSON.stringify(view, (key, value: unknown) => (/^share_of_|^frontier$/.test(key) ? undefined : value))) as unknown;

test('a backup under load holds every span acknowledged before it and all other data', { timeout: 400_000 }, async () => {
  await settled(service);
  const before = withoutShares(await seen(service));
  const running = load();
  await until('60 traces are acknowledged', () => acknowledged.length >= 60);
  const mustBeThere = [...acknowledged];
  // A failed sign-in is counted in an unlogged table, which a restore finds empty.
  const refused = await fetch(`${service.url}/v1/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'nobody@example.test', password: 'not the password' }),
  });
  expect(refused.status).toBe(401);
  const backup = join(root, 'whole');
  const made = await runCommand(['backup', backup], service);
  const duringBackup = acknowledged.length - mustBeThere.length;
  await running.stop();
  expect(made.code, made.output).toBe(0);
  expect(before).toMatchObject({ pack: { valid: true } });
  // The backup is evidence itself.
  const range = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };
  const packs = `/v1/projects/${owner.projectId}/evidence-packs`;
  const pack = await ask<{ controls: Array<{ controlId: string; evidence: Array<{ type: string; count: number }> }> }>(
    service,
    'POST',
    packs,
    {
      framework: 'soc2',
      ...range,
    },
  );
  expect(pack.controls.find(({ controlId }) => controlId === 'A1.2')?.evidence).toMatchObject([{ type: 'backups', count: 1 }]);
  expect(made.output).toMatch(/holds the secret key/);
  // Ingestion continued.
  expect(duringBackup).toBeGreaterThan(0);
  expect((await stat(backup)).mode & 0o777).toBe(0o700);
  expect((await stat(join(backup, 'secret.key'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(backup, 'secret.key'))).toEqual(await readFile(join(root, 'data', 'secret.key')));
  // No temporary file remains in the data directory.
  expect(await readdir(join(root, 'data', 'wal'))).not.toContain('backup');
  expect(await readdir(join(root, 'data', 'clickhouse', 'shadow')).catch(() => [])).not.toContain('spanwise_backup');

  const restoredDirectory = join(root, 'restored');
  const restored = await runCommand(['restore', backup], { dataDirectory: restoredDirectory });
  expect(restored.code, restored.output).toBe(0);
  const second = await startService({ dataDirectory: restoredDirectory });
  try {
    // The session and the key of the first service are valid.
    await settled(second);
    expect(withoutShares(await seen(second))).toEqual(before);
    expect((await fetch(`${second.url}/v1/sdk/whoami`, { headers: { 'x-api-key': service.apiKey } })).status).toBe(200);
    const lost: string[] = [];
    for (const traceId of mustBeThere) {
      const answer = await fetch(`${second.url}/v1/projects/${owner.projectId}/traces/${traceId}`, {
        headers: { cookie: owner.cookie },
      });
      if (answer.status !== 200) lost.push(traceId);
      await answer.arrayBuffer();
    }
    expect(lost).toEqual([]);
    // It accepts new spans; log and versions continue where the backup ended.
    const own = await fetch(`${second.url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': service.apiKey, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ type: 'span', traceId: 'own', spanId: 's', name: 'n', startTime: startTime() }),
    });
    expect(own.status).toBe(202);
    await expect.poll(() => statusOf(second, 'own'), { timeout: 60_000 }).toBe(200);
  } finally {
    await second.stop();
  }
});

async function statusOf({ url }: Service, traceId: string): Promise<number> {
  return (await fetch(`${url}/v1/projects/${owner.projectId}/traces/${traceId}`, { headers: { cookie: owner.cookie } })).status;
}

test('an operator changes a plan while the service runs', { timeout: 200_000 }, async () => {
  const plan = async () => {
    const { organizations } = await ask<{ organizations: Array<{ slug: string; plan: string }> }>(
      service,
      'GET',
      '/v1/organizations',
    );
    return organizations.map((one) => `${one.slug} ${one.plan}`);
  };
  const [before = ''] = await plan();
  const [slug = ''] = before.split(' ');
  const changed = await runCommand(['org', 'set-plan', slug, 'team'], service);
  expect([changed.code, changed.output]).toEqual([0, expect.stringContaining('is on plan team')]);
  expect(await plan()).toContain(`${slug} team`);
  expect((await runCommand(['org', 'set-plan', slug, 'scale'], service)).code).toBe(0);
  const unknown = await runCommand(['user', 'reset-password', 'nobody@example.test'], service);
  expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('there is no user')]);
});

test('a damaged backup is refused and nothing is restored', { timeout: 400_000 }, async () => {
  const backup = join(root, 'to-damage');
  expect((await runCommand(['backup', backup], service)).code).toBe(0);
  const files = (await readdir(backup, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const one = (pattern: RegExp) => {
    const found = files.map((entry) => join(entry.parentPath, entry.name)).find((path) => pattern.test(path));
    if (found === undefined) throw new Error(`the backup has no ${pattern}`);
    return found.slice(backup.length + 1);
  };
  const damages: Array<[file: string, damage: (path: string) => Promise<void>, told: RegExp]> = [
    [one(/clickhouse\/spans\/.*\/data\.bin$/), flip, /is damaged: clickhouse\/spans\/.*checksum/],
    [one(/postgres\/base\/.*\d$/), flip, /is damaged: postgres\/.*checksum/],
    [one(/wal\/log-id$/), (path) => rm(path), /is damaged: wal\/log-id: it is missing/],
    ['secret.key', (path) => writeFile(path, ''), /is damaged: secret\.key: it has 0 bytes/],
    ['manifest.json', flip, /is damaged: manifest\.json/],
    ['manifest.json', (path) => rm(path), /is no whole backup/],
  ];
  for (const [file, damage, told] of damages) {
    const copy = join(root, 'damaged');
    await cp(backup, copy, { recursive: true });
    await damage(join(copy, file));
    await expect(readWholeBackup(copy), file).rejects.toThrow(told);
    await rm(copy, { recursive: true });
  }
  const target = join(root, 'never');
  await flip(join(backup, one(/clickhouse\/spans\/.*\/data\.bin$/)));
  const result = await runCommand(['restore', backup], { dataDirectory: target });
  expect(result).toMatchObject({ code: 1, output: expect.stringMatching(/^spanwise: the backup is damaged: .*\n$/) });
  expect(await readdir(target).catch(() => null)).toBeNull();
});

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

test('restore does not overwrite data, and backup needs a running service', { timeout: 400_000 }, async () => {
  const full = join(root, 'to-damage');
  expect(await runCommand(['backup', full], service)).toMatchObject({ code: 1, output: expect.stringMatching(/is not empty/) });
  expect(await runCommand(['restore', full], service)).toMatchObject({ code: 1, output: expect.stringMatching(/is not empty/) });
  const nowhere = join(root, 'nowhere');
  const result = await runCommand(['backup', nowhere], { dataDirectory: join(root, 'no-service') });
  expect(result).toMatchObject({ code: 1, output: expect.stringMatching(/no service runs on the data directory/) });
  expect(await readdir(root)).not.toContain('nowhere');
  const within = await runCommand(['backup', join(service.dataDirectory, 'within')], service);
  expect(within).toMatchObject({ code: 1, output: expect.stringMatching(/outside the data directory/) });
});

test('a full disk leaves no partial backup and a healthy service', { timeout: 400_000 }, async () => {
  const into = join(root, 'full');
  const result = await runCommand(['backup', into], { dataDirectory: service.dataDirectory, largestFileKb: 64 });
  expect(result.code).toBe(1);
  expect(result.output).toMatch(/no backup was made/);
  expect(await readdir(root)).not.toContain('full');
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  await sendSpan('after');
  await expect.poll(() => statusOf(service, acknowledged.at(-1) ?? ''), { timeout: 60_000 }).toBe(200);
});

/** A backup command that has sent `asks` and then hangs. */
async function standingCommand(asks: readonly string[]): Promise<Socket> {
  const socket = connect(join(service.dataDirectory, 'control.sock'));
  socket.setEncoding('utf8');
  for (const ask of asks) await tell(socket, ask);
  return socket;
}

async function tell(socket: Socket, ask: string): Promise<void> {
  socket.write(`${JSON.stringify({ ask })}\n`);
  await new Promise((resolve) => socket.once('data', resolve));
}

test('a second backup at the same time is refused', { timeout: 400_000 }, async () => {
  expect((await stat(join(service.dataDirectory, 'control.sock'))).mode & 0o777).toBe(0o600);
  const first = await standingCommand(['begin']);
  const into = join(root, 'second');
  const refused = await runCommand(['backup', into], service);
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/another backup is under way/) });
  expect(await readdir(root)).not.toContain('second');
  await tell(first, 'end');
  first.destroy();
  expect((await runCommand(['backup', into], service)).code).toBe(0);
});

test('the stores are released when the command dies, hangs or sends invalid messages', { timeout: 400_000 }, async () => {
  const endings: Array<[string, (command: Socket) => void]> = [
    ['dies', (command) => command.destroy()],
    ['talks nonsense', (command) => command.write('nonsense\n')],
    // Until the service's timeout.
    ['stands still', () => undefined],
  ];
  for (const [what, end] of endings) {
    const command = await standingCommand(['begin', 'hold']);
    command.on('error', () => undefined);
    // Accepted and synced to the log, at the latest when the stores are released.
    const sending = sendSpan('held');
    end(command);
    await sending;
    await expect.poll(() => statusOf(service, acknowledged.at(-1) ?? ''), { timeout: 60_000, message: what }).toBe(200);
    command.destroy();
    await expect.poll(() => readdir(join(service.dataDirectory, 'wal')), { timeout: 60_000 }).not.toContain('backup');
  }
  expect(service.child.exitCode).toBeNull();
});
