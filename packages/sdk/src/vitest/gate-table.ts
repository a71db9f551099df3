import type { GateCheck, GateResult } from './gate-result.ts';

const headings = ['check', 'baseline', 'candidate', 'delta', 'limit', 'interval', 'verdict'];
/** Regressed items that are listed, and characters of their outputs. */
const [maxListed, maxOutput] = [10, 80];

/** The checks as a table, and the items that passed before, as text. */
export function gateTable({ checks, regressions, compared, onlyInOne }: GateResult): string {
  const rows = [headings, ...checks.map(cellsOf)];
  const widths = headings.map((_heading, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  lines.push('', `${compared} items compared${onlyInOne === 0 ? '' : `, ${onlyInOne} in one run alone`}.`);
  if (regressions.length > 0) lines.push('', 'Items that passed in the baseline:');
  for (const { datasetItemId, baseline, candidate } of regressions.slice(0, maxListed))
    lines.push(`  ${datasetItemId}: ${shown(baseline.output)} -> ${candidate.status} ${shown(candidate.output)}`);
  if (regressions.length > maxListed) lines.push(`  and ${regressions.length - maxListed} more`);
  return lines.join('\n');
}

function cellsOf({ name, baseline, candidate, delta, limit, ciLow, ciHigh, verdict, itemsNeeded }: GateCheck): string[] {
  const isRate = name !== 'p95_latency_increase' && name !== 'cost_increase';
  const figure = isRate ? percent : rounded;
  const interval =
    ciLow === null && ciHigh === null ? '-' : `${percent(ciLow)} .. ${ciHigh === null ? 'infinity' : percent(ciHigh)}`;
  const more = typeof itemsNeeded === 'number' ? ` (about ${itemsNeeded} items would decide)` : '';
  return [name, figure(baseline), figure(candidate), percent(delta), percent(limit), interval, verdict + more];
}

function percent(share: number | null): string {
  return share === null ? '-' : `${Number((share * 100).toPrecision(4))} %`;
}

function rounded(value: number | null): string {
  return value === null ? '-' : String(Number(value.toPrecision(4)));
}

/** The beginning of an output on one line. */
function shown(output: unknown): string {
  const text = (typeof output === 'string' ? output : (JSON.stringify(output) ?? '')).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return text.length > maxOutput ? `${text.slice(0, maxOutput)}…` : text;
}
