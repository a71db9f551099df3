import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import type { ClickHouse } from './clickhouse.ts';

/** ClickHouse cannot be used as the settings say; the message tells the operator what to do. Shown without its stack. */
export class ClickHouseStartError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ClickHouseStartError';
  }
}

export interface AwaitOptions {
  /** As given in CLICKHOUSE_URL; its user and password are not repeated. */
  url: string;
  /** How long to wait for a server that does not answer. One that answers and refuses is not waited for. */
  waitMs: number;
  /** Told once, with one sentence, when there is something to wait for. */
  onWaiting(message: string): void;
}

const betweenMs = 500;

/**
 * Resolves when a ClickHouse server answers. Machines and containers start in any order, so that a server which is not there yet is
 * waited for; not for ever, since whoever starts this service wants to be told.
 *
 * Errors: {@link ClickHouseStartError} in one line that names CLICKHOUSE_URL.
 */
export async function awaitClickHouse(clickhouse: ClickHouse, { url, waitMs, onWaiting }: AwaitOptions): Promise<void> {
  const { protocol, host, pathname } = new URL(url);
  const address = `${protocol}//${host}`;
  const deadline = performance.now() + waitMs;
  for (let told = false; ; told = true) {
    try {
      await clickhouse.ping();
      return;
    } catch (error) {
      if (!isAway(error)) throw new ClickHouseStartError(`CLICKHOUSE_URL: ${refusal(error, address, pathname.slice(1))}`, error);
      const reason = `ClickHouse does not answer at ${address} (${reasonOf(error.cause)})`;
      if (performance.now() + betweenMs > deadline) {
        const seconds = Math.round(waitMs / 1000);
        throw new ClickHouseStartError(`CLICKHOUSE_URL: ${reason} after ${seconds} s; start it, or correct the URL`, error);
      }
      if (!told) onWaiting(`CLICKHOUSE_URL: ${reason}; waiting up to ${Math.round(waitMs / 1000)} s for it`);
      await delay(betweenMs);
    }
  }
}

function isAway(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'unavailable';
}

/** What the engine's refusals mean to an operator, by code. */
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
