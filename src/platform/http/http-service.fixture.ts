import type { AddressInfo } from 'node:net';
import type { Role } from '../../contract/permissions.ts';
import type { Authenticator, Caller, Server } from './index.ts';
import { createServer, Readiness } from './index.ts';
import { ManualClock } from '../clock/clock.ts';
import type { Clock } from '../clock/clock.ts';
import type { UnreadLimits } from './unread-answers.ts';
import { openLog } from '../log/index.ts';

export const ownProject = '0197a000-0000-7000-8000-000000000001';
export const otherProject = '0197a000-0000-7000-8000-000000000002';
export const noProject = '0197a000-0000-7000-8000-000000000003';
const organizationId = '0197b000-0000-7000-8000-000000000001';

/** The project of the key and of the users. */
export const ownTenant = { organizationId, projectId: ownProject, plan: 'scale' as const };
const key: Extract<Caller, { kind: 'key' }> = {
  kind: 'key',
  ...ownTenant,
  keyId: 'key-id',
  keyName: 'key',
  keyPrefix: 'spw_key',
  projectName: 'project',
  organizationSlug: 'acme',
  scopes: null,
};

/** Accepts the key `spw_good`, and for every role a session `<role>` and a token `spwu_<role>` of a member of `acme` with one project. */
export function stubAuthenticator(): Authenticator {
  const roles: readonly string[] = ['owner', 'admin', 'member', 'viewer'];
  const user = (name: string, via: 'session' | 'token') =>
    Promise.resolve(
      roles.includes(name)
        ? { kind: 'user' as const, userId: name, email: `${name}@example.com`, name, via, sessionId: null }
        : null,
    );
  return {
    byApiKey: (secret) => Promise.resolve(secret === 'spw_good' ? key : null),
    byToken: (secret) => user(secret.slice('spwu_'.length), 'token'),
    bySession: (secret) => user(secret, 'session'),
    projectFor: (userId, projectId) =>
      Promise.resolve(projectId === ownProject ? { tenant: ownTenant, role: userId as Role } : null),
    organizationFor: (userId, slugOrId) =>
      Promise.resolve(
        slugOrId === 'acme' || slugOrId === organizationId
          ? { id: organizationId, slug: 'acme', plan: 'scale', role: userId as Role }
          : null,
      ),
    rolesOf: (userId) => Promise.resolve([userId as Role]),
  };
}

export interface HttpService {
  app: Server;
  readiness: Readiness;
  url: string;
  port: number;
  /** The log, as JSON lines. */
  logged(): string;
  request(path: string, options?: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  /** A string is sent unchanged, other values as JSON. */
  body?: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // Tests compare the fields that they expect.
  body: ReturnType<typeof JSON.parse>;
}

export interface HttpServiceOptions {
  /** Default: {@link stubAuthenticator}. */
  authenticator?: Authenticator;
  publicOrigin?: string;
  drainMs?: number;
  clock?: Clock;
  unread?: UnreadLimits;
}

/** A server that listens, with the routes that `routes` gives it. */
export async function openHttpService(
  routes: (app: Server) => void | Promise<void>,
  options: HttpServiceOptions = {},
): Promise<HttpService> {
  let logged = '';
  const readiness = new Readiness();
  const app = await createServer({
    log: openLog('info', { write: (line: string) => void (logged += line) }),
    authenticator: options.authenticator ?? stubAuthenticator(),
    publicOrigin: () => options.publicOrigin ?? 'https://spanwise.example.com',
    readiness,
    ...(options.drainMs === undefined ? {} : { drainMs: options.drainMs }),
    clock: options.clock ?? new ManualClock(0),
    ...(options.unread ? { unread: options.unread } : {}),
  });
  await routes(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  readiness.started();
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    app,
    readiness,
    url,
    port,
    logged: () => logged,
    request: (path, given) => send(url + path, given),
    close: () => app.close(),
  };
}

/** Sends a request and reads the whole answer. */
export async function send(url: string, { method = 'GET', headers = {}, body }: RequestOptions = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, text, body: isJson && text !== '' ? JSON.parse(text) : null };
}
