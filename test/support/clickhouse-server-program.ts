// A ClickHouse server for tests: the part of the HTTP interface that `@clickhouse/client` uses, in front of chDB. No cluster, users or
// compression.
//   node clickhouse-server-program.ts DATA_DIRECTORY PORT
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Session } from 'chdb';
import { literal, readClickHouseRequest, RefusedRequest } from './clickhouse-request.ts';
import type { ClickHouseRequest } from './clickhouse-request.ts';
import type { BrokenInsert, ServerBehaviour, ServerMessage } from './clickhouse-server.ts';

const [dataDirectory = '', port = '0'] = process.argv.slice(2);
const engineDirectory = join(dataDirectory, 'engine');
const bodies = join(dataDirectory, 'bodies');
rmSync(bodies, { recursive: true, force: true });
mkdirSync(bodies, { recursive: true });

/** Kept open: the engine stops when its last session is closed. */
const engine = new Session(engineDirectory);
let behaviour: ServerBehaviour = { delayMs: 0, breaks: [] };

/** Runs a request in its own session; its settings end with the session. */
async function run(request: ClickHouseRequest): Promise<Uint8Array> {
  const session = new Session(engineDirectory);
  try {
    // A new session uses the database `default`.
    const context = [...(request.database === null ? [] : [`USE ${quotedName(request.database)}`]), ...request.assignments];
    if (context.length > 0) await session.queryAsync(context.join('; '));
    if (request.data === null) return (await session.queryAsync(request.sql, { format: request.format })).bytes();
    const path = join(bodies, randomUUID());
    await writeFile(path, request.data);
    try {
      return (await session.queryAsync(fromFile(request.sql, path), { format: request.format })).bytes();
    } finally {
      await rm(path, { force: true });
    }
  } finally {
    session.close();
  }
}

function fromFile(sql: string, path: string): string {
  if (!/^\s*INSERT\b[\s\S]*\bFORMAT\s+\w+\s*$/i.test(sql))
    throw new RefusedRequest(400, 62, 'Syntax error: a body beside ?query= is taken by INSERT ... FORMAT alone');
  const [, format = ''] = /\bFORMAT\s+(\w+)\s*$/i.exec(sql) ?? [];
  const statement = sql.replace(/\bFORMAT\s+\w+\s*$/i, '');
  // A SELECT takes the body as a table function, which the embedded engine has for files alone.
  const taken = statement.replace('FROM input(', `FROM file(${literal(path)}, '${format}', `);
  return taken === statement ? `${statement} FROM INFILE ${literal(path)} FORMAT ${format}` : taken;
}

function quotedName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const broken = isInsert(request) ? nextBreak() : null;
  const pieces: Buffer[] = [];
  for await (const piece of request) {
    pieces.push(piece as Buffer);
    if (broken?.stored === false) return void request.destroy();
  }
  let status = 200;
  let headers: Record<string, string> = {};
  let bytes: Uint8Array = Buffer.from('Ok.\n');
  if (new URL(request.url ?? '/', 'http://server').pathname !== '/ping') {
    try {
      bytes = await run(readClickHouseRequest(request, Buffer.concat(pieces)));
    } catch (error) {
      ({ status, headers, bytes } = refusal(error));
    }
  }
  if (broken) return void request.destroy();
  if (behaviour.delayMs > 0) await delay(behaviour.delayMs);
  response.writeHead(status, {
    'content-type': 'text/plain; charset=UTF-8',
    'x-clickhouse-server-display-name': 'test',
    ...headers,
  });
  response.end(bytes);
}

function nextBreak(): BrokenInsert | null {
  const [next, ...rest] = behaviour.breaks;
  if (!next) return null;
  behaviour = { ...behaviour, breaks: next.after > 0 ? [{ ...next, after: next.after - 1 }, ...rest] : rest };
  return next.after > 0 ? null : next;
}

function isInsert({ url = '' }: IncomingMessage): boolean {
  return /[?&]query=INSERT/.test(url);
}

/** Formats errors as a server does: code in a header, text in the body. */
function refusal(error: unknown): { status: number; headers: Record<string, string>; bytes: Uint8Array } {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof RefusedRequest ? error.code : Number(/Code: (\d+)/.exec(message)?.[1] ?? 1002);
  const text = error instanceof RefusedRequest ? `Code: ${code}. DB::Exception: ${message}. (POCO_EXCEPTION)` : message;
  return {
    status: error instanceof RefusedRequest ? error.status : (statuses[code] ?? 500),
    headers: { 'x-clickhouse-exception-code': String(code) },
    bytes: Buffer.from(`${text}\n`),
  };
}

/** HTTP status by error code, for errors of the caller. */
const statuses: Readonly<Record<number, number>> = { 36: 400, 62: 400, 457: 400, 47: 404, 60: 404, 81: 404, 159: 408, 202: 503 };

// Limits of a ClickHouse server: 1 MiB of URL, idle connections close after ten seconds.
const server = createServer({ maxHeaderSize: 1_048_576, keepAliveTimeout: 10_000 }, (request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(Number(port), '127.0.0.1', () => tell({ listening: (server.address() as AddressInfo).port }));

function tell(message: ServerMessage): void {
  process.send?.(message);
}

process.on('message', (told: ServerBehaviour) => {
  behaviour = told;
  tell({ behaves: true });
});
function end(): void {
  server.close();
  server.closeAllConnections();
  engine.close();
  process.exit(0);
}
process.on('SIGTERM', end);
// The parent process has ended.
process.on('disconnect', end);
