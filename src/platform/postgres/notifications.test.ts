import { EventEmitter, once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Notifications } from './notifications.ts';
import { backends, serverBackend } from './postgres-backends.fixture.ts';
import type { TestDatabase } from './postgres-backends.fixture.ts';
import type { Postgres } from './postgres.ts';

/** What a subscriber is told, to wait for. */
function subscriber(notifications: Notifications, channel: string) {
  const events = new EventEmitter();
  const told: string[] = [];
  const end = notifications.subscribe(channel, {
    onMessage: (message) => {
      told.push(message);
      events.emit('message');
    },
    onMissed: () => events.emit('missed'),
  });
  return {
    told,
    end,
    missed: () => once(events, 'missed'),
    until: async (message: string) => {
      while (!told.includes(message)) await once(events, 'message');
    },
  };
}

const publish = (postgres: Postgres, channel: string, message: string) =>
  postgres.notifications.transaction((_, announce) => announce(channel, message));

/** The server of a URL behind a door that can be shut without a word to either side. */
async function silenceable(url: string) {
  const target = new URL(url);
  const { port, hostname } = target;
  const sockets = new Set<Socket>();
  let silent = false;
  const door = createServer((near) => {
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
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  target.host = `127.0.0.1:${(door.address() as AddressInfo).port}`;
  return {
    url: target.href,
    begin: () => (silent = true),
    end: () => (silent = false),
    close: () => {
      for (const socket of sockets) socket.destroy();
      door.close();
    },
  };
}

/** Asked again and again, since nothing announces it. */
async function listens(postgres: Postgres): Promise<void> {
  await vi.waitFor(() => expect(postgres.notifications.receiving()).toBe(true), 30_000);
}

describe.each(backends)('notifications, $mode', (backend) => {
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

  test('reach the subscribers of this process before the transaction is answered, on their channel alone', async () => {
    const things = subscriber(postgres.notifications, 'things');
    const others = subscriber(postgres.notifications, 'others');
    await publish(postgres, 'things', 'one with spaces');
    // Once more from the server, which tells this process too, if it already listens.
    expect([...new Set(things.told)]).toEqual(['one with spaces']);
    expect(others.told).toEqual([]);
    things.end();
    await publish(postgres, 'things', 'two');
    expect(things.told.filter((message) => message === 'two')).toEqual([]);
    others.end();
  });

  test('are told here even when the transaction fails, since what a failure left behind is not known', async () => {
    const things = subscriber(postgres.notifications, 'failures');
    const failing = postgres.notifications.transaction(async (transaction, announce) => {
      await announce('failures', 'before');
      await sql`SELECT 1 / 0`.execute(transaction);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(things.told).toEqual(['before']);
    things.end();
  });

  test('nothing is received before somebody subscribes, then it is', async () => {
    const fresh = await backend.create();
    const other = await fresh.open();
    expect(other.notifications.receiving()).toBe(false);
    subscriber(other.notifications, 'things');
    await listens(other);
    await other.close();
    await fresh.remove();
  });
});

describe.runIf(serverBackend)('notifications between processes', () => {
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

  test('arrive once committed, and never when rolled back', async () => {
    const [here, there] = [await open(), await open()];
    const things = subscriber(there.notifications, 'things');
    await listens(there);
    const rolledBack = here.notifications.transaction(async (_, announce) => {
      await announce('things', 'rolled back');
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await publish(here, 'things', 'committed');
    await things.until('committed');
    expect(things.told).toEqual(['committed']);
  });

  test('a lost connection is told, nothing counts as received until it listens again, and then messages come again', async () => {
    const [here, there] = [await open(), await open()];
    const things = subscriber(there.notifications, 'things');
    await listens(there);
    const missed = things.missed();
    const killed = await sql<{ done: boolean }>`SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
      WHERE datname = current_database() AND query IN ('LISTEN spanwise', 'SELECT 1')`.execute(here.db);
    expect(killed.rows.length).toBeGreaterThan(0);
    await missed;
    expect(there.notifications.receiving()).toBe(false);
    await listens(there);
    await publish(here, 'things', 'afterwards');
    await things.until('afterwards');
    expect(failures.length).toBeGreaterThan(0);
  });

  test('a server that says nothing any more, while the connection stands, counts as lost', async () => {
    const silence = await silenceable(database.url ?? '');
    const there = await database.open({ url: silence.url, onError: (error) => failures.push(error) });
    opened.push(there);
    const things = subscriber(there.notifications, 'things');
    await listens(there);
    const missed = things.missed();
    silence.begin();
    await missed;
    expect(there.notifications.receiving()).toBe(false);
    silence.end();
    await listens(there);
    silence.close();
  });

  test('closing ends the connection that listens', async () => {
    const [here, there] = [await open(), await open()];
    subscriber(there.notifications, 'things');
    await listens(there);
    await there.close();
    const left = await sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND query IN ('LISTEN spanwise', 'SELECT 1')`.execute(here.db);
    expect(left.rows).toEqual([]);
    expect(there.notifications.receiving()).toBe(false);
  });
});
