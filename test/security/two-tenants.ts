import { randomBytes } from 'node:crypto';
import { makeApiKey } from '../../src/contract/api-key.ts';
import { setPlan } from '../../src/features/identity/index.ts';
import { roles } from '../../src/contract/permissions.ts';
import type { Role } from '../../src/contract/permissions.ts';
import { addMember } from '../support/add-member.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { resourcesOf, startMs } from './tenant-resources.ts';
import type { Send } from './tenant-resources.ts';

/** A caller with its credentials. */
export type Actor = { name: string; headers: Record<string, string> } & (
  | { kind: 'anonymous' }
  | { kind: 'key'; projectId: string; organizationId: string }
  | { kind: 'user'; organizationId: string; role: Role }
);

/** An organization with objects of every kind. */
export interface TenantData {
  name: string;
  /** Part of every text that the tenant stored. Lower-case letters and digits, so that slugs and case folding keep it. */
  marker: string;
  /** Part of every secret, which no response may contain. */
  secretMarker: string;
  organizationId: string;
  projectId: string;
  /** Route parameters that name the tenant's objects. */
  parameters: Readonly<Record<string, string>>;
  /** A session and a personal token of each role, a key of the project, and a key of another project of the organization. */
  actors: readonly Actor[];
  owner: Actor;
  key: Actor;
}

/** Two tenants in one service. */
export interface TwoTenants {
  app: TestApp;
  tenants: readonly [TenantData, TenantData];
  /** Callers without valid credentials: missing, malformed, unknown, revoked, expired, signed out. */
  anonymous: readonly Actor[];
}

const json = { 'content-type': 'application/json' };
/** Of every user of the tenants. */
export const password = 'a password of this test';
const graceSeconds = 60;

let addresses = 0;

