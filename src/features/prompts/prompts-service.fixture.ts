import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { addMember } from '../../../test/support/add-member.ts';
import { makeApiKey } from '../../contract/api-key.ts';
import type { PromptVersion } from '../../contract/prompts.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { createServer, Readiness } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { migratePostgres } from '../../platform/postgres/index.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import type { Backend } from '../../platform/postgres/postgres-backends.fixture.ts';
import { bootstrap, identityContext, open as openIdentity } from '../identity/index.ts';
import type { IdentitySettings } from '../identity/index.ts';
import { open } from './index.ts';
import type { PromptsFeature } from './index.ts';
import type { PromptsContext } from './prompts-context.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10);
const migrations = join(import.meta.dirname, '../../../migrations/postgres');
const administrator = { email: 'owner@example.com', password: 'correct horse battery' };

/** Headers that identify the caller. */
export type By = Record<string, string>;

/** One replica of the service, with identity and prompts over HTTP. */
export interface Replica {
  postgres: Postgres;
  prompts: PromptsFeature;
  context: PromptsContext;
  app: Server;
  /** Sends the path unchanged; fetch() would resolve a segment `%2E%2E`. */
  request(by: By, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Resolves once changes of other processes arrive. */
  listens(): Promise<void>;
  close(): Promise<void>;
}

export interface PromptsService extends Replica {
  clock: ManualClock;
  /** The project's key. */
  key: By;
  projectId: string;
  organizationId: string;
  /** Another replica on the same database; on the embedded one another context in this process. */
  replica(): Promise<Replica>;
  /** A signed-in user with a role in the organization. */
  person(role: string): Promise<By>;
  /** Another project of the same organization, with a key. */
  project(): Promise<{ projectId: string; key: By }>;
  /** Creates a version with the project's key; fails unless the answer is 201. */
  create(body: object): Promise<PromptVersion>;
  /** The audit log's entries about labels, oldest first. */
  movedLabels(): Promise<Array<{ subject: string; detail: unknown; actor_name: string; project_id: string }>>;
}

export async function openPromptsService(backend: Backend): Promise<PromptsService> {
  const database = await backend.create({ migrated: true });
  const clock = new ManualClock(nowMs);
  const open = () => database.open();
  const postgres = await open();
  await migratePostgres(postgres, migrations);
  const apiKey = makeApiKey();
  const first = await bootstrap(identityContext(postgres.db, clock), {
    adminEmail: administrator.email,
    adminPassword: administrator.password,
    apiKey,
  });
  if (!first) throw new Error('the storage was not empty');
  const replica = await openReplica(postgres, clock);
  const { request } = replica;
  const key = { 'x-api-key': apiKey };
  const signIn = async (credentials: object): Promise<By> => {
    const answer = await request({}, 'POST', '/v1/auth/login', credentials);
    if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}`);
    return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  };
  const owner = await signIn(administrator);
  const [organization] = (await request(owner, 'GET', '/v1/auth/session')).body.organizations;
  const others: Replica[] = [];
  let people = 0;
  return {
    ...replica,
    clock,
    key,
    projectId: organization.projects[0].id,
    organizationId: organization.id,
    replica: async () => {
      const other = await openReplica(backend.mode === 'embedded' ? postgres : await open(), clock);
      others.push(other);
      return other;
    },
    person: async (role) => {
      const credentials = { email: `person${++people}@example.com`, password: 'password of a person' };
      const { port } = replica.app.server.address() as AddressInfo;
      const { cookie } = await addMember(`http://127.0.0.1:${port}`, owner, organization.id, {
        ...credentials,
        name: 'Person',
        role,
      });
      return { cookie };
    },
    project: async () => {
      const { body } = await request(owner, 'POST', `/v1/organizations/${organization.id}/projects`, { name: 'Another' });
      const made = await request(owner, 'POST', `/v1/projects/${body.id}/api-keys`, { name: 'another key' });
      return { projectId: body.id, key: { 'x-api-key': made.body.key } };
    },
    create: async (body) => {
      const answer = await request(key, 'POST', '/v1/prompts', body);
      if (answer.status !== 201) throw new Error(`POST /v1/prompts answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
    movedLabels: async () => {
      const { rows } = await sql<{ subject: string; detail: string; actor_name: string; project_id: string }>`
        SELECT subject, detail, actor_name, project_id FROM audit_entries WHERE kind = 'prompt.labels_moved' ORDER BY seq`.execute(
        postgres.db,
      );
      return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as unknown }));
    },
    close: async () => {
      for (const other of others) {
        await other.close();
        if (other.postgres !== postgres) await other.postgres.close();
      }
      await replica.close();
      await postgres.close();
      await database.remove();
    },
  };
}

const settings: IdentitySettings = {
  adminEmail: null,
  adminPassword: null,
  apiKey: null,
  smtpUrl: null,
  mailFrom: null,
  organizationCreation: 'owners',
  defaultPlan: 'scale',
};

async function openReplica(postgres: Postgres, clock: ManualClock): Promise<Replica> {
  const publicOrigin = () => 'http://spanwise.example.com';
  const log = pino({ level: 'silent' });
  const identity = await openIdentity({ postgres, clock, publicOrigin, log }, settings);
  // Only the metrics query ClickHouse; they are tested on the whole service.
  const prompts = open({ postgres, clickhouse: {} as ClickHouse, clock });
  const { context } = prompts;
  const app = await createServer({
    clock,
    log,
    authenticator: identity.authenticator,
    publicOrigin,
    readiness: new Readiness(),
  });
  for (const feature of [identity, prompts]) await feature.routes?.(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    postgres,
    prompts,
    context,
    app,
    request: (by, method, path, body) => sendRaw(port, { by, method, path, body }),
    listens: () => vi.waitFor(() => expect(postgres.changeFeed.receiving()).toBe(true), 30_000),
    close: async () => {
      await app.close();
      await prompts.close?.();
    },
  };
}

function sendRaw(
  port: number,
  { by, method, path, body }: { by: By; method: string; path: string; body: unknown },
): Promise<Answer> {
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { ...(text === null ? {} : { 'content-type': 'application/json' }), ...by };
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answered = Buffer.concat(chunks).toString();
        const given = new Headers();
        for (const [name, values] of Object.entries(response.headersDistinct))
          for (const value of values ?? []) given.append(name, value);
        const isJson = given.get('content-type')?.startsWith('application/json') === true && answered !== '';
        resolve({
          status: response.statusCode ?? 0,
          headers: given,
          text: answered,
          body: isJson ? JSON.parse(answered) : null,
        });
      });
    });
    sent.on('error', reject);
    sent.end(text ?? undefined);
  });
}
