import { existsSync, readdirSync } from 'node:fs';
import { access, constants, mkdtemp, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { pino } from 'pino';
import { sql } from 'kysely';
import { refusedConnections } from '../features/model-connections/index.ts';
import { refusedWebhooks } from '../features/notifications/index.ts';
import { configOfProcess } from '../config.ts';
import type { Config } from '../config.ts';
import { caughtFatalSignals } from '../platform/clickhouse/index.ts';
import { isOpenToOthers, modeOf } from '../platform/data-directory/index.ts';
import { maxConnectionsUnder, openFileLimit } from '../platform/http/index.ts';
import { describeFaults, judgeStores, readStoreFacts } from '../platform/installation/index.ts';
import { outgoingAddresses } from '../outgoing-addresses.ts';
import { isOtherSecret, otherSecret } from '../platform/postgres/index.ts';
import { startupError } from '../startup-error.ts';
import { openStores } from '../stores.ts';
import type { OpenedStores } from '../stores.ts';

interface Finding {
  name: string;
  ok: boolean;
  detail: string;
}

const leastFreeBytes = 2 * 1024 ** 3;
const maxClockSkewMs = 2_000;
/** Twice what the stores need. */
const leastOpenFiles = 1_024;

/** `spanwise doctor`: checks the service's environment and stores, and prints how to fix what fails. Exits with 1 when a check fails. */
export function doctorCommand(): Command {
  return new Command('doctor').description('Check settings, stores, disk, clock and permissions').action(async () => {
    const findings = await examine(configOfProcess());
    for (const { name, ok, detail } of findings) console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}: ${detail}`);
    if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
  });
}

/** Checks what a start with this configuration would use. Makes nothing in a data directory that does not exist. */
export async function examine(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [{ name: 'settings', ok: true, detail: 'every variable can be used' }];
  findings.push(await permissions(config), await disk(config), openFiles(), node());
  const running = await fetch(`http://127.0.0.1:${config.port}/readyz`).catch(() => null);
  if (running) {
    const detail = running.ok
      ? `a service takes traffic on port ${config.port}`
      : `a service on port ${config.port} is not ready: ${await running.text()}`;
    return [...findings, { name: 'service', ok: running.ok, detail }];
  }
  findings.push(...(await address(config)));
  return [...findings, ...(existsSync(config.dataDirectory) ? await stores(config) : await storesOfServers(config))];
}

/** A finding where the service could not listen on its address, on any port. */
async function address({ host }: Config): Promise<Finding[]> {
  const server = createServer();
  const fault = await new Promise<Error | null>((resolve) => {
    server.once('error', resolve);
    server.listen(0, host, () => server.close(() => resolve(null)));
  });
  return fault === null ? [] : [{ name: 'address', ok: false, detail: startupError(fault) }];
}

async function permissions({ dataDirectory }: Config): Promise<Finding> {
  const name = 'data directory';
  try {
    await access(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK);
    if (isOpenToOthers(dataDirectory)) {
      const detail = `${dataDirectory} is open to other users (mode ${modeOf(dataDirectory)}); run chmod 700 on it, or start the service, which does`;
      return { name, ok: false, detail };
    }
    return { name, ok: true, detail: `${dataDirectory} can be written` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { name, ok: true, detail: `${dataDirectory} will be made at the first start` };
    return { name, ok: false, detail: `${dataDirectory} cannot be written; make this user its owner, or set SPANWISE_DATA_DIR` };
  }
}

async function disk({ dataDirectory }: Config): Promise<Finding> {
  const name = 'disk';
  const state = await statfs(dataDirectory).catch(() => statfs('.'));
  const free = state.bavail * state.bsize;
  const gigabytes = (free / 1024 ** 3).toFixed(1);
  return free >= leastFreeBytes
    ? { name, ok: true, detail: `${gigabytes} GiB free` }
    : { name, ok: false, detail: `only ${gigabytes} GiB free; make room, or ingestion will stop when it is full` };
}

/** The limit that the kernel sets for this process. A service that another user or a supervisor starts may have another. */
function openFiles(): Finding {
  const name = 'open files';
  const limit = openFileLimit();
  if (limit === null) return { name, ok: true, detail: 'no limit is known' };
  const connections = `at most ${limit} files (ulimit -n), so that the service takes ${maxConnectionsUnder(limit)} connections`;
  return limit >= leastOpenFiles
    ? { name, ok: true, detail: connections }
    : { name, ok: false, detail: `${connections}; raise the limit to ${leastOpenFiles} or more (LimitNOFILE= under systemd)` };
}

function node(): Finding {
  const installed = join(import.meta.dirname, '../../node_modules');
  const isLocked = relative(installed, process.execPath).startsWith('node-');
  const from = isLocked ? 'the one of package-lock.json' : `of this machine (${process.execPath})`;
  return { name: 'Node', ok: true, detail: `${process.version}, ${from}` };
}

/** Whether the stores belong to one installation. Changes nothing. */
async function installation(config: Config, opened: OpenedStores): Promise<Finding> {
  const name = 'installation';
  const { id, faults: all } = judgeStores(await readStoreFacts(opened, config.secretKey));
  // The secret is a finding of its own.
  const faults = new Map([...all].filter(([store]) => store !== 'secret'));
  if (faults.size > 0) return { name, ok: false, detail: describeFaults(opened, faults).join('; ') };
  return { name, ok: true, detail: id === null ? 'gets its id at the next start' : `every store belongs to ${id}` };
}

/** What the log holds, and whether damaged records lie in its quarantine. */
function writeAheadLog({ wal, directory }: OpenedStores): Finding {
  const name = 'write-ahead log';
  const { backlogRecords, tornBytes } = wal.stats();
  const torn =
    tornBytes === 0 ? '' : `; it ended within a record of ${tornBytes} bytes, which was never acknowledged and was removed`;
  const quarantine = join(directory.wal, 'quarantine');
  const damaged = existsSync(quarantine) ? readdirSync(quarantine).length : 0;
  const detail = `${backlogRecords} requests wait for ClickHouse${torn}`;
  return damaged === 0
    ? { name, ok: true, detail }
    : {
        name,
        ok: false,
        detail: `${detail}; ${damaged} damaged records are in ${quarantine}: examine the disk, then remove them`,
      };
}

/** Whether a fault in native code or an exhausted heap ends the process, rather than leaving it without answers. */
function signals(): Finding {
  const caught = caughtFatalSignals();
  return caught.length === 0
    ? { name: 'fatal signals', ok: true, detail: 'end the process at once' }
    : { name: 'fatal signals', ok: false, detail: `${caught.join(', ')} are caught by a library; report this` };
}

function addresses(name: string, refused: readonly string[]): Finding {
  return refused.length === 0
    ? { name, ok: true, detail: 'every address may be reached' }
    : { name, ok: false, detail: refused.join('; ') };
}

/** Opens the stores of servers, with a data directory that is deleted afterwards. Embedded stores do not exist yet. */
async function storesOfServers(config: Config): Promise<Finding[]> {
  if (config.databaseUrl === null && config.clickhouseUrl === null) return [];
  const dataDirectory = await mkdtemp(join(tmpdir(), 'spanwise-doctor-'));
  try {
    const embedded = [
      ...(config.databaseUrl === null ? ['PostgreSQL'] : []),
      ...(config.clickhouseUrl === null ? ['ClickHouse'] : []),
    ];
    const madeNow = new Set([...embedded, 'write-ahead log', 'installation']);
    return (await stores({ ...config, dataDirectory })).filter(({ name, ok }) => !ok || !madeNow.has(name));
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

async function redis({ buckets }: OpenedStores): Promise<Finding[]> {
  if (buckets?.name !== 'Redis') return [];
  const fault = await buckets.ping().then(() => null, reasonOf);
  const detail = fault === null ? 'answers' : `REDIS_URL: Redis does not answer (${fault}); start it, or correct the URL`;
  return [{ name: 'Redis', ok: fault === null, detail }];
}

/** Node's error of several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  const { message = '', code = '' } = (error ?? {}) as { message?: string; code?: string };
  return message || code || 'unknown reason';
}

async function secretKey({ secretKey: given }: Config, { directory, postgres }: OpenedStores): Promise<Finding> {
  const secret = given ?? (existsSync(directory.secretKeyFile) ? directory.secretKey() : null);
  const isOther = await isOtherSecret(postgres.db, secret);
  return { name: 'secret key', ok: !isOther, detail: isOther ? otherSecret : 'the database has credentials of no other' };
}

/** Opens the stores as the service does. Possible only while no service uses the data directory. */
async function stores(config: Config): Promise<Finding[]> {
  try {
    const opened = await openStores(config, pino({ level: 'silent' }), { waitMs: 0 });
    try {
      await opened.clickhouse.ping();
      const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(opened.postgres.db);
      const skew = Math.abs((rows[0]?.now.getTime() ?? 0) - Date.now());
      const { db } = opened.postgres;
      const reachable = outgoingAddresses(db, config);
      const connections = await refusedConnections(db, reachable);
      const webhooks = await refusedWebhooks(db, reachable);
      return [
        { name: 'PostgreSQL', ok: true, detail: `${opened.postgres.mode}, migrated` },
        { name: 'ClickHouse', ok: true, detail: `${opened.clickhouse.mode}, migrated` },
        writeAheadLog(opened),
        await installation(config, opened),
        signals(),
        ...(await redis(opened)),
        await secretKey(config, opened),
        addresses('model connections', connections),
        addresses('webhooks', webhooks),
        skew <= maxClockSkewMs
          ? { name: 'clock', ok: true, detail: 'agrees with the database' }
          : { name: 'clock', ok: false, detail: `differs from the database's by ${skew} ms; synchronise both (NTP)` },
      ];
    } finally {
      await opened.close();
    }
  } catch (error) {
    return [{ name: 'stores', ok: false, detail: startupError(error) }];
  }
}
