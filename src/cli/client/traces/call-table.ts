import type { ListedSpan } from '../../../contract/spans.ts';
import { visible } from '../terminal/terminal.ts';
import type { Paint } from '../terminal/terminal.ts';
import { counted, dollars, duration, moment } from './figures.ts';
import { cut, plainTable } from './plain-table.ts';

const headings = ['time (UTC)', 'trace', 'span', 'name', 'kind', 'status', 'model', 'latency', 'cost', 'tokens'];
const longest = 40;
/** Columns that hold numbers. */
const rightFrom = 7;

/** Spans as a table without lines, and a note where calls have no price. */
export function callTable(spans: readonly ListedSpan[], paint: Paint): string[] {
  const lines = plainTable(
    headings,
    rightFrom,
    spans.map((span) => cellsOf(span, paint)),
    paint,
  );
  return spans.some(isUnpriced) ? [...lines, paint('dim', '* calls of models that have no price')] : lines;
}

const isUnpriced = ({ isCall, costStatus }: ListedSpan): boolean => isCall && costStatus === 'unpriced';

function cellsOf(span: ListedSpan, paint: Paint): string[] {
  const { traceId, spanId, name, kind, startTime, durationMs, status, errorCode, model, costUsd, usage } = span;
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  return [
    moment(startTime),
    visible(traceId),
    visible(spanId),
    cut(visible(name), longest),
    kind,
    status === 'error' ? paint('red', cut(visible(errorCode ?? 'error'), longest)) : 'ok',
    model === null ? '-' : cut(visible(model), longest),
    duration(durationMs),
    costUsd === null ? (isUnpriced(span) ? '*' : '-') : dollars(costUsd),
    usage === null ? '-' : counted(tokens),
  ];
}
