import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeApiKey } from '../../src/contract/api-key.ts';
import { recordAudit } from '../../src/features/audit/index.ts';
import { hashPassword } from '../../src/platform/crypto/passwords.ts';
import { hashSecret } from '../../src/platform/crypto/secrets.ts';
import type { Postgres } from '../../src/platform/postgres/index.ts';
import { administrator } from '../support/service.ts';
import { firstRelease, startUpgraded } from './first-release.ts';
import type { Upgraded } from './first-release.ts';

// Accounts of an installation in which organizations chose the passwords of new members, and could add people whom others had added.

const { recordedMs } = JSON.parse(readFileSync(join(firstRelease, 'recorded.json'), 'utf8')) as { recordedMs: number };
const givenPassword = 'known to who gave it';
const apiKey = makeApiKey();
/** The organization that gives passwords, and another. */
const [giver, second] = [uuidv7(), uuidv7()];
const projectId = uuidv7();
const people = {
  mallory: uuidv7(),
  /** Of the giver alone. */
  waiting: uuidv7(),
  /** Whom the second organization added later. */
  taken: uuidv7(),
  /** As `taken`, but with a password of their own. */
  changed: uuidv7(),
};
type Name = keyof typeof people;
const emailOf = (name: Name) => `${name}@example.com`;
const tokenOf = (name: Name) => `spwu_${name.padEnd(40, '0')}`;

let upgraded: Upgraded;

async function fill(postgres: Postgres): Promise<void> {
  const { db } = postgres;
  const hash = await hashPassword(givenPassword);
  const at = (days: number) => new Date(recordedMs - days * 86_400_000);
  const administratorId = sql`(SELECT id FROM users WHERE email = ${administrator.email})`;
  for (const id of [giver, second])
    await sql`INSERT INTO organizations VALUES (${id}::uuid, ${id}, ${id}, 'team', ${at(9)}::timestamptz)`.execute(db);
  await sql`INSERT INTO projects VALUES (${projectId}::uuid, ${giver}::uuid, 'P', 'p', ${at(9)}::timestamptz)`.execute(db);
  await sql`INSERT INTO api_keys (id, project_id, name, prefix, secret_sha256, created_at)
    VALUES (${uuidv7()}::uuid, ${projectId}::uuid, 'k', 'spw_', ${hashSecret(apiKey)}, ${at(9)}::timestamptz)`.execute(db);
  await sql`INSERT INTO memberships VALUES (${second}::uuid, ${administratorId}, 'owner', ${at(9)}::timestamptz)`.execute(db);
  for (const [name, id] of Object.entries(people) as Array<[Name, string]>) {
    await sql`INSERT INTO users VALUES (${id}::uuid, ${emailOf(name)}, ${name}, ${hash}, ${at(8)}::timestamptz)`.execute(db);
    await sql`INSERT INTO memberships VALUES (${giver}::uuid, ${id}::uuid, 'owner', ${at(8)}::timestamptz)`.execute(db);
    await sql`INSERT INTO personal_tokens VALUES (${uuidv7()}::uuid, ${id}::uuid, 'ci', 'spwu_', ${hashSecret(tokenOf(name))}, ${at(7)}::timestamptz)`.execute(
      db,
    );
  }
  for (const id of [people.taken, people.changed])
    await sql`INSERT INTO memberships VALUES (${second}::uuid, ${id}::uuid, 'admin', ${at(6)}::timestamptz)`.execute(db);
  const [email, name] = [emailOf('changed'), 'changed'];
  await db.transaction().execute((transaction) =>
    recordAudit(
      transaction,
      { now: () => at(5).getTime() },
      {
        organizationId: giver,
        projectId: null,
        kind: 'user.password_changed',
        actor: { type: 'user', id: people.changed, email, name },
        subject: people.changed,
        detail: { email },
      },
    ),
  );
}

beforeAll(async () => {
  upgraded = await startUpgraded('data.tar.zst', recordedMs, fill);
});
afterAll(() => upgraded.close());

