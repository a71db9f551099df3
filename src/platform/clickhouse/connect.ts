import { createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { createChdbConnection } from 'chdb/connection';
import { insertFromFile, insertOverHttp } from './insert-rows.ts';
import type { RowsInserter } from './insert-rows.ts';

type ChdbConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>;

interface Connections {
  readers: ClickHouseClient[];
  writer: ClickHouseClient;
  jobs: ClickHouseClient;
  inserter: RowsInserter;
}

/** What every statement runs under, in either mode: results must not depend on the machine's zone or on a server's defaults. */
const commonSettings = {
  session_timezone: 'UTC',
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
} as const;

/** One engine in this process, several connections to it: each runs its own statements in turn. */
export function openChdb(options: { dataDirectory: string; temporaryDirectory: string }, readConnections: number): Connections {
  const connect = () =>
    createClient({
      // The two packages each declare the connection's types; they are the same at run time.
      connection: createChdbConnection({ path: options.dataDirectory }) as unknown as ChdbConnection,
      clickhouse_settings: commonSettings,
    });
  return {
    readers: Array.from({ length: readConnections }, connect),
    writer: connect(),
    jobs: connect(),
    inserter: insertFromFile(options.temporaryDirectory),
  };
}

/** A ClickHouse server or cluster over HTTP; the client pools its sockets itself. */
export function openHttp(url: string): Connections {
  const connect = (requestTimeoutMs: number) =>
    createClient({
      url,
      request_timeout: requestTimeoutMs,
      max_open_connections: 8,
      compression: { request: false, response: false },
      clickhouse_settings: commonSettings,
      application: 'spanwise',
    });
  const reader = connect(30_000);
  return {
    readers: Array.from({ length: 8 }, () => reader),
    writer: connect(60_000),
    jobs: connect(300_000),
    inserter: insertOverHttp,
  };
}
