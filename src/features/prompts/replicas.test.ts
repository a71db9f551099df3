import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends, serverBackend } from '../../platform/postgres/postgres-backends.fixture.ts';
import { openPromptsService } from './prompts-service.fixture.ts';
import type { PromptsService, Replica } from './prompts-service.fixture.ts';

/** Maximum delay until a change is visible on every replica (issue 3). */
const withinMs = 1_000;

describe.each(backends)('several replicas, $mode', (backend) => {
  let service: PromptsService;
  let there: Replica;
  beforeAll(async () => {
    service = await openPromptsService(backend);
    there = await service.replica();
    await Promise.all([service.listens(), there.listens()]);
  });
  afterAll(() => service.close());

  const read = async (replica: Replica, name: string, rest = '') => {
    const { status, body } = await replica.request(service.key, 'GET', `/v1/prompts?name=${name}${rest}`);
    return status === 200 ? body.resolvedPrompt : status;
  };
  /** Polls until the other replica gives this answer; fails after the maximum delay. */
  const seenThere = async (name: string, expected: unknown, rest = '') => {
    const started = performance.now();
    while ((await read(there, name, rest)) !== expected)
      expect(performance.now() - started, `${name} is not ${String(expected)} yet`).toBeLessThan(withinMs);
    expect(await read(there, name, rest)).toBe(expected);
  };
  const change = (method: string, path: string, body?: object) =>
    service.request(service.key, method, `/v1/prompts/${path}`, body);
  /** Changes a stored prompt without a message, so that the old text can only come from the cache. */
  const tamper = (prompt: string, altered: string) =>
    sql`UPDATE prompt_versions SET prompt = ${altered} WHERE prompt = ${prompt}`.execute(service.postgres.db);

  test('a prompt is served from memory', async () => {
    await service.create({ name: 'kept', prompt: 'kept 1' });
    await seenThere('kept', 'kept 1');
    expect(await read(service, 'kept')).toBe('kept 1');
    await tamper('kept 1', 'altered');
    expect([await read(service, 'kept'), await read(there, 'kept')]).toEqual(['kept 1', 'kept 1']);
    // Any change in the project drops all its cached answers.
    await service.create({ name: 'other', prompt: 'x' });
    expect(await read(service, 'kept')).toBe('altered');
    await seenThere('kept', 'altered');
  });

  test('a change is visible at once on its replica, within a second on the other', async () => {
    await service.create({ name: 'p', prompt: '1', labels: ['production', 'old'] });
    await service.create({ name: 'p', prompt: '2' });
    await service.create({ name: 'outer', prompt: '<{{> p }}>' });
    for (const replica of [service, there]) {
      expect(await read(replica, 'p')).toBe('1');
      expect(await read(replica, 'outer')).toBe('<1>');
    }
    await change('PATCH', 'p/labels', { version: 2, labels: ['production'] });
    expect([await read(service, 'p'), await read(service, 'outer')]).toEqual(['2', '<2>']);
    await seenThere('p', '2');
    await seenThere('outer', '<2>');
    await service.create({ name: 'p', prompt: '3' });
    expect(await read(service, 'p', '&label=latest')).toBe('3');
    await seenThere('p', '3', '&label=latest');
  });

  test('a deletion is visible at once on its replica, within a second on the other', async () => {
    await service.create({ name: 'gone', prompt: 'x', labels: ['production'] });
    await seenThere('gone', 'x', '&label=production');
    expect(await read(service, 'gone', '&label=production')).toBe('x');
    expect((await change('DELETE', 'gone')).status).toBe(204);
    expect(await read(service, 'gone', '&label=production')).toBe(404);
    await seenThere('gone', 404, '&label=production');
    await service.create({ name: 'gone', prompt: 'anew' });
    expect(await read(service, 'gone', '&label=production')).toBe(404);
    await seenThere('gone', 'anew');
    await seenThere('gone', 404, '&label=production');
  });

  test('reads under constant change never return an older version', async () => {
    await service.create({ name: 'rising', prompt: '0' });
    let writing = true;
    const watch = async (replica: Replica) => {
      for (let last = 0; writing;) {
        const now = Number(await read(replica, 'rising'));
        expect(now).toBeGreaterThanOrEqual(last);
        last = now;
      }
    };
    const watching = [watch(service), watch(service), watch(there), watch(there)];
    for (let version = 1; version <= 30; version++) {
      await service.create({ name: 'rising', prompt: String(version) });
      expect(await read(service, 'rising')).toBe(String(version));
    }
    writing = false;
    await Promise.all(watching);
    await seenThere('rising', '30');
  });

  test.runIf(backend === serverBackend)('while the connection that listens is lost nothing is served from memory', async () => {
    await service.create({ name: 'lost', prompt: 'lost 1' });
    await seenThere('lost', 'lost 1');
    await tamper('lost 1', 'lost 2');
    expect(await read(there, 'lost')).toBe('lost 1');
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
      AND pid <> pg_backend_pid() AND query IN ('LISTEN spanwise', 'SELECT 1')`.execute(service.postgres.db);
    await seenThere('lost', 'lost 2');
    // Until the listener receives, every read queries the database.
    for (let round = 3; !there.postgres.changeFeed.receiving(); round++) {
      await tamper(`lost ${round - 1}`, `lost ${round}`);
      if (!there.postgres.changeFeed.receiving()) expect(await read(there, 'lost')).toBe(`lost ${round}`);
    }
    await Promise.all([service.listens(), there.listens()]);
    await service.create({ name: 'lost', prompt: 'afterwards' });
    await seenThere('lost', 'afterwards');
  });

  describe('concurrent writers', () => {
    test('50 versions of a new prompt are numbered 1 to 50, and latest is the newest', async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 === 0 ? service : there).request(service.key, 'POST', '/v1/prompts', {
            name: 'crowded',
            prompt: `by ${index}`,
            labels: ['production', `label ${index % 5}`],
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201));
      const numbers = answers.map(({ body }) => body.version as number).toSorted((left, right) => left - right);
      expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
      const { body } = await service.request(service.key, 'GET', '/v1/prompts/crowded/versions');
      expect(body.versions.map(({ version }: { version: number }) => version)).toEqual(numbers.toReversed());
      const labels = body.versions.flatMap((record: { labels: string[] }) => record.labels);
      expect(labels.toSorted()).toEqual(['label 0', 'label 1', 'label 2', 'label 3', 'label 4', 'latest', 'production']);
      expect(body.versions[0].labels).toContain('latest');
      expect(body.versions[0].labels).toContain('production');
    });

    test('concurrent creating, moving and deleting end without errors in one consistent state', async () => {
      const name = 'contested';
      await service.create({ name, prompt: '0' });
      const tasks = Array.from({ length: 24 }, (_, index) => {
        const replica = index % 2 === 0 ? service : there;
        const send = (method: string, path: string, body?: object) => replica.request(service.key, method, path, body);
        if (index % 4 === 0) return send('POST', '/v1/prompts', { name, prompt: String(index) });
        if (index % 4 === 1) return send('PATCH', `/v1/prompts/${name}/labels`, { version: 1, labels: ['a'] });
        if (index % 4 === 2) return send('PATCH', `/v1/prompts/${name}/folder`, { folder: `f${index}` });
        return send('DELETE', `/v1/prompts/${name}`);
      });
      for (const { status, text } of await Promise.all(tasks)) expect([200, 201, 204, 404], text).toContain(status);
      const { status, body } = await service.request(service.key, 'GET', `/v1/prompts/${name}/versions`);
      if (status === 404) return;
      const count = body.versions.length;
      expect(body.versions.map(({ version }: { version: number }) => version)).toEqual(
        Array.from({ length: count }, (_, index) => count - index),
      );
    });
  });
});
