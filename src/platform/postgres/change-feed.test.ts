import { EventEmitter, once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ChangeFeed } from './change-feed.ts';
import { backends, serverBackend } from './postgres-backends.fixture.ts';
import type { TestDatabase } from './postgres-backends.fixture.ts';
import type { Postgres } from './postgres.ts';

/** Subscribes and records the messages. */
function subscriber(changeFeed: ChangeFeed, channel: string) {
  const events = new EventEmitter();
  const received: string[] = [];
  const end = changeFeed.subscribe(channel, {
    onMessage: (message) => {
      received.push(message);
      events.emit('message');
    },
    onMissed: () => events.emit('missed'),
  });
  return {
    received,
    end,
    missed: () => once(events, 'missed'),
    until: async (message: string) => {
      while (!received.includes(message)) await once(events, 'message');
    },
  };
}

const publish = (postgres: Postgres, channel: string, message: string) =>
  postgres.changeFeed.transaction((_, announce) => announce(channel, message));

/** A proxy in front of the server of a URL that can stop forwarding without closing its connections. */
async function startSilenceableProxy(url: string) {
  const target = new URL(url);
  const { port, hostname } = target;
  const sockets = new Set<Socket>();
  let silent = false;
  const proxy = createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => silent || to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  target.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: target.href,
    begin: () => (silent = true),
    end: () => (silent = false),
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

/** Polls, because no event announces it. */
async function listens(postgres: Postgres): Promise<void> {
  await vi.waitFor(() => expect(postgres.changeFeed.receiving()).toBe(true), 30_000);
}

describe.each(backends)('change feed, $mode', (backend) => {
  let database: TestDatabase;
  let postgres: Postgres;
  beforeAll(async () => {
    database = await backend.create();
    postgres = await database.open();
  });
  afterAll(async () => {
    await postgres.close();
    await database.remove();
  });

  test('messages reach the subscribers of their channel in this process before the transaction settles', async () => {
    const things = subscriber(postgres.changeFeed, 'things');
    const others = subscriber(postgres.changeFeed, 'others');
    await publish(postgres, 'things', 'one with spaces');
    // The server also notifies this process if it listens already.
    expect([...new Set(things.received)]).toEqual(['one with spaces']);
    expect(others.received).toEqual([]);
    things.end();
    await publish(postgres, 'things', 'two');
    expect(things.received.filter((message) => message === 'two')).toEqual([]);
    others.end();
  });

  test('messages of a failed transaction reach this process, since its outcome may be unknown', async () => {
    const things = subscriber(postgres.changeFeed, 'failures');
    const failing = postgres.changeFeed.transaction(async (transaction, announce) => {
      await announce('failures', 'before');
      await sql`SELECT 1 / 0`.execute(transaction);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(things.received).toEqual(['before']);
    things.end();
  });

  test('receiving starts with the first subscription', async () => {
    const fresh = await backend.create();
    const other = await fresh.open();
    expect(other.changeFeed.receiving()).toBe(false);
    subscriber(other.changeFeed, 'things');
    await listens(other);
    await other.close();
    await fresh.remove();
  });
});

describe.runIf(serverBackend)('change feed between processes', () => {
  let database: TestDatabase;
  const opened: Postgres[] = [];
  const failures: Error[] = [];
  const open = async () => {
    const postgres = await database.open({ onError: (error) => failures.push(error) });
    opened.push(postgres);
    return postgres;
  };
  beforeAll(async () => {
    if (serverBackend) database = await serverBackend.create();
  });
  afterEach(async () => {
    for (const postgres of opened.splice(0)) await postgres.close();
    failures.length = 0;
  });
  afterAll(() => database.remove());

  test('messages arrive after a commit, and never after a rollback', async () => {
    const [here, there] = [await open(), await open()];
    const things = subscriber(there.changeFeed, 'things');
    await listens(there);
    const rolledBack = here.changeFeed.transaction(async (_, announce) => {
      await announce('things', 'rolled back');
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await publish(here, 'things', 'committed');
    await things.until('committed');
    expect(things.received).toEqual(['committed']);
  });

  test('a lost connection calls onMissed and stops receiving until the listener has reconnected', async () => {
    const [here, there] = [await open(), await open()];
    const things = subscriber(there.changeFeed, 'things');
    await listens(there);
    const missed = things.missed();
    const killed = await sql<{ done: boolean }>`SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
      WHERE datname = current_database() AND query IN ('LISTEN spanwise', 'SELECT 1')`.execute(here.db);
    expect(killed.rows.length).toBeGreaterThan(0);
    await missed;
    expect(there.changeFeed.receiving()).toBe(false);
    await listens(there);
    await publish(here, 'things', 'afterwards');
    await things.until('afterwards');
    expect(failures.length).toBeGreaterThan(0);
  });

  test('a server that stops answering counts as lost', async () => {
    const silence = await startSilenceableProxy(database.url ?? '');
    const there = await database.open({ url: silence.url, onError: (error) => failures.push(error) });
    opened.push(there);
    const things = subscriber(there.changeFeed, 'things');
    await listens(there);
    const missed = things.missed();
    silence.begin();
    await missed;
    expect(there.changeFeed.receiving()).toBe(false);
    silence.end();
    await listens(there);
    silence.close();
  });

  test('closing ends the listening connection', async () => {
    const [here, there] = [await open(), await open()];
    subscriber(there.changeFeed, 'things');
    await listens(there);
    await there.close();
    const left = await sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND query IN ('LISTEN spanwise', 'SELECT 1')`.execute(here.db);
    expect(left.rows).toEqual([]);
    expect(there.changeFeed.receiving()).toBe(false);
  });
});