/** The headers of a request from an address of its own: the budget of failed credentials of one would end soon. */
export function fromNewAddress(): Record<string, string> {
  const number = ++addresses;
  return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` };
}

/** Starts a service with two tenants. The caller closes `app`. */
export async function openTwoTenants(): Promise<TwoTenants> {
  const app = await startTestApp(startMs, {
    // For fromNewAddress().
    SPANWISE_TRUST_PROXY: '1',
    SPANWISE_ORGANIZATION_CREATION: 'anyone',
    SPANWISE_OUTGOING_ALLOW: '127.0.0.0/8,::1',
  });
  const first = await fillTenant(app, 'first');
  const second = await fillTenant(app, 'second');
  const anonymous = await anonymousCallers(app, first);
  return { app, tenants: [first, second], anonymous };
}

function sender(app: TestApp, headers: Record<string, string>): Send {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${app.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : json) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as T;
  };
}

async function signIn(app: TestApp, email: string): Promise<Record<string, string>> {
  const login = await fetch(`${app.url}/v1/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email, password }),
  });
  if (login.status !== 200) throw new Error(`login of ${email} answered ${login.status}`);
  return { cookie: login.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

async function fillTenant(app: TestApp, name: string): Promise<TenantData> {
  const marker = `qz${randomBytes(6).toString('hex')}`;
  const secretMarker = `zq${randomBytes(6).toString('hex')}`;
  const operator = { cookie: app.cookie };
  const { id: organizationId } = await sender(app, operator)('POST', '/v1/organizations', { name: `Organization ${marker}` });
  if (organizationId === undefined) throw new Error('no organization');
  // Evidence packs need a plan above `free`.
  await setPlan(app.identity, organizationId, 'scale');
  const users = await usersOf(app, operator, organizationId, marker);
  const owner = users.actors[0];
  if (!owner) throw new Error('no owner');
  const asOwner = sender(app, owner.headers);
  const project = await projectOf(asOwner, organizationId, marker);
  const otherProject = await projectOf(asOwner, organizationId, `${marker} other`);
  const token = await asOwner('POST', '/v1/me/tokens', { name: `token ${marker}` });
  const invited = { email: `invited-${marker}@example.com`, role: 'viewer' };
  const invitation = await asOwner('POST', `/v1/organizations/${organizationId}/invitations`, invited);
  const key: Actor = {
    name: `key of the ${name}`,
    kind: 'key',
    headers: { 'x-api-key': project.key },
    projectId: project.id,
    organizationId,
  };
  const place = { marker, secretMarker, projectId: project.id, userId: users.bystanderId };
  const resources = await resourcesOf(app, asOwner, sender(app, key.headers), place);
  return {
    name,
    marker,
    secretMarker,
    organizationId,
    projectId: project.id,
    parameters: {
      id: project.id,
      orgId: organizationId,
      keyId: project.keyId,
      tokenId: token['id'] ?? '',
      userId: users.bystanderId,
      invitationId: invitation['id'] ?? '',
      ...resources,
    },
    actors: [
      ...users.actors.map((actor) => ({ ...actor, name: `${actor.name} of the ${name}` })),
      key,
      { ...key, name: `key of the ${name} as a bearer token`, headers: { authorization: `Bearer ${project.key}` } },
      {
        ...key,
        name: `key of another project of the ${name}`,
        headers: { 'x-api-key': otherProject.key },
        projectId: otherProject.id,
      },
    ],
    owner,
    key,
  };
}

async function projectOf(send: Send, organizationId: string, marker: string) {
  const { id = '' } = await send('POST', `/v1/organizations/${organizationId}/projects`, { name: `Project ${marker}` });
  const { id: keyId = '', key = '' } = await send('POST', `/v1/projects/${id}/api-keys`, { name: `key ${marker}` });
  return { id, keyId, key };
}

/** A session and a token of a user of each role; the owner's session is first. */
async function usersOf(app: TestApp, operator: Record<string, string>, organizationId: string, marker: string) {
  const actors: Actor[] = [];
  for (const role of roles) {
    const email = `${role}-${marker}@example.com`;
    const { cookie } = await addMember(app.url, operator, organizationId, { email, name: `${role} ${marker}`, role, password });
    const session = { cookie };
    const { token } = await sender(app, session)('POST', '/v1/me/tokens', { name: `${role} ${marker}` });
    const user = { kind: 'user', organizationId, role } as const;
    actors.push({ ...user, name: `session of a ${role}`, headers: session });
    actors.push({ ...user, name: `token of a ${role}`, headers: { authorization: `Bearer ${token}` } });
  }
  // Nobody of the actors, who may each do more to themselves.
  const bystander = { email: `bystander-${marker}@example.com`, name: `bystander ${marker}`, role: 'viewer', password };
  return { actors, bystanderId: (await addMember(app.url, operator, organizationId, bystander)).userId };
}

async function anonymousCallers(app: TestApp, tenant: TenantData): Promise<Actor[]> {
  const asOwner = sender(app, tenant.owner.headers);
  const keys = `/v1/projects/${tenant.projectId}/api-keys`;
  const revoked = await asOwner('POST', keys, { name: 'revoked' });
  await asOwner('DELETE', `${keys}/${revoked['id']}`);
  const rotated = await asOwner('POST', keys, { name: 'rotated' });
  await asOwner('POST', `${keys}/${rotated['id']}/rotate`, { graceSeconds });
  const deleted = await asOwner('POST', '/v1/me/tokens', { name: 'deleted' });
  await asOwner('DELETE', `/v1/me/tokens/${deleted['id']}`);
  const signedOut = await signIn(app, `owner-${tenant.marker}@example.com`);
  await sender(app, signedOut)('POST', '/v1/auth/logout');
  app.clock.advance((graceSeconds + 1) * 1000);
  const caller = (name: string, headers: Record<string, string>): Actor => ({ name, kind: 'anonymous', headers });
  return [
    caller('no credentials', {}),
    caller('a malformed key', { 'x-api-key': 'spw_nonsense' }),
    caller('an unknown key', { 'x-api-key': makeApiKey() }),
    caller('a revoked key', { 'x-api-key': revoked['key'] ?? '' }),
    caller('an expired key', { 'x-api-key': rotated['key'] ?? '' }),
    caller('an unknown token', { authorization: 'Bearer spwu_nonsense' }),
    caller('a deleted token', { authorization: `Bearer ${deleted['token']}` }),
    caller('an unknown session', { cookie: 'spanwise_session=nonsense' }),
    caller('a session that was signed out', signedOut),
  ];
}
