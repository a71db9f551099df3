import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownPrice, pricePage } from '../../contract/prices.ts';
import { nowMs, openPricesService, otherProject, ownProject, path, pathOf } from './prices-service.fixture.ts';
import type { PricesService } from './prices-service.fixture.ts';

let service: PricesService;
beforeAll(async () => {
  service = await openPricesService();
});
afterAll(() => service.close());

const rates = { inputPerMillion: 2, outputPerMillion: 8 };
const set = (model: string, more: object = {}, role = 'admin') =>
  service.request(role, 'PUT', pathOf(model), { ...rates, ...more });
const list = async (query = '') => (await service.request('viewer', 'GET', `${path}${query}`)).body;

it('sets, reads, lists and deletes a price of a model whose id has slashes and dots', async () => {
  const model = 'openai/gpt-4.1 / ü?%2F#';
  const price = {
    model,
    ...rates,
    cachedInputPerMillion: 0.5,
    cacheWritePerMillion: null,
    from: '2026-11-01',
    updatedAt: new Date(nowMs).toISOString(),
    updatedBy: 'admin@example.com',
  };
  const { status, body } = await set(model, { cachedInputPerMillion: 0.5, from: '2026-11-01' });
  expect([status, body]).toEqual([200, price]);
  expect(ownPrice.strict().safeParse(body).error).toBeUndefined();
  expect((await service.request('viewer', 'GET', pathOf(model))).body).toEqual(price);
  const page = await list();
  expect(pricePage.strict().safeParse(page).error).toBeUndefined();
  expect(page).toEqual({ prices: [price], nextCursor: null });
  const deleted = await service.request('owner', 'DELETE', pathOf(model));
  expect([deleted.status, deleted.body]).toEqual([200, price]);
  for (const method of ['GET', 'DELETE'])
    expect((await service.request('owner', method, pathOf(model))).body).toMatchObject({ code: 'not_found' });
});

it('lists by code point, in pages', async () => {
  const models = ['B', 'a', 'é', '\u{1f600}'];
  for (const model of models.toReversed()) await set(model);
  const found: string[] = [];
  for (let cursor = ''; ;) {
    const page = await list(`?limit=3${cursor}`);
    found.push(...page.prices.map(({ model }: { model: string }) => model));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
  expect(found).toEqual(models);
  for (const query of ['?limit=0', '?limit=201', '?cursor=x'])
    expect((await service.request('viewer', 'GET', path + query)).status).toBe(400);
  for (const model of models) await service.request('owner', 'DELETE', pathOf(model));
});

it('keeps a date as it is, and converts a timestamp to UTC', async () => {
  expect((await set('dated', { from: '2026-11-01' })).body.from).toBe('2026-11-01');
  expect((await set('dated', { from: '2026-11-01T02:00:00+02:00' })).body.from).toBe('2026-11-01T00:00:00.000Z');
  expect((await set('dated', { from: null })).body.from).toBeNull();
});

describe('refused', () => {
  it.each([
    [{}],
    [{ inputPerMillion: 1 }],
    [{ ...rates, inputPerMillion: -0.01 }],
    [{ ...rates, inputPerMillion: 1_000_001 }],
    [{ ...rates, outputPerMillion: '1' }],
    [{ ...rates, cachedInputPerMillion: -1 }],
    [{ ...rates, from: 'yesterday' }],
    [{ ...rates, from: '0000-12-31' }],
    [{ ...rates, from: '9999-12-31T23:59:59-12:00' }],
    [{ ...rates, from: '2026-13-01' }],
    [{ ...rates, currency: 'EUR' }],
    ['{"inputPerMillion":1e999,"outputPerMillion":1}'],
  ])('400 for %j', async (body) => {
    const answer = await service.request('admin', 'PUT', pathOf('bad'), body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });

  it('403 for roles without the permission, API keys, and another project', async () => {
    for (const role of ['member', 'viewer', 'key', 'nobody']) {
      expect((await set('m', {}, role)).status, role).toBe(403);
      expect((await service.request(role, 'DELETE', pathOf('m'))).status, role).toBe(403);
      expect((await service.request(role, 'POST', `${path}/reprice`, {})).status, role).toBe(403);
    }
    for (const role of ['key', 'nobody']) expect((await service.request(role, 'GET', path)).status, role).toBe(403);
    expect((await service.request('owner', 'GET', path.replace(ownProject, otherProject))).status).toBe(403);
  });

  it('409 when the project has its maximum of prices, though not for one that it has', async () => {
    await set('first');
    const db = service.db;
    const row = {
      project_id: ownProject,
      input_per_million: 1,
      output_per_million: 1,
      updated_by: '',
      updated_at: new Date(nowMs),
    };
    await db
      .insertInto('project_prices')
      .values(Array.from({ length: 500 }, (_, index) => ({ ...row, model: `many-${index}` })))
      .execute();
    expect((await set('one more')).body.code).toBe('conflict');
    expect((await set('first', { outputPerMillion: 9 })).status).toBe(200);
    await db.deleteFrom('project_prices').where('model', 'like', 'many-%').execute();
  });
});

it('records changes in the audit log, and nothing for a price that stays', async () => {
  const before = (await service.audited()).length;
  await set('audited');
  await set('audited');
  await service.request('owner', 'DELETE', pathOf('audited'));
  const detail = { model: 'audited', ...rates, cachedInputPerMillion: null, cacheWritePerMillion: null, from: null };
  expect((await service.audited()).slice(before)).toEqual([
    { kind: 'price.set', subject: 'audited', actor: 'admin@example.com', detail },
    { kind: 'price.deleted', subject: 'audited', actor: 'owner@example.com', detail },
  ]);
});

it('prices requests by the changed prices from its answer on', async () => {
  const known = async () => (await service.feature.ownPrices(ownProject)).get('soon');
  expect(await known()).toBeUndefined();
  await set('soon', { from: '2026-11-02' });
  expect(await known()).toMatchObject({ inputPerMillion: 2, fromMs: Date.UTC(2026, 10, 2) });
  await service.request('owner', 'DELETE', pathOf('soon'));
  expect(await known()).toBeUndefined();
});
