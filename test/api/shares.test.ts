import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../src/contract/durations.ts';
import { addMember } from '../support/add-member.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { shareRequests, startMs, times } from './share-requests.ts';
import type { Answer, ShareRequests } from './share-requests.ts';

let app: TestApp;
let requests: ShareRequests;
const call: ShareRequests['call'] = (...sent) => requests.call(...sent);
const sharesOf: ShareRequests['sharesOf'] = (traceId) => requests.sharesOf(traceId);
const share: ShareRequests['share'] = (...sent) => requests.share(...sent);
const open: ShareRequests['open'] = (token) => requests.open(token);

beforeAll(async () => {
  app = await startTestApp(startMs);
  requests = shareRequests(app);
});
afterAll(() => app.close());

describe('every link that shows nothing is the same 404', () => {
  const traceOf = async (traceId: string) => {
    await app.send([{ ...times, type: 'span', traceId, spanId: 's', name: 'n' }]);
    return share(traceId, { expiresInDays: 1 });
  };

  test('unknown, malformed, deleted, of a deleted trace, switched off, expired', async () => {
    const { token, id } = await traceOf('ends');
    const answers: Record<string, Answer> = {
      unknown: await open('A'.repeat(43)),
      short: await open('abc'),
      strange: await open(encodeURIComponent('../../é')),
    };
    expect((await open(token)).status).toBe(200);
    expect((await call('DELETE', `/v1/projects/${app.projectId}/shares/${id}`)).status).toBe(204);
    answers['deleted'] = await open(token);
    const ofDeleted = await traceOf('deleted');
    expect((await call('DELETE', `/v1/projects/${app.projectId}/traces/deleted`)).status).toBe(204);
    answers['of a deleted trace'] = await open(ofDeleted.token);
    // Another trace of the same id is not what was shared.
    await app.send([{ ...times, type: 'span', traceId: 'deleted', spanId: 's', name: 'again' }]);
    answers['of a trace that came again'] = await open(ofDeleted.token);
    const kept = await share('ends', { expiresInDays: 1 });
    expect((await call('PATCH', `/v1/organizations/${app.organizationId}`, { body: { sharedLinks: false } })).status).toBe(200);
    answers['switched off'] = await open(kept.token);
    const pages = [await fetch(kept.url), await fetch(`${app.url}/share/${'A'.repeat(43)}`)].map(({ status }) => status);
    await call('PATCH', `/v1/organizations/${app.organizationId}`, { body: { sharedLinks: true } });
    expect((await open(kept.token)).status).toBe(200);
    app.clock.advance(dayMs);
    answers['expired'] = await open(kept.token);
    const told = Object.entries(answers).map(([what, { status, text, headers }]) => [
      what,
      status,
      text,
      headers.get('x-robots-tag'),
      headers.get('cache-control'),
    ]);
    const text = answers['unknown']?.text;
    expect(told).toEqual(Object.keys(answers).map((what) => [what, 404, text, 'noindex, nofollow', 'no-store']));
    expect(JSON.parse(text ?? '{}')).toMatchObject({ code: 'not_found' });
    // Without a built dashboard a page says how to build it.
    expect(pages.every((status) => status === 404 || status === 503)).toBe(true);
  });

  test('a trace that is older than the retention', async () => {
    const { token } = await traceOf('old');
    await app.stores.postgres.db
      .updateTable('shares')
      .set({ expires_at: new Date(startMs + 2_000 * dayMs) })
      .where('trace_id', '=', 'old')
      .execute();
    expect((await open(token)).status).toBe(200);
    app.clock.advance(366 * dayMs);
    expect((await open(token)).status).toBe(404);
    app.clock.advance(-366 * dayMs);
  });

  test('expired links are forgotten', async () => {
    const before = await app.stores.postgres.db.selectFrom('shares').select('id').where('trace_id', '=', 'ends').execute();
    expect(before).toHaveLength(1);
    const job = app.features.all.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'forget-shares');
    await job?.run(new AbortController().signal);
    expect(await app.stores.postgres.db.selectFrom('shares').select('id').where('trace_id', '=', 'ends').execute()).toEqual([]);
  });
});

