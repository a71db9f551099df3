import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How the server treats requests. */
export interface ServerBehaviour {
  /** Delay of the answer, after the request was carried out. */
  delayMs: number;
  /** Inserts whose connection breaks, in this order. */
  breaks: readonly BrokenInsert[];
}

export interface BrokenInsert {
  /** Number of inserts that succeed before it. */
  after: number;
  /** Whether the connection breaks after the rows were stored, or while they are sent. */
  stored: boolean;
}

/** Messages of the server's process. */
export type ServerMessage = { listening: number } | { behaves: true };

/** ClickHouse's HTTP interface in front of chDB, in a process that can be stopped and restarted. */
export interface ClickHouseServer {
  /** URL without a database name; unchanged by a restart. */
  url: string;
  /** Runs a statement and resolves with its output. */
  query(sql: string): Promise<string>;
  behave(behaviour: Partial<ServerBehaviour>): Promise<void>;
  /** Stops the process with SIGSTOP: connections stay open without an answer until {@link resume}. */
  freeze(): void;
  resume(): void;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Restarts it on the same data and port, unless it is running. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

const program = join(import.meta.dirname, 'clickhouse-server-program.ts');

/** Starts a server on an ephemeral port with its own data directory. */
export async function startClickHouseServer(): Promise<ClickHouseServer> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-clickhouse-server-'));
  let { child, port } = await launch(directory, 0);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    query: (sql) => query(url, sql),
    behave: (behaviour) => behave(child, { delayMs: 0, breaks: [], ...behaviour }),
    freeze: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: () => end(child, 'SIGKILL'),
    start: async () => {
      if (isRunning(child)) return;
      ({ child, port } = await launch(directory, port));
    },
    close: async () => {
      child.kill('SIGCONT');
      await end(child, 'SIGTERM');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function launch(directory: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(program, [directory, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '', UV_THREADPOOL_SIZE: '16' },
  });
  return new Promise((resolve, reject) => {
    child.once('message', (message: ServerMessage) => {
      if ('listening' in message) resolve({ child, port: message.listening });
    });
    child.once('exit', (code) => reject(new Error(`the ClickHouse server for tests ended with ${code} instead of listening`)));
  });
}

async function behave(child: ChildProcess, behaviour: ServerBehaviour): Promise<void> {
  const heard = new Promise<void>((resolve) => child.once('message', () => resolve()));
  child.send(behaviour);
  await heard;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!isRunning(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  await ended;
}

async function query(url: string, sql: string): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body: sql });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
