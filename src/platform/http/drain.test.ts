import { expect, it } from 'vitest';
import { openHttpService, send } from './http-service.fixture.ts';
import { Readiness } from './index.ts';

/** A service with one request in progress, which ends when `finish` is called. */
async function busyService(drainMs?: number) {
  const begun = Promise.withResolvers<void>();
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const service = await openHttpService(
    (app) => {
      app.get('/v1/slow', { config: { access: { who: 'public' } } }, async () => {
        begun.resolve();
        await promise;
        return { done: true };
      });
    },
    drainMs === undefined ? {} : { drainMs },
  );
  const slow = send(`${service.url}/v1/slow`);
  slow.catch(() => {});
  await begun.promise;
  return { service, slow, finish };
}

it('finishes requests in progress and answers 503 to others meanwhile', async () => {
  const { service, slow, finish } = await busyService();
  expect((await service.request('/readyz')).body).toEqual({ status: 'ready' });
  const closing = service.close();

  const ready = await service.request('/readyz');
  expect([ready.status, ready.body]).toEqual([503, { status: 'not ready', reasons: ['draining'] }]);
  expect((await service.request('/healthz')).status).toBe(200);
  const refused = await service.request('/v1/slow');
  expect([refused.status, refused.body.code, refused.headers.get('connection')]).toEqual([503, 'unavailable', 'close']);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(refused.headers.get('x-request-id')).not.toBeNull();

  finish();
  expect((await slow).body).toEqual({ done: true });
  await closing;
  await expect(service.request('/healthz')).rejects.toThrow('fetch failed');
});

it('closes after the limit', async () => {
  const { service, slow } = await busyService(20);
  await service.close();
  await expect(slow).rejects.toThrow('fetch failed');
});

it('is not ready before it has started, nor while a check fails', async () => {
  expect(new Readiness().reasons()).toEqual(['starting']);
  const service = await openHttpService(() => {});
  const failures: Array<string | null> = ['the disk is full', null];
  service.readiness.watch(() => failures.shift() ?? null);
  expect((await service.request('/readyz')).body).toEqual({ status: 'not ready', reasons: ['the disk is full'] });
  expect((await service.request('/readyz')).status).toBe(200);
  await service.close();
});
