import type { ListedTrace } from '../../../contract/traces.ts';
import { visible } from '../terminal/terminal.ts';
import type { Paint } from '../terminal/terminal.ts';
import { cut, plainTable } from './plain-table.ts';
import { counted, dollars, duration, moment } from './figures.ts';

const headings = ['time (UTC)', 'trace', 'name', 'status', 'models', 'latency', 'cost', 'tokens'];
const maxName = 40;
const maxModels = 40;
/** Columns that hold numbers. */
const rightFrom = 5;

/** Traces as a table without lines, and a note where calls have no price. */
export function traceTable(traces: readonly ListedTrace[], paint: Paint): string[] {
  const lines = plainTable(
    headings,
    rightFrom,
    traces.map((trace) => cellsOf(trace, paint)),
    paint,
  );
  const unpriced = traces.some(({ unpricedCalls }) => unpricedCalls > 0);
  return [...lines, ...(unpriced ? [paint('dim', '* with calls of models that have no price, which add nothing')] : [])];
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
