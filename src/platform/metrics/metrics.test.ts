import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';

test('the metrics port answers GET /metrics, and 404 to everything else', async () => {
  const server = await new Metrics().listen('127.0.0.1', 0);
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const metrics = await fetch(`${url}/metrics`);
    expect([metrics.status, metrics.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(await metrics.text()).toContain('# TYPE spanwise_');
    for (const [method, path] of [
      ['POST', '/metrics'],
      ['GET', '/'],
      ['GET', '/metrics/x'],
    ] as const)
      expect((await fetch(url + path, { method })).status, `${method} ${path}`).toBe(404);
  } finally {
    server.closeAllConnections();
    await once(server.close(), 'close');
  }
});
