import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serverBackend } from './postgres-backends.fixture.ts';
import type { TestDatabase } from './postgres-backends.fixture.ts';
import { openPostgres } from './postgres.ts';

const unavailable = { name: 'ServiceError', code: 'unavailable', retryAfterSeconds: 5 };
const password = 'do-not-print-this';

async function listen(onSocket: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer(onSocket).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

async function refusal(url: string): Promise<Error> {
  return openPostgres({ url, dataDirectory: '', onError: () => undefined, timeouts: { connection: 300 } }).then(
    () => expect.unreachable('it opened'),
    (error: Error) => error,
  );
}

describe('an unreachable PostgreSQL server', () => {
  test('a refused connection: a message of one line with host and port, without the password', async () => {
    const { server, port } = await listen(() => undefined);
    server.close();
    const error = await refusal(`postgres://someone:${password}@127.0.0.1:${port}/spanwise`);
    expect(error.name).toBe('DatabaseError');
    expect(error.message).toBe(
      `DATABASE_URL: PostgreSQL at 127.0.0.1:${port} cannot be used (ECONNREFUSED); start it, or correct the address, user, password or database`,
    );
  });

  test('a server that never answers is refused after it was asked twice', async () => {
    const sockets: Socket[] = [];
    const { server, port } = await listen((socket) => sockets.push(socket));
    const error = await refusal(`postgres://someone:${password}@127.0.0.1:${port}/spanwise`);
    expect(error.name).toBe('DatabaseError');
    expect(error.message).toMatch(/timeout/);
    expect(error.message).not.toContain(password);
    expect(sockets).toHaveLength(2);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

const backend = serverBackend;
if (backend) {
  describe('a PostgreSQL server that disappears', () => {
    let database: TestDatabase;
    let proxy: Server;
    let url: string;
    const sockets = new Set<Socket>();

    beforeEach(async () => {
      database = await backend.create();
      const target = new URL(database.url ?? '');
      const { port, hostname } = target;
      const opened = await listen((inward) => {
        const outward = connect(Number(port || 5432), hostname);
        for (const socket of [inward, outward]) {
          sockets.add(socket);
          socket.on('error', () => undefined);
        }
        inward.pipe(outward).pipe(inward);
      });
      proxy = opened.server;
      target.hostname = '127.0.0.1';
      target.port = String(opened.port);
      url = target.href;
    });
    afterEach(async () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      proxy.close();
      await database.remove();
    });

    /** As in a network that drops all packets: neither side learns that the connection is lost. */
    function freeze(): void {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    }

    test('silently: the statement times out, and a new connection is made', async () => {
      const postgres = await database.open({ url, timeouts: { statement: 300 } });
      await postgres.ping();
      freeze();
      await expect(sql`SELECT 1`.execute(postgres.db)).rejects.toMatchObject(unavailable);
      expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(postgres.db)).rows).toEqual([{ one: 1 }]);
      await postgres.close();
    }, 20_000);

    test('within a transaction: the process survives, the transaction fails, the next one works', async () => {
      const postgres = await database.open({ url });
      const work = postgres.db.transaction().execute(async (transaction) => {
        await sql`CREATE TABLE never (id integer)`.execute(transaction);
        const closed = [...sockets].map((socket) => once(socket, 'close'));
        for (const socket of sockets) socket.destroy();
        await Promise.all(closed);
        await sql`INSERT INTO never VALUES (1)`.execute(transaction);
      });
      await expect(work).rejects.toMatchObject(unavailable);
      expect((await sql`SELECT to_regclass('never') AS found`.execute(postgres.db)).rows).toEqual([{ found: null }]);
      await postgres.close();
    });

    test('under a lock: the work completes, the error is reported, and the lock is free', async () => {
      const errors: Error[] = [];
      const postgres = await database.open({ url, onError: (error) => errors.push(error) });
      const direct = await database.open();
      const done = await postgres.withLock('lock', async () => {
        expect(await direct.tryLock('lock', async () => 'mine')).toBeNull();
        // Only this database: the server's others belong to concurrent tests.
        await sql`SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
          WHERE l.locktype = 'advisory' AND d.datname = current_database()`.execute(direct.db);
        // The server has ended the connection when it answers the next statement; the client of the lock notices it asynchronously.
        while (errors.length === 0) await direct.ping();
        return 'done';
      });
      expect(done).toBe('done');
      expect(errors[0]?.message).toContain('terminating connection');
      expect(await direct.tryLock('lock', async () => 'mine')).toBe('mine');
      expect(await postgres.tryLock('lock', async () => 'ours')).toBe('ours');
      await postgres.close();
      await direct.close();
    });

    test('waiting for a lock that another process holds times out', async () => {
      const one = await database.open();
      const other = await database.open({ timeouts: { lock: 100 } });
      await one.withLock('lock', async () => {
        await expect(other.withLock('lock', async () => 'never')).rejects.toMatchObject(unavailable);
      });
      expect(await other.withLock('lock', async () => 'now')).toBe('now');
      await one.close();
      await other.close();
    });

    test('options of the URL apply, except the time zone, which is UTC', async () => {
      const location = new URL(database.url ?? '');
      location.searchParams.set('options', '-c timezone=Asia/Tokyo -c datestyle=German -c work_mem=5MB');
      const postgres = await database.open({ url: location.href });
      const { rows } = await sql`SELECT current_setting('timezone') AS zone, current_setting('work_mem') AS memory`.execute(
        postgres.db,
      );
      expect(rows).toEqual([{ zone: 'UTC', memory: '5MB' }]);
      expect((await sql`SELECT '2026-11-20'::date AS day`.execute(postgres.db)).rows).toEqual([{ day: '2026-11-20' }]);
      await postgres.close();
    });

    test('a database that does not exist is refused with its name', async () => {
      const location = new URL(database.url ?? '');
      location.pathname = '/there_is_no_such_database';
      expect((await refusal(location.href)).message).toContain('database "there_is_no_such_database" does not exist');
    });
  });
}
