import type { AddressInfo } from 'node:net';
import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { addMember } from '../../../test/support/add-member.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { makeApiKey } from '../../contract/api-key.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { send } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { createServer, Readiness } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { open as openAudit } from '../audit/index.ts';
import { open } from './index.ts';
import type { FirstStart, IdentitySettings } from './index.ts';
import type { IdentityContext } from './identity-context.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10);
export const administrator = { email: 'owner@example.com', password: 'correct horse battery' };
export const firstKey = makeApiKey();

/** The credentials of a request, as headers. */
export type By = Record<string, string>;
export const nobody: By = {};
export const byKey = (key: string): By => ({ 'x-api-key': key });

export interface Person {
  by: By;
  userId: string;
  email: string;
}

export interface IdentityService {
  context: IdentityContext;
  clock: ManualClock;
  app: Server;
  first: FirstStart;
  organizationId: string;
  owner: Person;
  /** Read at each request; tests may change it. */
  publicOrigin: string;
  /** Runs a job of the feature once. */
  run(job: string): Promise<unknown>;
  request(by: By, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Signs in; the answer's cookie as headers. */
  signIn(email: string, password: string): Promise<By>;
  /** A new user with a role in the first organization, signed in. */
  person(role: string): Promise<Person>;
  /** A new user who owns an organization of their own and is in no other. */
  stranger(): Promise<Person & { organizationId: string; projectId: string }>;
  close(): Promise<void>;
}

/** Every route of identity and of the audit log over HTTP, on a first start. @param further routes of a test */
export async function openIdentityService(
  settings: Partial<IdentitySettings> = {},
  further: (app: Server) => void = () => undefined,
): Promise<IdentityService> {
  const { postgres, close } = await openTestPostgres();
  const clock = new ManualClock(nowMs);
  const service = { publicOrigin: 'http://spanwise.example.com' };
  const publicOrigin = () => service.publicOrigin;
  const log = pino({ level: 'silent' });
  const identity = await open(
    { postgres, clock, publicOrigin, log },
    {
      adminEmail: administrator.email,
      adminPassword: administrator.password,
      apiKey: firstKey,
      smtpUrl: null,
      mailFrom: null,
      organizationCreation: 'anyone',
      defaultPlan: 'free',
      ...settings,
    },
  );
  const { context, firstStart: first, authenticator } = identity;
  if (!first) throw new Error('the storage was not empty');
  const app = await createServer({
    clock,
    log,
    authenticator,
    publicOrigin,
    readiness: new Readiness(),
    trustProxy: 1,
  });
  for (const feature of [identity, openAudit({ postgres, clock })]) await feature.routes?.(app);
  further(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const request: IdentityService['request'] = (by, method, path, body) =>
    send(url + path, { method, headers: by, ...(body === undefined ? {} : { body }) });
  const signIn = async (email: string, password: string): Promise<By> => {
    const answer = await request(nobody, 'POST', '/v1/auth/login', { email, password });
    if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}`);
    return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  };
  const by = await signIn(administrator.email, administrator.password);
  const { user, organizations } = (await request(by, 'GET', '/v1/auth/session')).body;
  const owner = { by, userId: user.id, email: user.email };
  const organizationId: string = organizations[0].id;
  let people = 0;
  const person = async (role: string): Promise<Person> => {
    const email = `person${++people}@example.com`;
    const given = { email, name: 'Person', role, password: 'password of a person' };
    const { userId, cookie } = await addMember(url, by, organizationId, given);
    return { by: { cookie }, userId, email };
  };
  const stranger = async () => {
    const somebody = await person('viewer');
    const { id } = (await request(somebody.by, 'POST', '/v1/organizations', { name: 'Elsewhere' })).body;
    const project = (await request(somebody.by, 'POST', `/v1/organizations/${id}/projects`, { name: 'There' })).body;
    await request(by, 'DELETE', `/v1/organizations/${organizationId}/members/${somebody.userId}`);
    return { ...somebody, organizationId: id as string, projectId: project.id as string };
  };
  return Object.assign(service, {
    context,
    clock,
    app,
    first,
    organizationId,
    owner,
    request,
    signIn,
    person,
    stranger,
    run: async (name: string) => identity.jobs?.find((job) => job.name === name)?.run(new AbortController().signal),
    close: async () => {
      await app.close();
      await identity.close?.();
      await close();
    },
  });
}

/** A context in which `act` runs once, after the first statement that has read a password. */
export function afterPasswordRead(context: IdentityContext, act: () => Promise<unknown>): IdentityContext {
  let done = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!done && result.rows.some((row) => 'password_hash' in row)) {
        done = true;
        await act();
      }
      return result;
    },
  };
  return { ...context, db: context.db.withPlugin(plugin) };
}
