import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How the server treats requests from now on. */
export interface ServerBehaviour {
  /** Carries out what it is asked, and answers so much later. */
  delayMs: number;
  /** Inserts whose connection breaks, one after the other. */
  breaks: readonly BrokenInsert[];
}

export interface BrokenInsert {
  /** So many inserts pass before it. */
  after: number;
  /** Whether it breaks once its rows are stored, instead of while they come. */
  stored: boolean;
}

/** What the server's process tells the test. */
export type ServerMessage = { listening: number } | { behaves: true };

/** ClickHouse's HTTP interface in front of the real engine, in a process that may be stopped and started again. */
export interface ClickHouseServer {
  /** Without a database; the same after a restart. */
  url: string;
  /** Runs a statement and resolves with what it answers, whatever the server's behaviour towards others. */
  query(sql: string): Promise<string>;
  behave(behaviour: Partial<ServerBehaviour>): Promise<void>;
  /** Lets it keep its connections and answer nothing, until {@link resume}. */
  freeze(): void;
  resume(): void;
  /** Kills it where it stands. */
  kill(): Promise<void>;
  /** Starts it again on the same data and the same port, unless it runs. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

const program = join(import.meta.dirname, 'clickhouse-server-program.ts');

/** Starts a server on a port of its own and with data of its own. */
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
