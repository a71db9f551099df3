import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { finding, findingList, lifecycleCatalogue, listedEntry } from '../../contract/model-lifecycle.ts';
import { importCatalogue } from './index.ts';
import { by, calledModel, noProject, nowMs, openLifecycleService, path } from './lifecycle-service.fixture.ts';
import type { LifecycleService } from './lifecycle-service.fixture.ts';
import { dayMs } from '../../contract/durations.ts';

const member = by('member');
let service: LifecycleService;
let made = 0;
beforeAll(async () => {
  service = await openLifecycleService();
});
afterAll(() => service.close());
beforeEach(() => {
  service.called = [];
  service.announced.length = 0;
  service.clock.set(nowMs);
});

const inDays = (days: number) => new Date(service.clock.now() + days * dayMs).toISOString().slice(0, 10);
const newModel = () => `model-${++made}`;
const setDate = (model: string, retiresOn: string, more: object = {}) =>
  service.request(member, 'PUT', `${path}/catalogue/${encodeURIComponent(model)}`, { retiresOn, ...more });
const scan = async () => (await service.request(member, 'POST', `${path}/scan`)).body;
const findings = async (query = '') => (await service.request(by('viewer'), 'GET', `${path}/findings${query}`)).body.findings;

async function raisedFinding(days = 20) {
  const model = newModel();
  await setDate(model, inDays(days), { replacement: 'newer', source: 'https://example.com/dates' });
  service.called = [
    calledModel(model, { provider: 'openai', calls: 3, cost: 1.25, unpricedCalls: 2, partlyPricedCalls: 1, agents: ['a', 'b'] }),
  ];
  expect(await scan()).toEqual({ raised: 1, open: 1 });
  return (await findings())[0];
}

describe('findings', () => {
  it('lists a called model that is retired soon', async () => {
    const found = await raisedFinding();
    expect(finding.strict().safeParse(found).error).toBeUndefined();
    expect(found).toMatchObject({
      provider: 'openai',
      certainty: 'firm',
      retiresOn: inDays(20),
      daysRemaining: 20,
      band: 30,
      state: 'open',
      raisedAt: new Date(nowMs).toISOString(),
      dismissedAt: null,
      replacement: 'newer',
      source: 'https://example.com/dates',
      calls30d: 3,
      cost30d: 1.25,
      unpricedCalls: 2,
      partlyPricedCalls: 1,
      agents: ['a', 'b'],
    });
    const { body } = await service.request(by('viewer'), 'GET', `${path}/findings`);
    expect(findingList.strict().safeParse(body).error).toBeUndefined();
    expect(body.scannedAt).toBe(new Date(nowMs).toISOString());
  });

  it('wakes the notifications after the scan that raised it, and only then', async () => {
    await raisedFinding();
    expect(service.announced).toEqual(['raised', 'wake']);
    expect(await scan()).toEqual({ raised: 0, open: 1 });
    expect(service.announced).toEqual(['raised', 'wake']);
  });

  it('orders by days remaining, then model, and filters by state', async () => {
    const [first, second, third] = [newModel(), newModel(), newModel()];
    await setDate(first, inDays(40));
    await setDate(second, inDays(5));
    await setDate(third, inDays(40));
    service.called = [third, first, second].map((model) => calledModel(model));
    await scan();
    const listed = await findings();
    expect(listed.map(({ model }: { model: string }) => model)).toEqual([second, first, third]);
    await service.request(member, 'POST', `${path}/findings/${listed[0].id}/dismiss`);
    expect((await findings('?state=dismissed')).map(({ model }: { model: string }) => model)).toEqual([second]);
    expect((await findings('?state=open')).length).toBe(2);
    expect((await service.request(member, 'GET', `${path}/findings?state=other`)).status).toBe(400);
  });

  it('is one for each provider that the calls name', async () => {
    const model = newModel();
    await setDate(model, inDays(5));
    service.called = [calledModel(model), calledModel(model, { provider: 'azure' })];
    expect(await scan()).toEqual({ raised: 2, open: 2 });
    expect((await findings()).map(({ provider }: { provider: string | null }) => provider)).toEqual([null, 'azure']);
  });

  it('does not raise for a date of certainty earliest, a far date, or a model that nobody calls', async () => {
    const far = newModel();
    await setDate(far, inDays(91));
    await setDate(newModel(), inDays(1));
    service.called = [calledModel(far), calledModel('not-in-the-catalogue')];
    expect(await scan()).toEqual({ raised: 0, open: 0 });
    expect(await findings()).toEqual([]);
  });

  it('counts days from midnight UTC and ends with band 0', async () => {
    const found = await raisedFinding(0);
    expect(found).toMatchObject({ daysRemaining: 0, band: 0 });
    service.clock.set(Date.UTC(2026, 10, 23, 0, 0, 1));
    expect((await findings())[0]).toMatchObject({ daysRemaining: -1, band: 0 });
  });
});

