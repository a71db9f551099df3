import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable } from '../../contract/errors.ts';
import type { ClickHouse } from './clickhouse.ts';
import { ClickHouseStartError } from './start-error.ts';

export interface AwaitOptions {
  /** The value of CLICKHOUSE_URL; messages leave out its user and password. */
  url: string;
  /** Maximum wait for a server that does not answer. A server that refuses the connection fails at once. */
  waitMs: number;
  /** Called once, with one sentence, if the first ping gets no answer. */
  onWaiting(message: string): void;
}

const betweenMs = 500;

/**
 * Resolves when a ClickHouse server answers. Machines and containers start in any order, so a server that is not up yet is awaited for a limited
 * time.
 *
 * Errors: {@link ClickHouseStartError} in one line that names CLICKHOUSE_URL.
 */
export async function awaitClickHouse(clickhouse: ClickHouse, { url, waitMs, onWaiting }: AwaitOptions): Promise<void> {
  const { protocol, host, pathname } = new URL(url);
  const address = `${protocol}//${host}`;
  const deadline = performance.now() + waitMs;
  for (let reported = false; ; reported = true) {
    try {
      await clickhouse.ping();
      return;
    } catch (error) {
      if (!isUnavailable(error))
        throw new ClickHouseStartError(`CLICKHOUSE_URL: ${refusal(error, address, pathname.slice(1))}`, error);
      const reason = `ClickHouse does not answer at ${address} (${reasonOf(error.cause)})`;
      if (performance.now() + betweenMs > deadline) {
        const seconds = Math.round(waitMs / 1000);
        throw new ClickHouseStartError(`CLICKHOUSE_URL: ${reason} after ${seconds} s; start it, or correct the URL`, error);
      }
      if (!reported) onWaiting(`CLICKHOUSE_URL: ${reason}; waiting up to ${Math.round(waitMs / 1000)} s for it`);
      await delay(betweenMs);
    }
  }
}

/** The operator's message for an error of the server, by error code. */
function refusal(error: unknown, address: string, database: string): string {
  switch ((error as { code?: unknown }).code) {
    case '81':
      return `ClickHouse at ${address} has no database ${database}; run CREATE DATABASE ${database} there, or name another one at the URL's end`;
    case '192':
    case '193':
    case '194':
    case '516':
      return `ClickHouse at ${address} refuses the URL's user or password; correct them, for example http://user:password@${new URL(address).host}`;
    case '497':
      return `ClickHouse at ${address} does not let the URL's user do this (${reasonOf(error)}); grant it, or give another user`;
    default:
      return `ClickHouse at ${address} cannot be used (${reasonOf(error)})`;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  const { code } = error as { code?: unknown };
  const text = error.message.split('\n', 1)[0]?.trim().slice(0, 200) ?? '';
  return text === '' && typeof code === 'string' ? code : text;
}
