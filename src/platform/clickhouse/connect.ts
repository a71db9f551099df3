import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { createChdbConnection } from 'chdb/connection';
import { restoreDefaultSignals } from './default-signals.ts';
import { insertFromFile, insertOverHttp } from './insert-rows.ts';
import type { RowsInserter } from './insert-rows.ts';
import { Liveness } from './liveness.ts';
import { withoutRepeatedSettings } from './session-settings.ts';
import { ClickHouseStartError } from './start-error.ts';
import { withoutLeftovers } from './without-leftovers.ts';
import { InsertVerifier } from './verify-insert.ts';

interface Connections {
  readers: ClickHouseClient[];
  writer: ClickHouseClient;
  jobs: ClickHouseClient;
  inserter: RowsInserter;
  /** For the embedded engine; null over HTTP, where the server reports a failed write as an error. */
  verifier: InsertVerifier | null;
  /** null for the embedded engine. */
  liveness: Liveness | null;
  /** A connection by which reads are ended. */
  connectToEnd: () => ClickHouseClient;
  /** All connections, to be closed. */
  clients: ReadonlySet<ClickHouseClient>;
}

/** Settings of every statement: results must not depend on the machine's time zone or a server's defaults. */
const commonSettings = {
  session_timezone: 'UTC',
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
} as const;

/** One engine in this process with several connections; each runs one statement at a time. */
export function openChdb(options: { dataDirectory: string; temporaryDirectory: string }, readConnections: number): Connections {
  const connect = () =>
    createClient({
      connection: withoutRepeatedSettings(withoutLeftovers(createChdbConnection({ path: options.dataDirectory }))),
      // Parameters are part of a statement's text (with-literals.ts), and a look-up names thousands of ids.
      clickhouse_settings: { ...commonSettings, max_query_size: '1000000000' },
    });
  const verifier = new InsertVerifier();
  const readers = Array.from({ length: readConnections }, connect);
  const writer = connect();
  const jobs = connect();
  // Each time that the engine is opened it takes the signals.
  restoreDefaultSignals();
  const clients = new Set([...readers, writer, jobs]);
  return {
    readers,
    writer,
    jobs,
    inserter: insertFromFile(options.temporaryDirectory, verifier),
    verifier,
    liveness: null,
    connectToEnd: () => {
      const client = connect();
      clients.add(client);
      return client;
    },
    clients,
  };
}

/**
 * A ClickHouse server or cluster over HTTP; the client pools its sockets itself.
 *
 * Errors: {@link ClickHouseStartError} for a URL that the client cannot use.
 */
export function openHttp(url: string, cluster: string | null, readConnections: number): Connections {
  try {
    return overHttp(url, cluster, readConnections);
  } catch (cause) {
    throw new ClickHouseStartError(
      `CLICKHOUSE_URL cannot be used (${(cause as Error).message}); write it as http://user:password@host:8123/database, with % in user and password as %25`,
      cause,
    );
  }
}

function overHttp(url: string, cluster: string | null, readConnections: number): Connections {
  const connect = (requestTimeoutMs: number, settings: { wait_end_of_query?: 1 } = {}) =>
    createClient({
      url,
      request_timeout: requestTimeoutMs,
      max_open_connections: readConnections,
      compression: { request: false, response: false },
      clickhouse_settings: { ...commonSettings, ...settings },
      application: 'spanwise',
      // A batch looks up hundreds of ids at once: too much for the URL behind many a proxy.
      use_multipart_params_auto: true,
      // The client would print statements and parameters. Errors are returned to the caller.
      log: { level: ClickHouseLogLevel.OFF },
    });
  // The server sends a response when it is complete, so that an error midway is not a truncated response.
  const reader = connect(30_000, { wait_end_of_query: 1 });
  const writer = connect(60_000, { wait_end_of_query: 1 });
  const jobs = connect(300_000);
  const pinger = connect(10_000);
  return {
    readers: Array.from({ length: readConnections }, () => reader),
    writer,
    jobs,
    inserter: insertOverHttp(cluster),
    verifier: null,
    liveness: new Liveness(pinger),
    connectToEnd: () => pinger,
    clients: new Set([reader, writer, jobs, pinger]),
  };
}
