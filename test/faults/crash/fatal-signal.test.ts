import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { until } from '../../support/until.ts';
import { ask, newLedger, sendSpans } from '../servers/outage.ts';
import { compare, stored } from './crash-round.ts';

const root = join(import.meta.dirname, '../../..');
const goneMs = 15_000;
/** The same for the next start, or longer on a machine with other load. */
let againMs = goneMs;

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let service: Service;

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
  const startedAt = performance.now();
  service = await startService({
    dataDirectory: directory.path,
    // As `npm start`.
    program: [join(root, 'scripts/run.mjs'), join(root, 'src/main.ts')],
    env: {
      SPANWISE_PORT: String(await freePort()),
      SPANWISE_LOG_LEVEL: 'error',
      NODE_OPTIONS: `--max-old-space-size=256 --import=${join(import.meta.dirname, 'die-on-demand.fixture.ts')}`,
    },
  });
  againMs = Math.max(goneMs, 3 * (performance.now() - startedAt));
});
afterAll(async () => {
  await service.stop('SIGTERM');
  await directory.remove();
});

const processId = (): number => (JSON.parse(readFileSync(join(directory.path, 'owner.json'), 'utf8')) as { pid: number }).pid;
/** How often the service has become ready. */
const starts = (): number => service.output().split('Spanwise is ready at ').length - 1;

/** A port that nothing listens on now: each process of the service takes it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

// The last one stands still, and is ended by the watchdog after 12 s.
test.each([
  ['SIGABRT', 'SIGABRT', goneMs],
  ['SIGSEGV', 'SIGSEGV', goneMs],
  ['SIGUSR2', 'SIGABRT', goneMs],
  ['SIGWINCH', 'SIGALRM', 2 * goneMs],
] as const)(
  'after %s the process is gone and started again, with a line that says why, and nothing acknowledged is lost',
  { timeout: 180_000 },
  async (sent, reported, within) => {
    const before = starts();
    const ledger = newLedger(before);
    for (let request = 0; request < 5; request++) expect(await sendSpans(service, ledger, 4)).toMatchObject({ status: 202 });
    const pid = processId();
    process.kill(pid, sent);
    await until(`process ${pid} is gone`, () => isGone(pid), within);
    await until('it is started again', () => starts() > before, againMs);
    expect(service.output()).toContain(`spanwise: the service was ended by ${reported}: `);
    await until('it is ready', async () => (await ask(`${service.url}/readyz`)).status === 200);
    compare(ledger, await stored(service, ledger));
  },
);
