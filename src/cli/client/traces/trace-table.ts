import Table from 'cli-table3';
import type { ListedTrace } from '../../../contract/traces.ts';
import { visible } from '../terminal/terminal.ts';
import type { Paint } from '../terminal/terminal.ts';
import { counted, dollars, duration, moment } from './figures.ts';

const headings = ['time (UTC)', 'trace', 'name', 'status', 'models', 'latency', 'cost', 'tokens'];
const maxName = 40;
const maxModels = 40;
/** Columns that hold numbers. */
const rightFrom = 5;

const borders = ['top', 'bottom', 'left', 'mid', 'right'].flatMap((side) => [
  side,
  `${side}-mid`,
  `${side}-left`,
  `${side}-right`,
]);
/** Columns are set apart by spaces alone. */
const noLines = { ...Object.fromEntries(borders.map((border) => [border, ''])), middle: '  ' };

/** Traces as a table without lines, and a note where calls have no price. */
export function traceTable(traces: readonly ListedTrace[], paint: Paint): string[] {
  const table = new Table({
    head: headings.map((heading) => paint('bold', heading)),
    chars: noLines,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: headings.map((_, column) => (column >= rightFrom ? 'right' : 'left')),
  });
  for (const trace of traces) table.push(cellsOf(trace, paint));
  const lines = table.toString().split('\n');
  const unpriced = traces.some(({ unpricedCalls }) => unpricedCalls > 0);
  return [
    ...lines.map((line) => line.trimEnd()),
    ...(unpriced ? [paint('dim', '* with calls of models that have no price, which add nothing')] : []),
  ];
}

function cellsOf(trace: ListedTrace, paint: Paint): string[] {
  const { traceId, name, startTime, durationMs, status, models, costUsd, unpricedCalls, inputTokens, outputTokens, error } =
    trace;
  return [
    moment(startTime),
    visible(traceId),
    cut(visible(name ?? '-'), maxName),
    status === 'ok'
      ? 'ok'
      : paint('red', error?.code === undefined || error.code === null ? 'error' : cut(visible(error.code), maxName)),
    cut(models.map(visible).join(', ') || '-', maxModels),
    duration(durationMs),
    `${dollars(costUsd)}${unpricedCalls > 0 ? '*' : ''}`,
    counted(inputTokens + outputTokens),
  ];
}

function cut(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join('')}…`;
}
