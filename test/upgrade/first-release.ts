import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { pino } from 'pino';
import { expect } from 'vitest';
import { startApp } from '../../src/app.ts';
import type { App } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { ManualClock } from '../../src/platform/clock/clock.ts';
import { openPostgres } from '../../src/platform/postgres/index.ts';
import type { Postgres } from '../../src/platform/postgres/index.ts';
import { administrator, temporaryDataDirectory } from '../support/service.ts';

export const firstRelease = join(import.meta.dirname, '../fixtures/first-release');

/** This release on a data directory of the first release, without background jobs. */
export interface Upgraded {
  app: App;
  clock: ManualClock;
  get<T>(path: string): Promise<T>;
  /** Signs in again, after the session has expired. */
  signIn(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param archive a file of {@link firstRelease}
 * @param nowMs time of the service's clock, epoch milliseconds
 * @param before called with the database as the first release left it
 */
export async function startUpgraded(
  archive: string,
  nowMs: number,
  before?: (postgres: Postgres) => Promise<void>,
): Promise<Upgraded> {
  const directory = await temporaryDataDirectory();
  const input = zstdDecompressSync(readFileSync(join(firstRelease, archive)));
  execFileSync('tar', ['-x', '-C', directory.path], { input });
  const config = readConfig({
    SPANWISE_PORT: '0',
    SPANWISE_DATA_DIR: join(directory.path, 'data'),
    SPANWISE_ADMIN_EMAIL: administrator.email,
    SPANWISE_ADMIN_PASSWORD: administrator.password,
    SPANWISE_LOG_LEVEL: 'silent',
  });
  if (before) {
    const dataDirectory = join(directory.path, 'data/postgres');
    const postgres = await openPostgres({ url: null, dataDirectory, onError: () => undefined });
    await before(postgres).finally(() => postgres.close());
  }
  const clock = new ManualClock(nowMs);
  const app = await startApp(config, { log: pino({ level: 'silent' }), clock, jobs: false });
  let cookie = '';
  const signIn = async () => {
    const login = await fetch(`${app.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(administrator),
    });
    cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  await signIn();
  await app.features.traceStore.pipeline.drain();
  return {
    app,
    clock,
    signIn,
    async get<T>(path: string) {
      const answer = await fetch(`${app.url}${path}`, { headers: { cookie } });
      expect(answer.status, path).toBe(200);
      return (await answer.json()) as T;
    },
    async close() {
      await app.close();
      await directory.remove();
    },
  };
}
