// Resources for a rate of spans: node scripts/run.mjs deploy/sizing.ts prints the table of deploy/README.md.
// Computed from figures of single machines (docs/performance.md). Rates above those of one machine were not measured.

/** Measured figures of one machine. */
export interface Measured {
  /** Spans a second that one replica of `coresPerReplica` cores writes to ClickHouse for an unlimited time, ClickHouse on the same cores. */
  spansPerReplica: number;
  coresPerReplica: number;
  /** CPU of ClickHouse for one span: inserting and merging its row and derived rows. Microseconds. */
  clickhouseMicros: number;
  /** Bytes of a span in the log, where requests stand as their senders compressed them. */
  logBytes: number;
  /** Bytes of a span in ClickHouse after merging, without payloads. */
  storedBytes: number;
}

/** docs/performance.md, 2026-11-21: lean spans, 8 a trace, on 2 cores shared with the sender. */
export const measured: Measured = {
  spansPerReplica: 23_500,
  coresPerReplica: 2,
  clickhouseMicros: 22,
  logBytes: 215,
  storedBytes: 82,
};

/** Planned share of the measured rates; the rest is for peaks, restarts and reads. */
const planned = 0.6;
/** 5 requests a second of at most 512 spans each (docs/semantics.md, "Rate limit" and "OTLP requests"). */
const spansPerKey = 5 * 512;
/** Time without ClickHouse that the log must hold, seconds. */
const outageSeconds = 3_600;
const clickhouseCoresPerNode = 16;
const secondsPerDay = 86_400;

export interface Sizing {
  spansPerSecond: number;
  replicas: number;
  replicaCores: number;
  /** Volume of each replica, for an hour without ClickHouse. */
  logGigabytes: number;
  clickhouseCores: number;
  clickhouseShards: number;
  /** A day, without payloads and replicas. */
  storedGigabytesPerDay: number;
  /** Smallest number of API keys whose rate limits allow the rate. */
  keys: number;
}

/** Resources for a constant rate. */
export function sizingOf(spansPerSecond: number, figures: Measured = measured): Sizing {
  const replicas = Math.max(2, Math.ceil(spansPerSecond / (figures.spansPerReplica * planned)));
  const clickhouseCores = Math.max(2, Math.ceil((spansPerSecond * figures.clickhouseMicros) / 1e6 / planned));
  return {
    spansPerSecond,
    replicas,
    replicaCores: replicas * figures.coresPerReplica,
    logGigabytes: Math.max(1, Math.ceil((spansPerSecond / replicas) * figures.logBytes * outageSeconds * 1e-9)),
    clickhouseCores,
    clickhouseShards: Math.ceil(clickhouseCores / clickhouseCoresPerNode),
    storedGigabytesPerDay: Math.ceil(spansPerSecond * figures.storedBytes * secondsPerDay * 1e-9),
    keys: Math.max(1, Math.ceil(spansPerSecond / spansPerKey)),
  };
}

/** The table of deploy/README.md. */
export function sizingTable(figures: Measured = measured): string {
  const heads = [
    'spans a second',
    'replicas',
    'their cores',
    'log volume each, GB',
    'ClickHouse cores',
    `shards of ${clickhouseCoresPerNode} cores`,
    'stored GB a day',
    'API keys, at least',
  ];
  const rows = [1_000, 10_000, 100_000, 1_000_000].map((rate) =>
    Object.values(sizingOf(rate, figures)).map((value: number) => value.toLocaleString('en')),
  );
  return [heads, heads.map(() => '---:'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

if (import.meta.main) process.stdout.write(`${sizingTable()}\n`);
