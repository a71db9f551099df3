import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ZodObject } from 'zod';
import type { ZodNever } from 'zod';
import { auditDetails } from '../../contract/audit.ts';
import type { AuditEntry, AuditKind } from '../../contract/audit.ts';
import { administrator, firstKey, nobody, openIdentityService } from './identity-service.fixture.ts';
import type { By, IdentityService } from './identity-service.fixture.ts';
import { setPlan } from './index.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { signIn } from './sign-in.ts';

let service: IdentityService;
let path: string;
let owner: { type: 'user'; id: string; name: string };
beforeAll(async () => {
  service = await openIdentityService();
  path = `/v1/organizations/${service.organizationId}`;
  owner = { type: 'user', id: service.owner.userId, name: administrator.email };
});
afterAll(() => service.close());

const logOf = async (organizationId: string, by: By = service.owner.by): Promise<AuditEntry[]> =>
  (await service.request(by, 'GET', `/v1/organizations/${organizationId}/audit-log?limit=200`)).body.entries;
/** Entries written since {@link before}, oldest first. */
const written = async () =>
  (await logOf(service.organizationId))
    .filter(({ seq }) => seq > before)
    .toReversed()
    .map(({ kind, actor, projectId, subject, detail }) => ({ kind, actor, projectId, subject, detail }));
let before = 0;
beforeEach(async () => {
  before = (await logOf(service.organizationId))[0]?.seq ?? 0;
});
const send = (method: string, url: string, body?: unknown, by: By = service.owner.by) => service.request(by, method, url, body);
const login = (email: string, password: string, address = '198.51.100.1') =>
  send('POST', '/v1/auth/login', { email, password }, { 'x-forwarded-for': address });

it('records the first start', async () => {
  const log = (await logOf(service.organizationId)).toReversed();
  expect(log.slice(0, 3)).toMatchObject([
    { kind: 'member.added', actor: { type: 'system' }, subject: owner.id, detail: { email: administrator.email, role: 'owner' } },
    { kind: 'api_key.created', actor: { type: 'system' }, projectId: service.first.projectId, detail: { name: 'First key' } },
    { kind: 'auth.login', actor: owner },
  ]);
});

describe('API keys', () => {
  const keys = () => `/v1/projects/${service.first.projectId}/api-keys`;

  it('are recorded when they are created, rotated and revoked, without their secrets', async () => {
    const created = (await send('POST', keys(), { name: 'CI' })).body;
    const rotated = (await send('POST', `${keys()}/${created.id}/rotate`, { graceSeconds: 60 })).body;
    await send('DELETE', `${keys()}/${created.id}`);
    const entry = { actor: owner, projectId: service.first.projectId, subject: created.id };
    const prefix = rotated.key.slice(0, 10);
    expect(await written()).toEqual([
      { ...entry, kind: 'api_key.created', detail: { name: 'CI', prefix: created.prefix } },
      {
        ...entry,
        kind: 'api_key.rotated',
        detail: { name: 'CI', prefix, previousSecretExpiresAt: rotated.previousSecretExpiresAt },
      },
      { ...entry, kind: 'api_key.revoked', detail: { name: 'CI', prefix } },
    ]);
    const log = JSON.stringify(await logOf(service.organizationId));
    for (const secret of [created.key, rotated.key, firstKey]) expect(log).not.toContain(secret.slice(0, 12));
  });

  it('are revoked once under concurrent requests, and never rotated afterwards', async () => {
    const { id } = (await send('POST', keys(), { name: 'Twice' })).body;
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => send('DELETE', `${keys()}/${id}`)),
      ...Array.from({ length: 4 }, () => send('POST', `${keys()}/${id}/rotate`, {})),
    ]);
    expect(answers.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([]);
    const kinds = (await written()).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'api_key.revoked')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'api_key.rotated')).toHaveLength(
      answers.slice(4).filter(({ status }) => status === 200).length,
    );
    expect(kinds.at(-1)).toBe('api_key.revoked');
  });

  it('leave no entry when nothing changes', async () => {
    await send('POST', keys(), {});
    await send('DELETE', `${keys()}/0197a000-0000-7000-8000-000000000009`);
    await send('POST', keys(), { name: 'x' }, nobody);
    expect(await written()).toEqual([]);
  });
});

