import { expect, test } from 'vitest';
import { ManualClock } from '../clock/clock.ts';
import { openHttpService, ownProject } from './http-service.fixture.ts';

test('requests are counted by address without credentials, else by caller, but for routes with buckets of their own', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 20));
  const service = await openHttpService(
    (app) => {
      app.get('/v1/public', { config: { access: { who: 'public' } } }, () => ({}));
      app.get('/v1/own', { config: { access: { who: 'public' }, uncounted: true } }, () => ({}));
      app.get('/v1/projects/:id/things', { config: { access: { who: 'key-or-session' } } }, () => ({}));
    },
    { clock },
  );
  const answers = await Promise.all(Array.from({ length: 601 }, () => service.app.inject('/v1/public')));
  const refused = answers.filter(({ statusCode }) => statusCode !== 200);
  expect(refused.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual([[429, '1']]);
  expect(refused[0]?.json()).toMatchObject({
    code: 'rate_limited',
    error: expect.stringContaining('600 requests a minute') as string,
  });
  for (const path of ['/v1/own', '/healthz']) expect((await service.request(path)).status).toBe(200);
  const things = `/v1/projects/${ownProject}/things`;
  const byKey = { 'x-api-key': 'spw_good' };
  const asked = await Promise.all(Array.from({ length: 12_001 }, () => service.app.inject({ url: things, headers: byKey })));
  expect(asked.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
  expect((await service.request(things, { headers: { authorization: 'Bearer spwu_viewer' } })).status).toBe(200);
  clock.advance(10);
  expect((await service.request(things, { headers: byKey })).status).toBe(200);
  await service.close();
});
