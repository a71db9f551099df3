import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeApiKey } from '../../src/contract/api-key.ts';

/** The service as a separate process, with a known administrator and API key. */
export interface Service {
  url: string;
  apiKey: string;
  dataDirectory: string;
  child: ChildProcess;
  /** Its standard output and error so far. */
  output(): string;
  /** Signs the administrator in; resolves with the cookie and the first project. */
  signIn(): Promise<{ cookie: string; projectId: string; organizationId: string }>;
  /** Sends a signal (SIGTERM by default) and resolves with the exit code. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

export interface ServiceOptions {
  dataDirectory?: string;
  /** The key of the first project: of a new data directory, or as it was made there. Default {@link testApiKey}. */
  apiKey?: string;
  env?: Record<string, string>;
  /** The program and its arguments; default: `src/main.ts`. */
  program?: readonly [path: string, ...given: string[]];
  /** A program that starts the service by its arguments, such as a shell that sets limits and becomes it. */
  through?: readonly [program: string, ...given: string[]];
  /** Ends the service when this process ends, also by a signal. */
  endsWithProcess?: boolean;
  /** Called with each piece of output. */
  onOutput?(text: string): void;
  /** Called with the process right after its start, before it is ready. */
  onChild?(child: ChildProcess): void;
}

export const administrator = { email: 'owner@example.com', password: 'correct horse battery staple' };
export const testApiKey = makeApiKey();
const patienceMs = 60_000;

/** Creates a temporary data directory. */
export async function temporaryDataDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'spanwise-data-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Starts `src/main.ts` on an ephemeral port; resolves when `/readyz` answers 200. */
export async function startService(options: ServiceOptions & { dataDirectory: string }): Promise<Service> {
  const { apiKey = testApiKey } = options;
  const { program = [join(import.meta.dirname, '../../src/main.ts')] } = options;
  const [command, ...given] = [...(options.through ?? []), process.execPath, ...program] as [string, ...string[]];
  const child = spawn(command, given, {
    stdio: ['ignore', 'pipe', 'pipe', ...(options.endsWithProcess ? (['ipc'] as const) : [])],
    env: {
      PATH: process.env['PATH'] ?? '',
      TZ: 'America/St_Johns',
      // As scripts/run.mjs sets them.
      UV_THREADPOOL_SIZE: '16',
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/node'),
      SPANWISE_PORT: '0',
      SPANWISE_DATA_DIR: options.dataDirectory,
      SPANWISE_ADMIN_EMAIL: administrator.email,
      SPANWISE_ADMIN_PASSWORD: administrator.password,
      SPANWISE_API_KEY: apiKey,
      ...options.env,
    },
  });
  options.onChild?.(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      options.onOutput?.(text);
    });
  }
  let url: string;
  try {
    url = await listeningUrl(child, () => printed);
    await becomesReady(url, child, () => printed);
  } catch (error) {
    // One that was too slow would go on beside the tests.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    throw error;
  }
  return {
    url,
    apiKey,
    dataDirectory: options.dataDirectory,
    child,
    output: () => printed,
    signIn: () => signIn(url, () => printed),
    stop: (signal = 'SIGTERM') => stop(child, signal),
  };
}

async function listeningUrl(child: ChildProcess, printed: () => string): Promise<string> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline;) {
    const url = /Spanwise is ready at (http:\S+)/.exec(printed())?.[1];
    if (url) return url;
    if (child.exitCode !== null || child.signalCode !== null) break;
    await delay(20);
  }
  throw new Error(`the service did not start:\n${printed()}`);
}

async function becomesReady(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline;) {
    const ready = await fetch(`${url}/readyz`).catch(() => null);
    if (ready?.status === 200) return;
    if (child.exitCode !== null || child.signalCode !== null) break;
    await delay(20);
  }
  throw new Error(`the service did not become ready:\n${printed()}`);
}

async function signIn(
  url: string,
  printed: () => string,
): Promise<{ cookie: string; projectId: string; organizationId: string }> {
  const login = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(administrator),
  });
  if (login.status !== 200) throw new Error(`login answered ${login.status}: ${await login.text()}\n${printed()}`);
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const session = (await (await fetch(`${url}/v1/auth/session`, { headers: { cookie } })).json()) as {
    organizations: Array<{ id: string; projects: Array<{ id: string }> }>;
  };
  const organization = session.organizations[0];
  const project = organization?.projects[0];
  if (!organization || !project) throw new Error('the administrator has no project');
  return { cookie, projectId: project.id, organizationId: organization.id };
}

async function stop(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  child.kill(signal);
  return ended;
}