describe('the links of a trace', () => {
  beforeAll(() => app.send([{ ...times, type: 'span', traceId: 'listed', spanId: 's', name: 'n' }]));

  test('are listed without their secrets, newest first, with their views', async () => {
    expect((await call('GET', sharesOf('listed'))).body).toEqual({ shares: [] });
    const first = await share('listed', { expiresInDays: 365, payloads: false, redact: false });
    app.clock.advance(1_000);
    const second = await share('listed');
    for (let time = 0; time < 3; time++) await open(second.token);
    await fetch(`${app.url}/v1/shares/${second.token}`, { method: 'HEAD' });
    const { status, body, text } = await call('GET', sharesOf('listed'));
    expect([status, body]).toEqual([
      200,
      {
        shares: [
          { id: second.id, payloads: true, redact: true, expiresAt: second.expiresAt, views: 3 },
          { id: first.id, payloads: false, redact: false, expiresAt: first.expiresAt, views: 0 },
        ],
      },
    ]);
    expect(text).not.toContain(second.token);
    expect((await call('GET', sharesOf('listed'), { headers: { 'x-api-key': app.apiKey } })).body).toEqual(body);
  });

  test.each([
    [{ expiresInDays: 0 }, 400],
    [{ expiresInDays: 366 }, 400],
    [{ expiresInDays: 1.5 }, 400],
    [{ redact: 'yes' }, 400],
    [{ colour: 'red' }, 400],
  ])('%o is %i', async (body, status) => {
    const answer = await call('POST', sharesOf('listed'), { body });
    expect([answer.status, answer.body['code']]).toEqual([status, 'invalid_request']);
  });

  test('404 comes before 400, for a trace and a link that there are not', async () => {
    expect((await call('POST', sharesOf('missing'), { body: { expiresInDays: 0 } })).status).toBe(404);
    expect((await call('GET', sharesOf('missing'))).status).toBe(404);
    expect((await call('DELETE', `/v1/projects/${app.projectId}/shares/nonsense`)).status).toBe(404);
  });

  test('a viewer may list them, and neither make nor delete one; a key likewise', async () => {
    const person = { email: 'viewer@example.com', name: 'Viewer', role: 'viewer', password: 'a password of theirs' };
    const { cookie } = await addMember(app.url, { cookie: app.cookie }, app.organizationId, person);
    const { id } = await share('listed');
    for (const headers of [{ cookie }, { 'x-api-key': app.apiKey }] as Array<Record<string, string>>) {
      expect((await call('GET', sharesOf('listed'), { headers })).status).toBe(200);
      expect((await call('POST', sharesOf('listed'), { headers, body: {} })).status).toBe(403);
      expect((await call('DELETE', `/v1/projects/${app.projectId}/shares/${id}`, { headers })).status).toBe(403);
    }
  });

  test('a trace has at most 100 that are valid', async () => {
    await app.send([{ ...times, type: 'span', traceId: 'many', spanId: 's', name: 'n' }]);
    const statuses = await Promise.all(
      Array.from({ length: 102 }, async () => (await call('POST', sharesOf('many'), { body: {} })).status),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(100);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
  });
});

describe('shared links of an organization', () => {
  const organization = () => `/v1/organizations/${app.organizationId}`;
  const setTo = (sharedLinks: boolean, headers?: Record<string, string>) =>
    call('PATCH', organization(), { body: { sharedLinks }, ...(headers ? { headers } : {}) });

  test('are on at first, and switched off and on by an owner alone', async () => {
    const listed = async () =>
      ((await call('GET', '/v1/organizations')).body['organizations'] as Array<{ sharedLinks: boolean }>)[0]?.sharedLinks;
    expect(await listed()).toBe(true);
    const person = { email: 'admin@example.com', name: 'Admin', role: 'admin', password: 'a password of theirs' };
    const { cookie } = await addMember(app.url, { cookie: app.cookie }, app.organizationId, person);
    expect((await setTo(false, { cookie })).status).toBe(403);
    expect((await setTo(false)).body).toMatchObject({ id: app.organizationId, sharedLinks: false });
    expect(await listed()).toBe(false);
    const refused = await call('POST', sharesOf('missing'), { body: { expiresInDays: 0 } });
    expect([refused.status, refused.body['code']]).toEqual([403, 'sharing_disabled']);
    expect((await setTo(true)).body).toMatchObject({ sharedLinks: true });
    expect((await call('PATCH', organization(), { body: {} })).status).toBe(400);
    expect((await call('PATCH', organization(), { body: { name: 'Renamed' } })).body).toMatchObject({
      name: 'Renamed',
      sharedLinks: true,
    });
  });

  test('are in the audit log, as each link is', async () => {
    await app.send([{ ...times, type: 'span', traceId: 'audited', spanId: 's', name: 'n' }]);
    const { id, token, expiresAt } = await share('audited', { redact: false });
    await call('DELETE', `/v1/projects/${app.projectId}/shares/${id}`);
    await setTo(true);
    const { body, text } = await call('GET', `${organization()}/audit-log?limit=6`);
    const detail = { traceId: 'audited', payloads: true, redact: false, expiresAt };
    const entries = body['entries'] as Array<Record<string, unknown>>;
    expect(entries.slice(0, 2)).toMatchObject([
      { kind: 'share.deleted', subject: id, projectId: app.projectId, detail },
      { kind: 'share.created', subject: id, projectId: app.projectId, detail, actor: { name: 'owner@example.com' } },
    ]);
    expect(text).not.toContain(token);
    const { body: changes } = await call('GET', `${organization()}/audit-log?kind=organization.shared_links_changed`);
    expect((changes['entries'] as Array<{ detail: unknown }>).slice(0, 2).map((entry) => entry.detail)).toEqual([
      { from: false, to: true },
      { from: true, to: false },
    ]);
  });
});