describe('members', () => {
  it('are recorded when they accept, change their role and are removed', async () => {
    const { userId, email } = await service.person('viewer');
    await send('PATCH', `${path}/members/${userId}`, { role: 'admin', name: 'Renamed' });
    await send('PATCH', `${path}/members/${userId}`, { role: 'admin' });
    await send('PATCH', `${path}/members/${userId}`, { name: 'Renamed again' });
    await send('DELETE', `${path}/members/${userId}`);
    const entry = { actor: owner, projectId: null, subject: userId };
    const person = { type: 'user', id: userId, name: email };
    const detail = { email, role: 'viewer' };
    const subject = expect.any(String);
    expect(await written()).toEqual([
      { ...entry, kind: 'invitation.created', subject, detail },
      { ...entry, kind: 'invitation.accepted', actor: person, subject, detail },
      { ...entry, kind: 'member.added', actor: person, detail },
      { ...entry, kind: 'member.role_changed', detail: { email, from: 'viewer', to: 'admin' } },
      { ...entry, kind: 'member.removed', detail: { email, role: 'admin' } },
    ]);
  });

  it('leave no entry when the change is refused', async () => {
    expect((await send('PATCH', `${path}/members/${owner.id}`, { role: 'viewer' })).status).toBe(409);
    expect((await send('DELETE', `${path}/members/${owner.id}`)).status).toBe(409);
    expect((await send('POST', `${path}/members`, { email: administrator.email, role: 'viewer' })).status).toBe(409);
    expect(await written()).toEqual([]);
  });

  it('are removed once under concurrent requests', async () => {
    const { userId } = await service.person('viewer');
    before = (await logOf(service.organizationId))[0]?.seq ?? 0;
    const answers = await Promise.all(Array.from({ length: 4 }, () => send('DELETE', `${path}/members/${userId}`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404]);
    expect((await written()).map(({ kind }) => kind)).toEqual(['member.removed']);
  });

  it('include the creator of an organization, in its log', async () => {
    const { id } = (await send('POST', '/v1/organizations', { name: 'Second' })).body;
    expect(await logOf(id)).toMatchObject([
      { seq: 1, kind: 'member.added', actor: owner, subject: owner.id, detail: { email: administrator.email, role: 'owner' } },
    ]);
    expect(await written()).toEqual([]);
  });
});

describe('projects', () => {
  it('are recorded when they are created', async () => {
    const { id } = (await send('POST', `${path}/projects`, { name: 'Audited' })).body;
    const detail = { name: 'Audited', slug: 'audited' };
    expect(await written()).toEqual([{ kind: 'project.created', actor: owner, projectId: id, subject: id, detail }]);
  });
});

describe('personal tokens', () => {
  const tokens = '/v1/me/tokens';

  it('are recorded in every organization of their user, without their secrets', async () => {
    const { id: other } = (await send('POST', '/v1/organizations', { name: 'Of tokens' })).body;
    const created = (await send('POST', tokens, { name: 'laptop' })).body;
    await send('DELETE', `${tokens}/${created.id}`);
    expect((await send('DELETE', `${tokens}/${created.id}`)).status).toBe(404);
    const detail = { name: 'laptop', prefix: created.prefix };
    const expected = ['token.created', 'token.revoked'].map((kind) => ({
      kind,
      actor: owner,
      projectId: null,
      subject: created.id,
      detail,
    }));
    expect(await written()).toEqual(expected);
    expect((await logOf(other)).toReversed().slice(1)).toMatchObject(expected);
    expect(JSON.stringify(await logOf(other))).not.toContain(created.token.slice(0, 12));
  });
});

describe('acts of the operator', () => {
  const system = { type: 'system', id: null, name: null };

  it('on a plan are recorded when the plan changes', async () => {
    await setPlan(service.context, 'default', 'team');
    await setPlan(service.context, service.organizationId, 'team');
    await setPlan(service.context, 'default', 'scale');
    const entry = {
      kind: 'organization.plan_changed',
      actor: system,
      projectId: null,
      subject: service.organizationId,
    };
    expect(await written()).toEqual([
      { ...entry, detail: { from: 'scale', to: 'team' } },
      { ...entry, detail: { from: 'team', to: 'scale' } },
    ]);
  });

  it('on a password are recorded in every organization of its user, without the password', async () => {
    const { userId, email } = await service.person('viewer');
    before = (await logOf(service.organizationId))[0]?.seq ?? 0;
    const password = await resetPassword(service.context, email.toUpperCase());
    expect(await written()).toEqual([
      { kind: 'user.password_reset', actor: system, projectId: null, subject: userId, detail: { email } },
    ]);
    expect(JSON.stringify(await logOf(service.organizationId))).not.toContain(password);
  });
});

it('every detail has exactly the fields that its kind declares', async () => {
  const entries = await logOf(service.organizationId);
  expect(entries.length).toBeGreaterThan(10);
  for (const { kind, detail } of entries) {
    const declared: ZodObject | ZodNever = auditDetails[kind as AuditKind];
    const strict = declared instanceof ZodObject ? declared.strict() : declared;
    expect(strict.safeParse(detail).error, kind).toBeUndefined();
  }
});

describe('signing in', () => {
  it('is recorded in each organization of the user, and so is a failure', async () => {
    const { id: second } = (await send('POST', '/v1/organizations', { name: 'Third' })).body;
    expect((await login(administrator.email, administrator.password)).status).toBe(200);
    expect((await login('OWNER@example.com', 'wrong')).status).toBe(401);
    const entry = { actor: owner, projectId: null, subject: owner.id, detail: { address: '198.51.100.1' } };
    const expected = [
      { ...entry, kind: 'auth.login' },
      { ...entry, kind: 'auth.login_failed' },
    ];
    expect(await written()).toEqual(expected);
    expect((await logOf(second)).toReversed().slice(1)).toMatchObject(expected);
    expect(JSON.stringify(await logOf(second))).not.toContain('wrong');
  });

  it('with an unknown email is recorded nowhere, and neither is an attempt beyond the limit', async () => {
    const count = async () =>
      (
        await service.context.db
          .selectFrom('audit_entries' as never)
          .selectAll()
          .execute()
      ).length;
    const entries = await count();
    expect((await login('ghost@example.com', 'wrong')).status).toBe(401);
    expect((await login('a\0b', 'wrong')).status).toBe(401);
    expect(await count()).toBe(entries);
    for (let failure = 0; failure < 10; failure++) await login(administrator.email, 'wrong', '198.51.100.2');
    expect((await login(administrator.email, 'wrong', '198.51.100.2')).status).toBe(429);
    expect((await written()).map(({ kind }) => kind)).toEqual(Array(10).fill('auth.login_failed'));
  });

  it('runs the same statements for a wrong password as for an unknown email before it answers, and none after it for the latter', async () => {
    const made: string[] = [];
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        made.push(shape(node));
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    const context = { ...service.context, db: service.context.db.withPlugin(plugin) };
    const statements = async (email: string) => {
      made.length = 0;
      await expect(signIn(context, { email, password: 'wrong' }, { address: '198.51.100.3' })).rejects.toMatchObject({
        code: 'unauthenticated',
      });
      return [...made];
    };
    const recorded = () => Promise.all(service.context.signInLimits.recording);
    const known = await statements(administrator.email);
    await recorded();
    expect(made.length).toBeGreaterThan(known.length);
    const unknown = await statements('ghost@example.com');
    await recorded();
    expect(unknown).toEqual(known);
    // An unknown email costs no transaction.
    expect(made).toEqual(unknown);
    expect(made).toHaveLength(3);
  });

  it('works concurrently, for one user and for several that share organizations', async () => {
    const people = await Promise.all(['viewer', 'admin'].map((role) => service.person(role)));
    const { id } = (await send('POST', '/v1/organizations', { name: 'Shared' })).body;
    for (const { email, by } of people) {
      const { body } = await send('POST', `/v1/organizations/${id}/members`, { email, role: 'viewer' });
      await send('POST', '/v1/invitations/accept', { token: body.url.split('/').at(-1) }, by);
    }
    before = (await logOf(service.organizationId))[0]?.seq ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        number % 3 === 2
          ? login(administrator.email, administrator.password, `203.0.113.${number}`)
          : login(people[number % 3]?.email ?? '', 'password of a person', `203.0.113.${number}`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect((await written()).map(({ kind }) => kind)).toEqual(Array(12).fill('auth.login'));
    for (const organization of [id, service.organizationId]) {
      const { body } = await send('GET', `/v1/organizations/${organization}/audit-log/verify`);
      expect(body).toMatchObject({ valid: true });
    }
  });

  it('fails when it cannot be recorded', async () => {
    const sessions = async () => (await service.context.db.selectFrom('sessions').selectAll().execute()).length;
    const open = await sessions();
    // An entry cannot have this time.
    const clock = { now: () => Date.UTC(1969, 0, 1) };
    const unheard = signIn({ ...service.context, clock }, administrator, { address: '198.51.100.4' });
    await expect(unheard).rejects.toThrow(/audit_entries/);
    expect(await sessions()).toBe(open);
  });
});

/** A statement without its values. */
function shape(node: unknown): string {
  return JSON.stringify(node, (key, value: unknown) => (key === 'value' || key === 'values' ? undefined : value));
}
