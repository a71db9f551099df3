import { randomBytes } from 'node:crypto';
import { makeApiKey } from '../../src/contract/api-key.ts';
import { roles } from '../../src/contract/permissions.ts';
import type { Role } from '../../src/contract/permissions.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

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

type Send = <T = Record<string, string>>(method: string, path: string, body?: unknown) => Promise<T>;

const startMs = Date.UTC(2026, 10, 21, 13);
const json = { 'content-type': 'application/json' };
const password = 'a password of this test';
const graceSeconds = 60;

/** Starts a service with two tenants. The caller closes `app`. */
export async function openTwoTenants(): Promise<TwoTenants> {
  const app = await startTestApp(startMs);
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
  const operator = sender(app, { cookie: app.cookie });
  const { id: organizationId } = await operator('POST', '/v1/organizations', { name: `Organization ${marker}` });
  if (organizationId === undefined) throw new Error('no organization');
  const users = await usersOf(app, operator, organizationId, marker);
  const owner = users.actors[0];
  if (!owner) throw new Error('no owner');
  const asOwner = sender(app, owner.headers);
  const project = await projectOf(asOwner, organizationId, marker);
  const otherProject = await projectOf(asOwner, organizationId, `${marker} other`);
  const token = await asOwner('POST', '/v1/me/tokens', { name: `token ${marker}` });
  const key: Actor = {
    name: `key of the ${name}`,
    kind: 'key',
    headers: { 'x-api-key': project.key },
    projectId: project.id,
    organizationId,
  };
  const resources = await resourcesOf(app, asOwner, sender(app, key.headers), { marker, secretMarker, projectId: project.id });
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
      userId: users.viewerId,
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
async function usersOf(app: TestApp, operator: Send, organizationId: string, marker: string) {
  const actors: Actor[] = [];
  let viewerId = '';
  for (const role of roles) {
    const email = `${role}-${marker}@example.com`;
    const member = { email, name: `${role} ${marker}`, role, password };
    const { userId = '' } = await operator('POST', `/v1/organizations/${organizationId}/members`, member);
    const session = await signIn(app, email);
    const { token } = await sender(app, session)('POST', '/v1/me/tokens', { name: `${role} ${marker}` });
    const user = { kind: 'user', organizationId, role } as const;
    actors.push({ ...user, name: `session of a ${role}`, headers: session });
    actors.push({ ...user, name: `token of a ${role}`, headers: { authorization: `Bearer ${token}` } });
    viewerId = userId;
  }
  return { actors, viewerId };
}

interface Place {
  marker: string;
  secretMarker: string;
  projectId: string;
}

/** Creates an object of every kind in a project, with the marker in each of its texts. */
async function resourcesOf(app: TestApp, asOwner: Send, byKey: Send, { marker, secretMarker, projectId }: Place) {
  const text = `text ${marker}`;
  const ofProject = `/v1/projects/${projectId}`;
  const connection = await asOwner('POST', `${ofProject}/model-connections`, {
    name: text,
    baseUrl: `https://${marker}.example.com/v1`,
    apiKey: `sk-${secretMarker}`,
    model: text,
  });
  const evaluator = await asOwner('POST', `${ofProject}/evaluators`, {
    slug: `slug-${marker}`,
    name: text,
    type: 'contains',
    config: { value: text },
    target: 'span',
  });
  const traceId = `trace-${marker}`;
  await ingest(app, byKey, eventsOf(marker, traceId));
  await asOwner('POST', `${ofProject}/scores`, { traceId, evaluator: `human-${marker}`, score: 0.5, comment: text, label: text });
  await app.pipeline.drain();
  const name = `prompt/${marker}`;
  await byKey('POST', '/v1/prompts', {
    name,
    prompt: text,
    config: { [marker]: text },
    labels: [`label ${marker}`],
    tags: [`tag ${marker}`],
    folder: `folder/${marker}`,
    commitMessage: text,
  });
  const dataset = await byKey('POST', '/v1/datasets', { name: text, description: text, metadata: { [marker]: text } });
  const ofDataset = `/v1/datasets/${dataset['id']}`;
  const { items } = await byKey<{ items: Array<{ id: string }> }>('POST', `${ofDataset}/items`, {
    input: text,
    expectedOutput: text,
    metadata: { [marker]: text },
  });
  const itemId = items[0]?.id ?? '';
  const run = await byKey('POST', `${ofDataset}/runs`, { name: text, metadata: { [marker]: text } });
  await byKey('POST', `${ofDataset}/runs/${run['id']}/items`, { items: [{ datasetItemId: itemId, traceId, output: text }] });
  const policies = await policiesOf(asOwner, byKey, ofProject, marker);
  await app.pipeline.drain();
  const change = await asOwner('POST', `${ofProject}/changes`, {
    kind: 'deploy',
    service: text,
    version: text,
    actor: text,
    description: text,
    metadata: { [marker]: text },
  });
  const ofLifecycle = `${ofProject}/model-lifecycle`;
  const retirement = { retiresOn: new Date(startMs + 86_400_000).toISOString().slice(0, 10), replacement: text, source: text };
  await asOwner('PUT', `${ofLifecycle}/catalogue/${encodeURIComponent(`model/${marker}`)}`, retirement);
  await asOwner('POST', `${ofLifecycle}/scan`);
  const { findings } = await asOwner<{ findings: Array<{ id: string }> }>('GET', `${ofLifecycle}/findings`);
  return {
    ...policies,
    findingId: findings[0]?.id ?? '',
    changeId: change['id'] ?? '',
    connectionId: connection['id'] ?? '',
    evaluatorId: evaluator['id'] ?? '',
    traceId,
    spanId: `one-${marker}`,
    sessionId: `session-${marker}`,
    model: `model/${marker}`,
    name,
    datasetId: dataset['id'] ?? '',
    itemId,
    runId: run['id'] ?? '',
  };
}

async function policiesOf(asOwner: Send, byKey: Send, ofProject: string, marker: string) {
  const text = `text ${marker}`;
  const environment = await asOwner('POST', `${ofProject}/environments`, { name: `env-${marker}`, description: text });
  const guardrail = await asOwner('POST', `${ofProject}/guardrails`, {
    slug: `guard-${marker}`,
    name: text,
    type: 'regex',
    config: { patterns: [{ pattern: text, label: text }] },
    environments: [`env-${marker}`],
  });
  const everywhere = { slug: `all-${marker}`, name: text, type: 'blocklist', config: { terms: [text] } };
  await asOwner('POST', `${ofProject}/guardrails`, everywhere);
  const counts = { checks: 1, flagged: 0, redacted: 0, blocked: 1, failed: 0 };
  const report = { guardrail: everywhere.slug, stage: 'input', at: new Date(startMs).toISOString(), ...counts, reportId: marker };
  await byKey('POST', '/v1/guardrails/report', { reports: [report] });
  const content = JSON.stringify({ apiVersion: 'spanwise/v1', kind: 'Environment', metadata: { name: `code-${marker}` } });
  const files = [{ path: `${marker}.yaml`, content }];
  const { planId } = await asOwner('POST', `${ofProject}/policies/plan`, { files });
  await asOwner('POST', `${ofProject}/policies/apply`, { planId, files });
  const { policies } = await asOwner<{ policies: Array<{ id: string; managedBy: string }> }>('GET', `${ofProject}/policies`);
  return {
    environmentId: environment['id'] ?? '',
    guardrailId: guardrail['id'] ?? '',
    policyId: policies.find(({ managedBy }) => managedBy === 'code')?.id ?? '',
  };
}

function eventsOf(marker: string, traceId: string): object[] {
  const text = `text ${marker}`;
  const span = {
    type: 'span',
    traceId,
    name: text,
    kind: 'llm',
    model: `model/${marker}`,
    provider: `provider ${marker}`,
    agentName: `agent ${marker}`,
    operation: `operation ${marker}`,
    startTime: new Date(startMs - 60_000).toISOString(),
    endTime: new Date(startMs - 59_000).toISOString(),
    input: text,
    output: text,
    usage: { inputTokens: 10, outputTokens: 5 },
    costUsd: 0.5,
    sessionId: `session-${marker}`,
    userId: `user ${marker}`,
    environment: `environment ${marker}`,
    release: `release ${marker}`,
    tags: [`tag ${marker}`],
    promptName: `prompt/${marker}`,
    promptVersion: 1,
    metadata: { [marker]: text },
    attributes: { [marker]: text },
  };
  return [
    { type: 'trace', traceId, name: text, input: text, output: text, metadata: { [marker]: text } },
    { ...span, spanId: `one-${marker}` },
    { ...span, spanId: 'two', parentSpanId: `one-${marker}`, status: 'error', errorCode: `code ${marker}`, errorMessage: text },
    {
      type: 'score',
      traceId,
      spanId: `one-${marker}`,
      evaluator: `judge-${marker}`,
      score: 1,
      label: text,
      comment: text,
      passed: true,
    },
  ];
}

async function ingest(app: TestApp, byKey: Send, events: readonly object[]): Promise<void> {
  for (const event of events) await byKey('POST', '/v1/ingest', event);
  await app.pipeline.drain();
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
