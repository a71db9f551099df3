// How much of what a rate takes: node scripts/run.mjs deploy/sizing.ts
// Computed from figures that were measured on single machines (docs/performance.md); a rate beyond one machine's was never run.

/** What was measured. */
export interface Measured {
  /** Spans a second that one replica of `coresPerReplica` brings all the way into ClickHouse, lastingly, ClickHouse's own work included. */
  spansPerReplica: number;
  coresPerReplica: number;
  /** CPU of ClickHouse for one span: its row, its derived rows, and merging both. Microseconds. */
  clickhouseMicros: number;
  /** Of a request in the log, compressed by its sender; bytes a span. */
  logBytes: number;
  /** In ClickHouse after merging; bytes a span without payloads. */
  storedBytes: number;
}

/** From docs/performance.md, 2026-11-21, lean spans of 8 a trace on 2 cores, which the sender shared. */
export const measured: Measured = {
  spansPerReplica: 23_500,
  coresPerReplica: 2,
  clickhouseMicros: 22,
  logBytes: 215,
  storedBytes: 82,
};

/** How much of what was measured is planned for: the rest is for peaks, restarts and reads. */
const planned = 0.6;
/** One API key: 5 requests a second of at most 512 spans (contract section 3). */
const spansPerKey = 5 * 512;
/** How long the log is to last while ClickHouse is away, seconds. */
const outageSeconds = 3_600;
const clickhouseCoresPerNode = 16;
const secondsPerDay = 86_400;

export interface Sizing {
  spansPerSecond: number;
  replicas: number;
  replicaCores: number;
  /** Of each replica's volume, for an hour without ClickHouse. */
  logGigabytes: number;
  clickhouseCores: number;
  clickhouseShards: number;
  /** Without payloads and copies, a day. */
  storedGigabytesPerDay: number;
  /** Fewest API keys that may send so much. */
  keys: number;
}

/** What a lasting rate takes. */
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
