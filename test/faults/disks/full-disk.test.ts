import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compare, stored } from '../crash/crash-round.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { canCompileLayer, DiskLayerLibrary, operations, parts } from '../layer/disk-layer.ts';
import type { DiskLayer } from '../layer/disk-layer.ts';
import { until } from '../../support/until.ts';
import { ask, metric, newLedger, sendSpans } from '../servers/outage.ts';

let temporary: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let library: DiskLayerLibrary;
let layer: DiskLayer;
let service: Service;

beforeAll(async () => {
  if (!canCompileLayer()) return;
  temporary = await temporaryDataDirectory();
  const dataDirectory = join(temporary.path, 'data');
  copyStores(dataDirectory);
  library = new DiskLayerLibrary();
  layer = library.layer(dataDirectory);
  const env = { ...layer.environment({ journaled: false }), SPANWISE_LOG_LEVEL: 'silent', SPANWISE_METRICS_PUBLIC: 'true' };
  service = await startService({ dataDirectory, env });
});
afterAll(async () => {
  if (!canCompileLayer()) return;
  await service.stop('SIGKILL');
  layer.close();
  library.close();
  await temporary.remove();
});

const refused = { status: 503, body: { code: 'unavailable', error: expect.any(String) as string } };

test.runIf(canCompileLayer())(
  'ingestion answers 503 while the log has no space and recovers by itself',
  { timeout: 60_000 },
  async () => {
    const ledger = newLedger(1);
    expect(await sendSpans(service, ledger, 3)).toMatchObject({ status: 202 });
    layer.set({ space: { parts: parts.wal, bytes: 0 } });
    const answer = await sendSpans(service, ledger, 3);
    expect(answer).toMatchObject(refused);
    expect(Number(answer.retryAfter)).toBeGreaterThan(0);
    expect(await ask(`${service.url}/readyz`)).toMatchObject({ status: 503 });
    expect(await ask(`${service.url}/healthz`)).toMatchObject({ status: 200 });
    layer.set({ space: null });
    await until('the service is ready', async () => (await ask(`${service.url}/readyz`)).status === 200);
    expect(await sendSpans(service, ledger, 3)).toMatchObject({ status: 202 });
    compare(ledger, await stored(service, ledger));
  },
);

test.runIf(canCompileLayer())(
  'requests that need a database without space answer 503, and no event is lost',
  { timeout: 60_000 },
  async () => {
    const { cookie, projectId } = await service.signIn();
    const [ledger, deleted] = [newLedger(2), newLedger(3)];
    for (const one of [ledger, deleted]) {
      expect(await sendSpans(service, one, 3)).toMatchObject({ status: 202 });
      compare(one, await stored(service, one));
    }
    layer.set({ space: { parts: parts.clickhouse | parts.temporary, bytes: 0 } });
    expect(await sendSpans(service, ledger, 3)).toMatchObject({ status: 202 });
    const trace = `${service.url}/v1/projects/${projectId}/traces/${deleted.traceId}`;
    expect(await ask(trace, { method: 'DELETE', headers: { cookie } })).toMatchObject(refused);
    layer.set({ space: null });
    compare(ledger, await stored(service, ledger));
    expect((await ask(trace, { method: 'DELETE', headers: { cookie } })).status).toBeOneOf([204, 404]);
    expect(await stored(service, deleted)).toEqual({ spanIds: [], calls: 0, cost: 0 });
  },
);

test.runIf(canCompileLayer())('a batch is repeated after a failed sync of ClickHouse', { timeout: 60_000 }, async () => {
  const ledger = newLedger(4);
  const errors = await metric(service, 'spanwise_ingest_batch_errors_total');
  layer.set({ error: { parts: parts.clickhouse, operations: operations.sync } });
  expect(await sendSpans(service, ledger, 3)).toMatchObject({ status: 202 });
  await until('a batch has failed', async () => (await metric(service, 'spanwise_ingest_batch_errors_total')) > errors);
  layer.set({ error: null });
  compare(ledger, await stored(service, ledger));
});
