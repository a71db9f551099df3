import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';

/** Prompts that traces name on their spans. */
export interface PromptUsage {
  /** The traces that are stored, in the order given. */
  traceIds: string[];
  /** Names of prompts, that of most spans first, then by name. */
  names: string[];
  /** Version numbers of a prompt, that of most spans first, then the newest. */
  versionsOf(name: string): number[];
  /** The traces of {@link traceIds} of which a span names the prompt. */
  tracesOf(name: string): string[];
}

interface UsageRow {
  trace_id: string;
  name: string;
  version: string;
  spans: number;
}

/** Prompt versions of one trace that are counted. */
const maxVersions = 500;

const promptUsageSql = `SELECT trace_id, prompt_name AS name, prompt_version AS version, count() AS spans
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
GROUP BY trace_id, prompt_name, prompt_version
ORDER BY trace_id, spans DESC, name, version
LIMIT ${maxVersions} BY trace_id`;

/** Spans carry versions as text; those of this service are numbers without leading zeros. */
const versionPattern = /^[1-9]\d{0,8}$/;

/** Counts the spans of traces by prompt and version. */
export async function readPromptUsage(reader: TenantReader, traceIds: readonly string[]): Promise<PromptUsage> {
  const rows = traceIds.length === 0 ? [] : await reader.query<UsageRow>(promptUsageSql, { traces: [...traceIds] });
  const stored = new Set(rows.map((row) => row.trace_id));
  const named = rows.filter(({ name }) => name !== '');
  const names = [...sumBy(named, ({ name }) => name)]
    .toSorted(([left, some], [right, others]) => others - some || compareCodePoints(left, right))
    .map(([name]) => name);
  const present = traceIds.filter((traceId) => stored.has(traceId));
  return {
    traceIds: present,
    names,
    versionsOf: (name) => {
      const versions = named.filter((row) => row.name === name && versionPattern.test(row.version));
      return [...sumBy(versions, ({ version }) => Number(version))]
        .toSorted(([left, some], [right, others]) => others - some || right - left)
        .map(([version]) => version);
    },
    tracesOf: (name) => {
      const using = new Set(named.filter((row) => row.name === name).map((row) => row.trace_id));
      return present.filter((traceId) => using.has(traceId));
    },
  };
}

function sumBy<Key>(rows: readonly UsageRow[], keyOf: (row: UsageRow) => Key): Map<Key, number> {
  const sums = new Map<Key, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.spans);
  return sums;
}
