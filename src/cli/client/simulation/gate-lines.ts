import type { GateCheck, GateVerdict } from '../../../contract/simulation-gate.ts';
import { visible } from '../terminal/terminal.ts';
import type { Paint } from '../terminal/terminal.ts';
import { numberOf } from '../traces/figures.ts';
import type { GateReport } from './gate-report.ts';

/** Characters of an output that a report shows. */
const maxOutput = 80;
/** Regressed items that a report lists. */
const maxListed = 20;

const colors = { pass: 'green', fail: 'red', inconclusive: 'yellow' } as const;
const headings = ['check', 'baseline', 'candidate', 'delta', 'limit', 'interval', 'verdict'];

/** What the command prints: a table of checks, and the regressed items with links. */
export function gateLines(report: GateReport, paint: Paint): string[] {
  const { candidate, result } = report;
  const rows = result.checks.map(cellsOf);
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const verdict = `${visible(candidate.scenarioName)}: ${decisionOf(report)}`;
  return [
    paint('bold', line(headings)),
    ...rows.map((row, index) => paint(colors[result.checks[index]?.verdict ?? 'fail'], line(row))),
    ...regressionLines(report),
    paint(result.passed ? 'green' : 'red', verdict),
  ];
}

/** The same as Markdown, for GitHub's summary of a job. */
export function markdownOf(report: GateReport): string {
  const { candidate, result, regressions } = report;
  const row = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  const listed = regressions.slice(0, maxListed).map(({ datasetItemId, input, baseline, candidate: now, url }) => {
    const name = input === null ? `\`${datasetItemId}\`` : escaped(shortened(visible(input)));
    const item = url === null ? name : `[${name}](${url})`;
    return `| ${item} | ${escaped(shown(baseline.output))} | ${escaped(`${now.status} ${shown(now.output)}`)} |`;
  });
  return [
    `### ${escaped(visible(candidate.scenarioName))}: ${escaped(decisionOf(report))}`,
    '',
    row(headings),
    `|${' --- |'.repeat(headings.length)}`,
    ...result.checks.map((check) => row(cellsOf(check))),
    '',
    ...(listed.length === 0
      ? []
      : [`${countOf(regressions.length)}:`, '', '| item | baseline | candidate |', '| --- | --- | --- |', ...listed, '']),
    '',
  ].join('\n');
}

/** One sentence about the decision. */
export function decisionOf({ result: { passed, verdict, compared, onlyInOne } }: Pick<GateReport, 'result'>): string {
  const words: Record<GateVerdict, string> = { pass: 'passed', fail: 'refused', inconclusive: 'inconclusive' };
  const treated = verdict === 'inconclusive' ? `, which counts as ${passed ? 'passed' : 'refused'}` : '';
  const alone = onlyInOne === 0 ? '' : `, ${onlyInOne} in one run alone`;
  return `${words[verdict]}${treated} (${numberOf(compared, 'item')} compared${alone})`;
}

function cellsOf(check: GateCheck): string[] {
  const { name, baseline, candidate, delta, limit, ciLow, ciHigh, verdict, itemsNeeded } = check;
  const isRate = name !== 'p95_latency_increase' && name !== 'cost_increase';
  const figure = (value: number | null) => (value === null ? '-' : isRate ? percent(value) : rounded(value));
  const interval =
    ciLow === null && ciHigh === null ? '-' : `${percent(ciLow)} .. ${ciHigh === null ? 'infinity' : percent(ciHigh)}`;
  const more = typeof itemsNeeded === 'number' ? ` (about ${itemsNeeded} items would decide)` : '';
  return [name, figure(baseline), figure(candidate), percent(delta), percent(limit), interval, `${verdict}${more}`];
}

function percent(share: number | null): string {
  return share === null ? '-' : `${rounded(share * 100)} %`;
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function regressionLines({ regressions }: GateReport): string[] {
  if (regressions.length === 0) return [''];
  const listed = regressions
    .slice(0, maxListed)
    .flatMap(({ datasetItemId, input, baseline, candidate, url }) => [
      `  ${input === null ? datasetItemId : shortened(visible(input))}  ${candidate.status}${url === null ? '' : `  ${url}`}`,
      `    baseline:  ${shown(baseline.output)}`,
      `    candidate: ${shown(candidate.output)}`,
    ]);
  const more = regressions.length > maxListed ? [`  and ${regressions.length - maxListed} more`] : [];
  return ['', `${countOf(regressions.length)}:`, ...listed, ...more, ''];
}

function countOf(regressions: number): string {
  return regressions === 1 ? '1 item passed before and does not now' : `${regressions} items passed before and do not now`;
}

function shown(output: unknown): string {
  return shortened(visible(JSON.stringify(output) ?? ''));
}

function shortened(text: string): string {
  return text.length <= maxOutput ? text : `${text.slice(0, maxOutput - 1)}…`;
}

/** Text of others in a Markdown table. An underscore inside a word has no meaning in GitHub's Markdown, and names of checks have some. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*[\]<>|#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, (character) => `\\${character}`);
}
