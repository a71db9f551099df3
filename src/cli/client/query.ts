import { Command } from 'commander';
import { csvLinesOf } from '../../contract/metrics/csv.ts';
import { maxMeasures } from '../../contract/metrics/query.ts';
import type { MetricAnswer, MetricValue } from '../../contract/metrics/query.ts';
import type { CommandIo } from './command-io.ts';
import { wholeNumberBetween } from './option-values.ts';
import { exitCodes, reporting } from './run-command.ts';
import { findProject, withServiceOptions } from './service/find-service.ts';
import type { ServiceFlags } from './service/find-service.ts';
import { Misuse } from './service/refusal.ts';
import { painter, visible } from './terminal/terminal.ts';
import { counted, dollars, duration, moment } from './traces/figures.ts';
import { cut, plainTable } from './traces/plain-table.ts';

interface QueryFlags extends ServiceFlags {
  on: string;
  measure: string[];
  by: string[];
  filter?: string;
  range?: string;
  from?: string;
  to?: string;
  interval?: string;
  limit: number;
  orderBy?: string;
  compare?: string;
  view?: string;
  csv?: boolean;
}

type Column = MetricAnswer['columns'][number];

const several = (text: string, earlier: string[] = []): string[] => [...earlier, ...text.split(',')];
const longest = 40;

/** `spanwise query`: figures by dimensions and time. */
export function queryCommand(io: CommandIo): Command {
  const command = new Command('query')
    .description('Figures of calls, spans or traces by dimensions and time')
    .option('--on <subject>', 'calls, spans or traces', 'calls')
    .option('--measure <measure>', 'such as cost, count or latency.p95; several: repeated, or with commas', several)
    .option('--by <field>', 'a field of the filter, hourOfDay or weekday; up to three', several)
    .option('--filter <filter>', "in the language of docs/filter.md, such as 'environment:prod'")
    .option('--range <range>', 'such as 7d, 24h or 30m; default: 30d')
    .option('--from <time>', 'start of the range, ISO 8601')
    .option('--to <time>', 'end of the range, ISO 8601; not in it')
    .option('--interval <interval>', 'auto, minute, 5m, 15m, hour, 6h, day, week or month: rows by time')
    .option('--limit <n>', 'at most so many groups, up to 1000', wholeNumberBetween(1, 1_000), 20)
    .option('--order-by <column>', 'a measure as --measure names it, or a field of --by, which is ascending')
    .option('--compare <range>', 'previous: the figures of the range before beside each')
    .option('--view <id>', 'also met by the filter of this saved view')
    .option('--csv', 'print CSV');
  return withServiceOptions(command)
    .addHelpText(
      'after',
      `\nWith --json the answer of POST /v1/projects/{id}/query.\n\n  spanwise query --by model --measure cost,latency.p95 --range 7d`,
    )
    .action((flags: QueryFlags) => reporting(io, flags, () => query(io, flags)));
}

async function query({ terminal, environment }: CommandIo, flags: QueryFlags): Promise<number> {
  if (flags.csv === true && flags.json === true) throw new Misuse('give --json or --csv, not both');
  const { client, path } = await findProject(flags, environment);
  const { on, measure = ['count'], by = [], filter, range, from, to, interval, limit, view } = flags;
  const measures = measure.map((text) => {
    const [name = '', aggregation] = text.split('.');
    return { measure: name, ...(aggregation === undefined ? {} : { aggregation }) };
  });
  const isTable = flags.json !== true && flags.csv !== true;
  // A cost without its unpriced calls would look like the whole.
  const isMarked =
    isTable && on === 'calls' && measures.length < maxMeasures && measures.some(({ measure: name }) => isCost(name));
  const answer = await client.json<MetricAnswer>('POST', path('/query'), {
    on,
    measures: isMarked ? [...measures, { measure: 'unpriced' }] : measures,
    by,
    filter,
    view,
    range,
    from,
    to,
    interval,
    limit,
    compareWith: flags.compare,
    orderBy: flags.orderBy === undefined ? undefined : orderOf(flags.orderBy, measure, by),
  });
  if (flags.json) terminal.print(JSON.stringify(answer));
  else if (flags.csv === true) for (const line of csvLinesOf(answer)) terminal.print(line.trimEnd());
  else if (answer.rows.length === 0) terminal.warn('nothing was found');
  else for (const line of tableOf(answer, isMarked, painter(terminal.hasColors))) terminal.print(line);
  return exitCodes.done;
}

const isCost = (name: string) => name.startsWith('cost');

function orderOf(column: string, measures: readonly string[], by: readonly string[]) {
  const index = measures.indexOf(column);
  if (index !== -1) return { measure: index };
  if (by.includes(column)) return { measure: column, direction: 'asc' };
  throw new Misuse(`--order-by ${column} is neither among --measure nor among --by`);
}

/** @param isMarked the last measure is the number of unpriced calls: a cost that lacks some has a mark instead */
function tableOf(answer: MetricAnswer, isMarked: boolean, paint: ReturnType<typeof painter>): string[] {
  const { columns, rows, other, totals } = answer;
  const keys = columns.filter(({ type }) => type !== 'number');
  const measures = columns.filter(({ type }) => type === 'number').slice(0, isMarked ? -1 : undefined);
  const isCompared = totals.previous !== undefined;
  const cells = (values: readonly MetricValue[] | undefined) => {
    const mark = isMarked && Number(values?.at(-1) ?? 0) > 0 ? '*' : '';
    return measures.map((column, index) => shown(column, values?.[index] ?? null) + (isCost(column.name) ? mark : ''));
  };
  const line = (labels: readonly string[], values: readonly MetricValue[], previous?: readonly MetricValue[]) => [
    ...labels,
    ...cells(values),
    ...(isCompared ? cells(previous) : []),
  ];
  const labelled = (label: string) => keys.map((_, index) => (index === 0 ? label : ''));
  const lines = rows.map((row) =>
    line(
      keys.map(({ name, type }) => label(row[name], type) + (type === 'time' && row.partial === true ? ' …' : '')),
      row.values,
      row.previous,
    ),
  );
  const rest = other === null ? [] : [line(labelled(`other (${counted(other.groups)})`), other.values)];
  const sum = keys.length === 0 || rows.length === 1 ? [] : [line(labelled('total'), totals.values, totals.previous)];
  const table = plainTable(
    [...keys, ...measures].map(({ name }) => name).concat(isCompared ? measures.map(({ name }) => `${name} before`) : []),
    keys.length,
    [...lines, ...rest, ...sum],
    paint,
  );
  const notes = [
    ...(isMarked && Number(totals.values.at(-1)) > 0 ? ['* with calls that have no price, or a price in part'] : []),
    ...(rows.some(({ partial }) => partial) ? ['… cut by the range, or not over yet'] : []),
  ];
  return [...table, ...notes.map((note) => paint('dim', note))];
}

function label(value: unknown, type: Column['type']): string {
  if (typeof value !== 'string') return '-';
  return type === 'time' ? moment(value) : cut(visible(value), longest);
}

function shown({ unit }: Column, value: MetricValue): string {
  if (value === null) return '-';
  if (typeof value === 'object')
    return value.bins
      .filter(({ count }) => count > 0)
      .map(({ from, count }) => `${Number(from.toPrecision(3))}: ${counted(count)}`)
      .join(', ');
  switch (unit) {
    case 'usd':
      return dollars(value);
    case 'ms':
      return duration(value);
    case 'ratio':
      return `${(value * 100).toFixed(1)} %`;
    case 'count':
    case 'tokens':
      return counted(value);
    default:
      return String(Number(value.toPrecision(4)));
  }
}
