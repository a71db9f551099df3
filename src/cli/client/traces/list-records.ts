import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { csvLine } from '../../../contract/csv.ts';
import { dayMs, hourMs } from '../../../contract/durations.ts';
import { largestLimit } from '../../../contract/limits.ts';
import type { ViewSubject } from '../../../contract/views.ts';
import type { CommandIo } from '../command-io.ts';
import { wholeNumberBetween } from '../option-values.ts';
import { exitCodes } from '../run-command.ts';
import { findProject } from '../service/find-service.ts';
import type { ServiceFlags } from '../service/find-service.ts';
import { Misuse } from '../service/refusal.ts';
import { readPlace, writePlace } from './list-place.ts';
import { viewIdOf } from './view-id.ts';

/** Records of one run of a command. */
const maxRecords = 1_000;

const unitMs = { s: 1_000, m: 60_000, h: hourMs, d: dayMs, w: 604_800_000 } as const;

/** The options of every list. */
export interface ListFlags extends ServiceFlags {
  last?: number;
  limit: number;
  cursor?: string;
  view?: string;
  csv?: boolean;
}

/** Adds the options of {@link ListFlags}. */
export function withListOptions(command: Command): Command {
  return command
    .option('--last <time>', 'started within this time, such as 30m, 1h or 7d; default: 30d', milliseconds)
    .option('--limit <n>', `at most so many, up to ${maxRecords}`, wholeNumberBetween(1, maxRecords), 20)
    .option('--cursor <cursor>', 'continue after an earlier list: its nextCursor')
    .option('--view <view>', 'also met by the filter of this saved view of the list: its id or name')
    .option('--csv', 'print CSV');
}

/** What a command lists. */
export interface RecordList<Page extends { nextCursor: string | null }, Listed extends object> {
  /** Of the list, in the project. */
  path: string;
  /** What its saved views are of. */
  on: ViewSubject;
  /** The fields that `--csv` prints. */
  columns: readonly string[];
  /** Said when nothing was found. */
  none: string;
  read(page: Page): Listed[];
  json(found: readonly Listed[], nextCursor: string | null): unknown;
  table(found: readonly Listed[]): string[];
}

/** Reads a list in pages and prints it as a table, as JSON or as CSV. */
export async function listRecords<Page extends { nextCursor: string | null }, Listed extends object>(
  { terminal, environment, now }: CommandIo,
  flags: ListFlags,
  query: URLSearchParams,
  list: RecordList<Page, Listed>,
): Promise<number> {
  if (flags.csv === true && flags.json === true) throw new Misuse('give --json or --csv, not both');
  const { client, path } = await findProject(flags, environment);
  const begun = flags.cursor === undefined ? undefined : readPlace(flags.cursor);
  const fromMs = begun?.fromMs ?? (flags.last === undefined ? undefined : now() - flags.last);
  if (fromMs !== undefined) query.set('from', new Date(fromMs).toISOString());
  if (flags.view !== undefined) query.set('view', await viewIdOf(flags.view, list.on, { client, path }));
  const found: Listed[] = [];
  let cursor = begun?.cursor ?? null;
  do {
    query.set('limit', String(Math.min(largestLimit, flags.limit - found.length)));
    if (cursor !== null) query.set('cursor', cursor);
    const page = await client.json<Page>('GET', path(`${list.path}?${query}`));
    found.push(...list.read(page));
    cursor = page.nextCursor;
  } while (cursor !== null && found.length < flags.limit);
  const nextCursor = writePlace({ cursor, fromMs });
  if (flags.json) terminal.print(JSON.stringify(list.json(found, nextCursor)));
  else if (flags.csv === true) {
    terminal.print(csvLine(list.columns).trimEnd());
    for (const record of found) terminal.print(csvRecord(list.columns, record));
  } else if (found.length === 0) terminal.warn(list.none);
  else for (const line of list.table(found)) terminal.print(line);
  if (!flags.json && nextCursor !== null && found.length > 0) terminal.warn(`there are more: --limit, or --cursor ${nextCursor}`);
  return exitCodes.done;
}

/** A line of CSV without its end, which the terminal adds. */
function csvRecord(columns: readonly string[], record: object): string {
  const fields = new Map(Object.entries(record));
  return csvLine(columns.map((column) => fields.get(column) as unknown)).slice(0, -1);
}

function milliseconds(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit as keyof typeof unitMs] ?? 0);
  if (ms < 1 || ms > 3_650 * unitMs.d)
    throw new InvalidArgumentError('give a number with s, m, h, d or w, such as 30m, 1h or 7d');
  return ms;
}
