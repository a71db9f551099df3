import { Command } from 'commander';
import type { BatchRun, Scenario } from '../../contract/simulations.ts';
import { visible } from './terminal/terminal.ts';
import { Refusal } from './service/refusal.ts';
import type { CommandIo } from './command-io.ts';
import { wholeNumberBetween } from './option-values.ts';
import { exitCodes, reporting } from './run-command.ts';
import { findProject, withServiceOptions } from './service/find-service.ts';
import type { ProjectClient, ServiceFlags } from './service/find-service.ts';
import { awaitRun } from './simulation/await-run.ts';
import { numberOf } from './traces/figures.ts';

interface SimulateFlags extends ServiceFlags {
  label?: string;
  concurrency?: number;
  repetitions?: number;
  wait?: boolean;
}

/** `spanwise simulate`: starts a batch run of a scenario. */
export function simulateCommand(io: CommandIo): Command {
  return withServiceOptions(new Command('simulate').description('Start a batch run of a scenario, and print its id'))
    .argument('<scenario>', 'its name or id')
    .option('--label <label>', 'to find the run again, for example the name of a branch')
    .option('--concurrency <n>', 'items that are sent at the same time, 1 to 32', wholeNumberBetween(1, 32))
    .option('--repetitions <n>', 'how often each item is sent, 1 to 10', wholeNumberBetween(1, 10))
    .option('--wait', 'wait until the run has ended')
    .addHelpText(
      'after',
      '\nExit codes: 0 started, or completed with --wait; 1 it failed or was cancelled, or every item is an error; 2 usage, or no answer.',
    )
    .action((scenario: string, flags: SimulateFlags) =>
      reporting(io, flags, () => simulate(io, scenario, flags), { exitCodeOf: () => exitCodes.usage }),
    );
}

async function simulate(io: CommandIo, scenario: string, flags: SimulateFlags): Promise<number> {
  const project = await findProject(flags, io.environment);
  const { label, concurrency, repetitions } = flags;
  const body = {
    scenarioId: await scenarioId(project, scenario),
    ...(label === undefined ? {} : { label }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(repetitions === undefined ? {} : { repetitions }),
  };
  const { batchRun: started } = await project.client.json<{ batchRun: BatchRun }>(
    'POST',
    project.path('/simulations/batch-runs'),
    body,
  );
  const run = flags.wait ? await awaitRun(io, project, started.id) : started;
  io.terminal.print(flags.json ? JSON.stringify(run) : run.id);
  io.terminal.warn(summaryOf(run));
  const { total, error } = run.counts;
  const onlyErrors = run.status === 'completed' && total > 0 && error === total;
  return run.status === 'failed' || run.status === 'cancelled' || onlyErrors ? exitCodes.refused : exitCodes.done;
}

/** One line about a run. */
function summaryOf({ scenarioName, status, counts, error, url }: BatchRun): string {
  const { total, passed, failed, error: errors } = counts;
  const figures = `${passed} of ${numberOf(total, 'item')} passed, ${failed} failed, ${numberOf(errors, 'error')}`;
  const why = error === null ? '' : ` ${visible(error)}`;
  return `${visible(scenarioName)}: ${status}; ${figures}.${why}${url === null ? '' : ` ${url}`}`;
}

/** The id of a scenario given by name or id. */
async function scenarioId({ client, path }: ProjectClient, scenario: string): Promise<string> {
  const query = `/simulations/scenarios?name=${encodeURIComponent(scenario)}`;
  const { scenarios } = await client.json<{ scenarios: Scenario[] }>('GET', path(query));
  const [named] = scenarios;
  if (named) return named.id;
  try {
    return (await client.json<Scenario>('GET', path(`/simulations/scenarios/${encodeURIComponent(scenario)}`))).id;
  } catch (error) {
    if (error instanceof Refusal && error.detail['status'] === 404)
      throw new Refusal(`the project has no scenario ${scenario}; check its name`, error.detail);
    throw error;
  }
}
