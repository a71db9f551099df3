import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, newLedger, sendSpans } from '../servers/outage.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { compare, stored } from './crash-round.ts';

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
});
afterAll(() => directory.remove());

test('an interrupted deletion is completed at the next start and deletes nothing else', { timeout: 300_000 }, async () => {
  for (const [round, failpoint] of ['deletion-derived:1', 'deletion-derived:2', 'deletion-written:1'].entries()) {
    const [deleted, staying] = [newLedger(round * 2 + 1), newLedger(round * 2 + 2)];
    const service = await startService({ dataDirectory: directory.path, env: { SPANWISE_FAILPOINT: failpoint } });
    const { cookie, projectId } = await service.signIn();
    for (const ledger of [deleted, staying]) expect(await sendSpans(service, ledger, 5)).toMatchObject({ status: 202 });
    const trace = `/v1/projects/${projectId}/traces/${deleted.traceId}`;
    await expect(ask(`${service.url}${trace}`, { method: 'DELETE', headers: { cookie } })).rejects.toThrow();

    const restarted = await startService({ dataDirectory: directory.path });
    expect(await ask(`${restarted.url}${trace}`, { headers: { cookie } })).toMatchObject({ status: 404 });
    // The figures count none of its calls.
    expect(await stored(restarted, deleted)).toEqual({ spanIds: [], calls: 0, cost: 0 });
    compare(staying, await stored(restarted, staying));
    // Spans that arrive under the same id later form a new trace.
    expect(await sendSpans(restarted, deleted, 2)).toMatchObject({ status: 202 });
    const { spanIds, calls } = await stored(restarted, deleted);
    expect({ spans: spanIds.length, calls }).toEqual({ spans: 2, calls: 2 });
    expect(await restarted.stop()).toBe(0);
  }
});
