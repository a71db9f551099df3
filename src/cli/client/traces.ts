import { dayMs, hourMs } from '../../contract/durations.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { largestLimit } from '../../contract/limits.ts';
import { traceSorts } from '../../contract/kinds.ts';
import type { ListedTrace, tracePage } from '../../contract/traces.ts';
import type { CommandIo } from './command-io.ts';
import { wholeNumberBetween } from './option-values.ts';
import { exitCodes, reporting } from './run-command.ts';
import { findProject, withServiceOptions } from './service/find-service.ts';
import type { ServiceFlags } from './service/find-service.ts';
import { painter } from './terminal/terminal.ts';
import { readPlace, writePlace } from './traces/list-place.ts';
import { traceTable } from './traces/trace-table.ts';

/** Traces of one run of the command. */
const maxTraces = 1_000;

const unitMs = { s: 1_000, m: 60_000, h: hourMs, d: dayMs, w: 604_800_000 } as const;

/** Filters that are sent as they are; all but the first two can be repeated. */
const filters = {
  filter: ['--filter <filter>', "in the language of docs/filter.md, such as 'status:error cost:>0.05'"],
  q: ['--q <text>', 'searched in names, inputs, outputs and errors; also finds beginnings of ids'],
  model: ['--model <model>', 'with a call of this model; repeated: of one of them'],
  agent: ['--agent <agent>', 'with a span of this agent; can be repeated'],
  session: ['--session <id>', 'of this session; can be repeated'],
  user: ['--user <id>', 'of this user; can be repeated'],
  environment: ['--environment <name>', 'of this environment; can be repeated'],
  tag: ['--tag <tag>', 'with this tag; can be repeated'],
} as const;
type Filter = keyof typeof filters;

interface TracesFlags extends ServiceFlags, Partial<Record<Exclude<Filter, 'q' | 'filter'>, string[]>> {
  filter?: string;
  q?: string;
  status?: string;
  last?: number;
  sort?: string;
  limit: number;
  cursor?: string;
}

/** `spanwise traces`: lists traces. */
export function tracesCommand(io: CommandIo): Command {
  const command = new Command('traces').description('List traces, newest first');
  for (const [name, [flags, description]] of Object.entries(filters)) {
    const option = new Option(flags, description);
    const isSingle = name === 'q' || name === 'filter';
    command.addOption(isSingle ? option : option.argParser((value: string, before?: string[]) => [...(before ?? []), value]));
  }
  command
    .addOption(new Option('--status <status>', 'error: at least one span failed').choices(['ok', 'error']))
    .option('--last <time>', 'started within this time, such as 30m, 1h or 7d; default: 30d', milliseconds)
    .addOption(new Option('--sort <order>', 'default: -startTime').choices(traceSorts))
    .option('--limit <n>', `at most so many, up to ${maxTraces}`, wholeNumberBetween(1, maxTraces), 20)
    .option('--cursor <cursor>', 'continue after an earlier list: its nextCursor');
  return withServiceOptions(command)
    .addHelpText(
      'after',
      '\nWith --json one object: {traces, nextCursor}, as GET /v1/projects/{id}/traces answers. With --last the cursor is for --cursor alone.',
    )
    .action((flags: TracesFlags) => reporting(io, flags, () => traces(io, flags)));
}

async function traces(io: CommandIo, flags: TracesFlags): Promise<number> {
  const { terminal, environment } = io;
  const { client, path } = await findProject(flags, environment);
  const begun = flags.cursor === undefined ? undefined : readPlace(flags.cursor);
  const fromMs = begun?.fromMs ?? (flags.last === undefined ? undefined : io.now() - flags.last);
  const query = queryOf(flags, fromMs);
  const found: ListedTrace[] = [];
  let cursor = begun?.cursor ?? null;
  do {
    query.set('limit', String(Math.min(largestLimit, flags.limit - found.length)));
    if (cursor !== null) query.set('cursor', cursor);
    const page = await client.json<z.output<typeof tracePage>>('GET', path(`/traces?${query}`));
    found.push(...page.traces);
    cursor = page.nextCursor;
  } while (cursor !== null && found.length < flags.limit);
  const nextCursor = writePlace({ cursor, fromMs });
  if (flags.json) terminal.print(JSON.stringify({ traces: found, nextCursor }));
  else if (found.length === 0) terminal.warn('no traces');
  else {
    for (const line of traceTable(found, painter(terminal.hasColors))) terminal.print(line);
    if (nextCursor !== null) terminal.warn(`there are more: --limit, or --cursor ${nextCursor}`);
  }
  return exitCodes.done;
}

function queryOf(flags: TracesFlags, fromMs: number | undefined): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of Object.keys(filters) as Filter[]) for (const value of [flags[name] ?? []].flat()) query.append(name, value);
  if (flags.status !== undefined) query.set('status', flags.status);
  if (flags.sort !== undefined) query.set('sort', flags.sort);
  if (fromMs !== undefined) query.set('from', new Date(fromMs).toISOString());
  return query;
}

function milliseconds(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit as keyof typeof unitMs] ?? 0);
  if (ms < 1 || ms > 3_650 * unitMs.d)
    throw new InvalidArgumentError('give a number with s, m, h, d or w, such as 30m, 1h or 7d');
  return ms;
}