describe('dismissing', () => {
  it('suppresses a finding in its band, writes an audit entry, and is repeatable', async () => {
    const { id, model } = await raisedFinding();
    const dismiss = () => service.request(member, 'POST', `${path}/findings/${id}/dismiss`);
    const first = await dismiss();
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ state: 'dismissed', dismissedBy: 'member@example.com', dismissedBand: 30 });
    service.clock.advance(60_000);
    expect((await dismiss()).body).toEqual(first.body);
    expect(await scan()).toEqual({ raised: 0, open: 0 });
    const entries = await service.db
      .withTables<{ audit_entries: { kind: string; subject: string; detail: string } }>()
      .selectFrom('audit_entries')
      .select(['kind', 'detail'])
      .where('subject', '=', id)
      .execute();
    expect(entries.map(({ kind }) => kind)).toEqual(['lifecycle.dismissed']);
    await setDate(model, inDays(7));
    expect(await scan()).toEqual({ raised: 1, open: 1 });
    expect((await findings())[0]).toMatchObject({ id, state: 'open', band: 7, dismissedAt: null, dismissedBand: null });
  });

  it('suppresses a finding in the band in which it was dismissed, also before the scan of that band', async () => {
    const { id } = await raisedFinding(31);
    service.clock.advance(dayMs);
    const dismissed = (await service.request(member, 'POST', `${path}/findings/${id}/dismiss`)).body;
    expect(dismissed).toMatchObject({ daysRemaining: 30, band: 30, state: 'dismissed', dismissedBand: 30 });
    expect(await scan()).toEqual({ raised: 0, open: 0 });
    expect(await findings()).toEqual([dismissed]);
    service.clock.advance(23 * dayMs);
    expect(await scan()).toEqual({ raised: 1, open: 1 });
    expect((await findings())[0]).toMatchObject({ band: 7, state: 'open', dismissedBand: null });
  });

  it('answers 404 for an unknown finding and 403 for a viewer', async () => {
    const unknown = `${path}/findings/0197a000-0000-7000-8000-000000000009/dismiss`;
    expect((await service.request(member, 'POST', unknown)).status).toBe(404);
    expect((await service.request(member, 'POST', `${path}/findings/x/dismiss`)).status).toBe(404);
    expect((await service.request(by('viewer'), 'POST', unknown)).status).toBe(403);
  });
});

describe('the catalogue', () => {
  it('lists the shipped dates with those of the project', async () => {
    const model = newModel();
    const put = await setDate(model, '2027-03-01', { provider: 'acme' });
    expect(put.status).toBe(200);
    expect(listedEntry.strict().safeParse(put.body).error).toBeUndefined();
    expect(put.body).toMatchObject({ model, provider: 'acme', retiresOn: '2027-03-01', certainty: 'firm', override: true });
    const { body } = await service.request(by('viewer'), 'GET', `${path}/catalogue`);
    expect(lifecycleCatalogue.strict().safeParse(body).error).toBeUndefined();
    expect(body.reviewedOn).toBe('2026-11-22');
    expect(body.models).toContainEqual(put.body);
    expect(body.models.filter(({ override }: { override: boolean }) => !override).length).toBeGreaterThan(600);
  });

  it('forgets a date of the project, once', async () => {
    const model = 'vendor/a model';
    await setDate(model, '2027-03-01');
    const remove = () => service.request(member, 'DELETE', `${path}/catalogue/${encodeURIComponent(model)}`);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
  });

  it.each([
    [{ retiresOn: '2027-02-30' }],
    [{ retiresOn: 'soon' }],
    [{}],
    [{ retiresOn: '2027-03-01', extra: 1 }],
    [{ retiresOn: '2027-03-01', provider: '' }],
  ])('refuses %j', async (body) => {
    expect((await service.request(member, 'PUT', `${path}/catalogue/m`, body)).status).toBe(400);
  });

  it('can be replaced by the operator', async () => {
    const { models } = (await service.request(member, 'GET', `${path}/catalogue`)).body;
    expect(models.length).toBeGreaterThan(600);
    const entry = {
      provider: 'acme',
      model: 'acme-1',
      aliases: ['acme-latest'],
      retiresOn: inDays(3),
      certainty: 'firm' as const,
    };
    const db = service.db;
    await importCatalogue(db, { reviewedOn: '2026-11-23', models: [entry] }, new Date(nowMs));
    service.called = [calledModel('acme-latest')];
    expect(await scan()).toEqual({ raised: 1, open: 1 });
    expect((await service.request(member, 'GET', `${path}/catalogue`)).body.reviewedOn).toBe('2026-11-23');
    await db.deleteFrom('lifecycle_catalogue').execute();
  });
});

describe('the daily job', () => {
  it('scans a project once a day', async () => {
    service.clock.advance(2 * dayMs);
    await service.runJob();
    const model = newModel();
    await setDate(model, inDays(5));
    service.called = [calledModel(model)];
    service.clock.advance(dayMs - 1);
    await service.runJob();
    expect(await findings()).toEqual([]);
    service.clock.advance(1);
    await service.runJob();
    expect((await findings()).map((found: { model: string }) => found.model)).toEqual([model]);
  });

  it('scans at once when the clock was set back before the last scan', async () => {
    service.clock.advance(60 * dayMs);
    await service.runJob();
    service.clock.set(nowMs);
    await service.runJob();
    const { body } = await service.request(by('viewer'), 'GET', `${path}/findings`);
    expect(body.scannedAt).toBe(new Date(nowMs).toISOString());
  });
});

it('is for sessions of the project only', async () => {
  for (const [method, url] of [
    ['GET', `${path}/findings`],
    ['GET', `${path}/catalogue`],
    ['POST', `${path}/scan`],
  ] as const) {
    expect((await service.request({}, method, url)).status).toBe(403);
    expect((await service.request({ 'x-api-key': 'spw_good' }, method, url)).status).toBe(403);
    const elsewhere = url.replace(/projects\/[^/]+/, `projects/${noProject}`);
    expect((await service.request(member, method, elsewhere)).status).toBe(403);
  }
  expect((await service.request(by('viewer'), 'POST', `${path}/scan`)).status).toBe(403);
  expect((await service.request(by('viewer'), 'PUT', `${path}/catalogue/m`, { retiresOn: '2027-01-01' })).status).toBe(403);
});
