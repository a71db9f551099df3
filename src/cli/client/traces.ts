import { Command, Option } from 'commander';
import type { z } from 'zod';
import { recordColumns } from '../../contract/csv.ts';
import { traceSorts } from '../../contract/kinds.ts';
import type { tracePage } from '../../contract/traces.ts';
import type { CommandIo } from './command-io.ts';
import { reporting } from './run-command.ts';
import { withServiceOptions } from './service/find-service.ts';
import { painter } from './terminal/terminal.ts';
import { listRecords, withListOptions } from './traces/list-records.ts';
import type { ListFlags } from './traces/list-records.ts';
import { traceTable } from './traces/trace-table.ts';

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

interface TracesFlags extends ListFlags, Partial<Record<Exclude<Filter, 'q' | 'filter'>, string[]>> {
  filter?: string;
  q?: string;
  status?: string;
  sort?: string;
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
    .option('--sort <order>', `${traceSorts.join(', ')} or [-]score.<evaluator>; default: -startTime`);
  return withServiceOptions(withListOptions(command))
    .addHelpText(
      'after',
      '\nWith --json one object: {traces, nextCursor}, as GET /v1/projects/{id}/traces answers. With --last the cursor is for --cursor alone.',
    )
    .action((flags: TracesFlags) => reporting(io, flags, () => traces(io, flags)));
}

async function traces(io: CommandIo, flags: TracesFlags): Promise<number> {
  return listRecords(io, flags, queryOf(flags), {
    path: '/traces',
    on: 'traces',
    columns: recordColumns.traces,
    none: 'no traces',
    read: (page: z.output<typeof tracePage>) => page.traces,
    json: (found, nextCursor) => ({ traces: found, nextCursor }),
    table: (found) => traceTable(found, painter(io.terminal.hasColors)),
  });
}

function queryOf(flags: TracesFlags): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of Object.keys(filters) as Filter[]) for (const value of [flags[name] ?? []].flat()) query.append(name, value);
  if (flags.status !== undefined) query.set('status', flags.status);
  if (flags.sort !== undefined) query.set('sort', flags.sort);
  return query;
}