async function ask(headers: Record<string, string>, method: string, path: string, body?: object) {
  const answer = await fetch(`${upgraded.app.url}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}
const cookieOf = ({ headers }: { headers: Headers }) => ({ cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' });
const signIn = (email: string, password: string) => ask({}, 'POST', '/v1/auth/login', { email, password });
const byToken = (name: Name) => ({ authorization: `Bearer ${tokenOf(name)}` });
const organizationsOf = async (by: Record<string, string>): Promise<string[]> =>
  (await ask(by, 'GET', '/v1/auth/session')).body.organizations.map(({ id }: { id: string }) => id);
const invitations = `/v1/organizations/${second}/invitations`;
const inviteTo = async (email: string): Promise<string> =>
  (
    await ask(cookieOf(await signIn(administrator.email, administrator.password)), 'POST', invitations, { email, role: 'admin' })
  ).body.url
    .split('/')
    .at(-1);

test('keys, members and tokens of one organization work on', async () => {
  expect((await ask({ 'x-api-key': apiKey }, 'GET', '/v1/sdk/whoami')).body).toMatchObject({ projectId, plan: 'team' });
  expect(await organizationsOf(byToken('waiting'))).toEqual([giver]);
  const { members } = (await ask(byToken('waiting'), 'GET', `/v1/organizations/${giver}/members`)).body;
  expect(members.map(({ email }: { email: string }) => email).toSorted()).toEqual(
    (Object.keys(people) as Name[]).map(emailOf).toSorted(),
  );
  expect((await signIn(emailOf('waiting'), givenPassword)).status).toBe(200);
});

test('who had changed the given password keeps everything', async () => {
  expect((await organizationsOf(byToken('changed'))).toSorted()).toEqual([giver, second].toSorted());
});

test('a given password opens no organization that added its account before the upgrade', async () => {
  expect((await ask(byToken('taken'), 'GET', '/v1/auth/session')).status).toBe(401);
  const by = cookieOf(await signIn(emailOf('taken'), givenPassword));
  expect(await organizationsOf(by)).toEqual([giver]);
  expect((await ask(by, 'GET', `/v1/organizations/${second}/members`)).status).toBe(403);
  const owner = cookieOf(await signIn(administrator.email, administrator.password));
  expect((await ask(owner, 'GET', invitations)).body.invitations).toMatchObject([
    { email: emailOf('taken'), role: 'admin', mail: 'none' },
  ]);
  const log = (await ask(owner, 'GET', `/v1/organizations/${second}/audit-log`)).body.entries;
  const bySystem = log.filter(({ actor }: { actor: { type: string } }) => actor.type === 'system');
  expect(bySystem.map(({ kind }: { kind: string }) => kind)).toEqual(['invitation.created', 'member.removed']);
  expect((await ask(owner, 'GET', `/v1/organizations/${second}/audit-log/verify`)).body.brokenAt).toBeNull();
});

test('an account with a given password loses its tokens when a second organization takes it in', async () => {
  const email = emailOf('waiting');
  const mallory = cookieOf(await signIn(emailOf('mallory'), givenPassword));
  const again = { email, name: 'W', role: 'viewer', password: givenPassword };
  expect((await ask(mallory, 'POST', `/v1/organizations/${giver}/members`, again)).status).toBe(400);
  const token = await inviteTo(email);
  // What the giver has: the password and a token, but not the link.
  const attacker = cookieOf(await signIn(email, givenPassword));
  for (const by of [attacker, byToken('waiting')]) {
    expect((await ask(by, 'GET', `/v1/organizations/${second}/members`)).status).toBe(403);
    expect((await ask(by, 'POST', '/v1/invitations/accept', { token: 'x'.repeat(43) })).status).toBe(404);
  }
  const person = cookieOf(await signIn(email, givenPassword));
  const refused = await ask(person, 'POST', '/v1/invitations/accept', { token });
  expect([refused.status, refused.body.details]).toEqual([400, [{ path: '/password', message: 'is required' }]]);
  const accepted = await ask(person, 'POST', '/v1/invitations/accept', { token, password: 'known to the person alone' });
  expect(accepted.status).toBe(200);
  for (const old of [attacker, person, byToken('waiting')]) expect((await ask(old, 'GET', '/v1/auth/session')).status).toBe(401);
  expect((await signIn(email, givenPassword)).status).toBe(401);
  expect((await organizationsOf(cookieOf(accepted))).toSorted()).toEqual([giver, second].toSorted());
});
