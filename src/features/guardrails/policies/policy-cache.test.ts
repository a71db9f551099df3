import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ChangeFeed } from '../../../platform/postgres/change-feed.ts';
import type { Postgres } from '../../../platform/postgres/index.ts';
import { backends } from '../../../platform/postgres/postgres-backends.fixture.ts';
import type { TestDatabase } from '../../../platform/postgres/postgres-backends.fixture.ts';
import { policiesChannel } from '../../policy-revisions/index.ts';
import { PolicyCache } from './policy-cache.ts';

const [backend] = backends;
let database: TestDatabase | undefined;
let postgres: Postgres;
let projectId: string;
/** Whether messages of other processes arrive. */
let receiving: boolean;
let announce: (projectId: string) => void;
let missed: () => void;
let cache: PolicyCache;

beforeAll(async () => {
  database = await backend?.create({ migrated: true });
  if (!database) throw new Error('there is no PostgreSQL');
  postgres = await database.open();
});
afterAll(async () => {
  await postgres.close();
  await database?.remove();
});
beforeEach(async () => {
  const [organizationId, now] = [randomUUID(), new Date()];
  projectId = randomUUID();
  await sql`INSERT INTO organizations (id, slug, name, plan, created_at) VALUES (${organizationId}, ${organizationId}, 'o', 'free', ${now})`.execute(
    postgres.db,
  );
  await sql`INSERT INTO projects (id, organization_id, slug, name, created_at) VALUES (${projectId}, ${organizationId}, 'p', 'p', ${now})`.execute(
    postgres.db,
  );
  await sql`INSERT INTO policy_projects (project_id, revision) VALUES (${projectId}, 1)`.execute(postgres.db);
  receiving = true;
  // Another process changes the policies: its messages are given by hand.
  const feed = new ChangeFeed(
    postgres.db,
    {
      start: (onMessage, onMissed) => {
        announce = (changed) => onMessage(`${policiesChannel} ${changed}`);
        missed = onMissed;
      },
      receiving: () => receiving,
      close: () => Promise.resolve(),
    },
    false,
  );
  cache = new PolicyCache(postgres.db, feed);
});

const change = (revision: number) =>
  sql`UPDATE policy_projects SET revision = ${revision} WHERE project_id = ${projectId}`.execute(postgres.db);
const revision = async () => (await cache.get(projectId)).revision;

test('policies are served from memory until a change is announced', async () => {
  expect(cache.peek(projectId)).toBeUndefined();
  expect(await revision()).toBe(1);
  await change(2);
  expect([await revision(), cache.peek(projectId)?.revision]).toEqual([1, 1]);
  announce(randomUUID());
  expect(await revision()).toBe(1);
  announce(projectId);
  expect(await revision()).toBe(2);
  await change(3);
  missed();
  expect(await revision()).toBe(3);
  cache.close();
});

test('while no messages arrive every read finds the latest revision, and what did not change is kept', async () => {
  const before = await cache.get(projectId);
  receiving = false;
  expect(cache.peek(projectId)).toBeUndefined();
  expect(await cache.get(projectId)).toBe(before);
  await change(2);
  expect(await revision()).toBe(2);
  cache.close();
});

test('what was read before a change that is announced meanwhile is not kept', async () => {
  const reading = cache.get(projectId);
  announce(projectId);
  await reading;
  expect(cache.peek(projectId)).toBeUndefined();
  cache.close();
});

test('a project without policies has revision 0 and no guardrails', async () => {
  expect(await cache.get(randomUUID())).toMatchObject({ revision: 0, guardrails: [] });
  cache.close();
});
