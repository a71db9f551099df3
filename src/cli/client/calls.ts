import { Command } from 'commander';
import type { z } from 'zod';
import { recordColumns } from '../../contract/csv.ts';
import type { spanPage } from '../../contract/spans.ts';
import type { CommandIo } from './command-io.ts';
import { reporting } from './run-command.ts';
import { withServiceOptions } from './service/find-service.ts';
import { painter } from './terminal/terminal.ts';
import { callTable } from './traces/call-table.ts';
import { listRecords, withListOptions } from './traces/list-records.ts';
import type { ListFlags } from './traces/list-records.ts';

interface CallsFlags extends ListFlags {
  filter?: string;
  roots?: boolean;
  sort?: string;
}

/** `spanwise calls`: lists spans. */
export function callsCommand(io: CommandIo): Command {
  const command = new Command('calls')
    .description('List calls and other spans, newest first')
    .option('--filter <filter>', "in the language of docs/filter.md, such as 'kind:llm latency:>2s'")
    .option('--roots', 'spans without a parent alone')
    .option(
      '--sort <order>',
      'startTime, latency, cost, tokens, ttft or score.<evaluator>; with - descending; default: -startTime',
    );
  return withServiceOptions(withListOptions(command))
    .addHelpText(
      'after',
      '\nWith --json one object: {spans, nextCursor}, as GET /v1/projects/{id}/spans answers. With --last the cursor is for --cursor alone.',
    )
    .action((flags: CallsFlags) => reporting(io, flags, () => calls(io, flags)));
}

function calls(io: CommandIo, flags: CallsFlags): Promise<number> {
  const query = new URLSearchParams();
  if (flags.filter !== undefined) query.set('filter', flags.filter);
  if (flags.roots === true) query.set('roots', 'true');
  if (flags.sort !== undefined) query.set('sort', flags.sort);
  return listRecords(io, flags, query, {
    path: '/spans',
    on: 'spans',
    columns: recordColumns.spans,
    none: 'no spans',
    read: (page: z.output<typeof spanPage>) => page.spans,
    json: (found, nextCursor) => ({ spans: found, nextCursor }),
    table: (found) => callTable(found, painter(io.terminal.hasColors)),
  });
}
