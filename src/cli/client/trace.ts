import { Command } from 'commander';
import type { CommandIo } from './command-io.ts';
import { exitCodes, reporting } from './run-command.ts';
import { findProject, withServiceOptions } from './service/find-service.ts';
import type { ServiceFlags } from './service/find-service.ts';
import { painter } from './terminal/terminal.ts';
import { traceTree } from './traces/trace-tree.ts';
import type { TraceAnswer } from './traces/trace-tree.ts';

interface TraceFlags extends ServiceFlags {
  payloads?: boolean;
}

/** `spanwise trace ID`: shows the spans of a trace as a tree. */
export function traceCommand(io: CommandIo): Command {
  const command = new Command('trace')
    .description('Show a trace: its spans as a tree with durations, models, costs and errors, its scores and outcomes')
    .argument('<id>', 'the id of the trace')
    .option('--payloads', 'with inputs and outputs');
  return withServiceOptions(command)
    .addHelpText('after', '\nWith --json the answer of GET /v1/projects/{id}/traces/{traceId}.')
    .action((id: string, flags: TraceFlags) => reporting(io, flags, () => trace(io, id, flags)));
}

async function trace({ environment, terminal }: CommandIo, id: string, flags: TraceFlags): Promise<number> {
  const { client, path } = await findProject(flags, environment);
  const { payloads = false } = flags;
  const answer = await client.json<TraceAnswer>(
    'GET',
    path(`/traces/${encodeURIComponent(id)}?payloads=${payloads ? 'full' : 'none'}`),
  );
  if (flags.json) terminal.print(JSON.stringify(answer));
  else for (const line of traceTree(answer, painter(terminal.hasColors), payloads)) terminal.print(line);
  return exitCodes.done;
}
