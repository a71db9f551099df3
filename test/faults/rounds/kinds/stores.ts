import { setTimeout as delay } from 'node:timers/promises';
import { startClickHouseServer } from '../../../support/clickhouse-server.ts';
import type { ClickHouseServer } from '../../../support/clickhouse-server.ts';
import { localServers } from '../../../support/local-servers.ts';
import { startService } from '../../../support/service.ts';
import { temporaryDatabase } from '../../../support/temporary-database.ts';
import type { Random } from '../random.ts';
import { Subject } from '../subject.ts';
import { TcpProxy } from '../tcp-proxy.ts';
import { prepareCallers } from '../template.ts';
import type { Round } from '../round.ts';

const recoveryMs = 30_000;

/**
 * Stops, freezes and cuts off the servers of a replica under load, one to three times, alone or together; the replica may be killed at the
 * same time. The PostgreSQL server itself keeps running: the proxy in front of it is stopped.
 */
export const storesRound: Round = async ({ random, template }) => {
  const database = await temporaryDatabase(localServers.postgres);
  const directory = template.round({ empty: true });
  const clickhouse = await startClickHouseServer();
  const proxy = await TcpProxy.open(Number(new URL(localServers.postgres).port));
  let subject: Subject | null = null;
  try {
    await clickhouse.query('CREATE DATABASE spanwise');
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const environment = {
      DATABASE_URL: url.href,
      CLICKHOUSE_URL: `${clickhouse.url}/spanwise?request_timeout=3000`,
    };
    const first = await startService({ dataDirectory: directory.path, env: { ...environment, SPANWISE_LOG_LEVEL: 'error' } });
    const callers = await prepareCallers(first);
    await first.stop('SIGTERM');
    subject = new Subject({
      dataDirectory: directory.path,
      callers,
      random,
      environment: { ...environment, SPANWISE_LOG_LEVEL: 'silent' },
      setClock: null,
    });
    return { ...(await storm(subject, clickhouse, proxy, random)), subject };
  } catch (error) {
    return { what: 'broken off', times: 1, faults: [`${String(error)}\n${subject?.printed.slice(-1500) ?? ''}`], subject };
  } finally {
    await proxy.mend();
    await subject?.dispose();
    await proxy.cut();
    await clickhouse.close();
    await database.drop();
    directory.remove();
  }
};

async function storm(subject: Subject, clickhouse: ClickHouseServer, proxy: TcpProxy, random: Random) {
  const what: string[] = [];
  const faults: string[] = [];
  await subject.start();
  subject.load({ persistent: true });
  const times = random.whole(1, 3);
  for (let time = 0; time < times; time++) {
    await delay(random.whole(300, 1_500));
    const fault = random.pick(['ClickHouse stopped', 'ClickHouse frozen', 'PostgreSQL cut off', 'both stopped'] as const);
    const forMs = random.whole(300, 5_000);
    if (fault === 'ClickHouse frozen') clickhouse.freeze();
    if (fault === 'ClickHouse stopped' || fault === 'both stopped') await clickhouse.kill();
    if (fault === 'PostgreSQL cut off' || fault === 'both stopped') await proxy.cut();
    await delay(forMs);
    const killed = random.chance(0.25);
    if (killed) await subject.kill();
    clickhouse.resume();
    await clickhouse.start();
    await proxy.mend();
    if (killed) {
      await subject.start();
      subject.load({ persistent: true });
    }
    what.push(`${fault} for ${forMs} ms${killed ? ', and the replica killed' : ''}`);
    await goesOn(subject, faults);
  }
  await subject.stopLoad();
  faults.push(...(await subject.verify()), ...(await subject.end()));
  return { what: what.join('; '), times, faults };
}

async function goesOn(subject: Subject, faults: string[]): Promise<void> {
  const acknowledged = subject.ledger.count('acknowledged');
  for (const deadline = performance.now() + recoveryMs; performance.now() < deadline;) {
    if (subject.ledger.count('acknowledged') > acknowledged) return;
    await delay(50);
  }
  faults.push(`${recoveryMs} ms after the fault nothing is taken`);
}
