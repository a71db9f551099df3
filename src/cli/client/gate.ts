import { Command, Option } from 'commander';
import type { GateBody, GatePending, GateResult } from '../../contract/simulation-gate.ts';
import type { BatchRun } from '../../contract/simulations.ts';
import { painter, visible } from './terminal/terminal.ts';
import { Refusal } from './service/refusal.ts';
import type { CommandIo } from './command-io.ts';
import { numberBetween } from './option-values.ts';
import { exitCodes, reporting } from './run-command.ts';
import { findProject, withServiceOptions } from './service/find-service.ts';
import type { ProjectClient, ServiceFlags } from './service/find-service.ts';
import { patiently, pollAfter } from './simulation/await-run.ts';
import { regressionLinks } from './simulation/regression-links.ts';
import { gateLines, markdownOf } from './simulation/gate-lines.ts';
import type { GateReport } from './simulation/gate-report.ts';
import { junitOf } from './simulation/junit.ts';
import { appendText, writeText } from './simulation/write-text.ts';

interface GateFlags extends ServiceFlags {
  baseline?: string;
  baselineLabel?: string;
  maxPassRateDrop?: number;
  minPassRate?: number;
  maxErrorRate?: number;
  maxP95LatencyIncrease?: number;
  maxCostIncrease?: number;
  confidence: number;
  point?: boolean;
  onInconclusive: GateBody['onInconclusive'];
  junit?: string;
}

const maxIncrease = 1_000_000;

/** `spanwise gate`: compares a batch run with a baseline. */
export function gateCommand(io: CommandIo): Command {
  return withServiceOptions(
    new Command('gate').description('Compare a batch run with a baseline, and exit with 1 where it is worse than allowed'),
  )
    .argument('<candidate>', 'the id of the batch run; waits until it has ended')
    .addOption(new Option('--baseline <id>', 'the batch run to compare with').conflicts('baselineLabel'))
    .option('--baseline-label <label>', 'the newest completed run of the scenario with this label')
    .option('--max-pass-rate-drop <share>', 'default: 0', numberBetween(-1, 1))
    .option('--min-pass-rate <share>', '', numberBetween(0, 1))
    .option('--max-error-rate <share>', '', numberBetween(0, 1))
    .option('--max-p95-latency-increase <share>', '0.2: 20 %', numberBetween(-1, maxIncrease))
    .option('--max-cost-increase <share>', 'of the mean cost of an item', numberBetween(-1, maxIncrease))
    .option('--confidence <share>', 'of the intervals, 0.8 to 0.99', numberBetween(0.8, 0.99), 0.95)
    .addOption(new Option('--point', 'compare the figures themselves, without intervals').conflicts('confidence'))
    .addOption(
      new Option('--on-inconclusive <what>', 'what a check is whose interval has the limit in it; point: as its figure is')
        .choices(['pass', 'fail', 'point'])
        .default('point'),
    )
    .option('--junit <file>', 'write the checks and the regressed items as JUnit XML')
    .addHelpText(
      'after',
      '\nExit codes: 0 passed, 1 refused, 2 usage or no answer, 3 inconclusive and not passed.' +
        '\nIn GitHub Actions the table is added to the summary of the job ($GITHUB_STEP_SUMMARY).',
    )
    .action((candidate: string, flags: GateFlags) =>
      // 1 means that the gate refused the candidate.
      reporting(io, flags, () => gate(io, candidate, flags), { exitCodeOf: () => exitCodes.usage }),
    );
}

async function gate(io: CommandIo, candidateId: string, flags: GateFlags): Promise<number> {
  const project = await findProject(flags, io.environment);
  const candidate = await runOf(project, candidateId);
  const baselineId = flags.baseline ?? (await labelled(project, candidate, flags.baselineLabel));
  const result = await decided(io, project, candidate.id, bodyOf(baselineId, flags));
  const regressions = await regressionLinks(project, candidate, result.regressions);
  await report(io, { candidate, result, regressions }, flags);
  if (result.passed) return exitCodes.done;
  return result.verdict === 'inconclusive' ? exitCodes.inconclusive : exitCodes.refused;
}

async function report({ terminal, environment }: CommandIo, told: GateReport, { json, junit }: GateFlags): Promise<void> {
  if (junit !== undefined) await writeText(junit, junitOf(told));
  if (environment.stepSummary !== null) await appendText(environment.stepSummary, markdownOf(told));
  if (json) terminal.print(JSON.stringify(told.result));
  else for (const line of gateLines(told, painter(terminal.hasColors))) terminal.print(line);
}

function bodyOf(baselineBatchRunId: string, flags: GateFlags): object {
  const thresholds = {
    maxPassRateDrop: flags.maxPassRateDrop,
    minPassRate: flags.minPassRate,
    maxErrorRate: flags.maxErrorRate,
    maxP95LatencyIncrease: flags.maxP95LatencyIncrease,
    maxCostIncrease: flags.maxCostIncrease,
  };
  const { point, confidence, onInconclusive } = flags;
  // `undefined` is left out of JSON.
  return { baselineBatchRunId, thresholds, confidence: point ? undefined : confidence, onInconclusive };
}

async function decided(io: CommandIo, { client, path }: ProjectClient, candidateId: string, body: object): Promise<GateResult> {
  const url = path(`/simulations/batch-runs/${encodeURIComponent(candidateId)}/gate`);
  for (let looks = 0; ; looks += 1) {
    const answer = await patiently(io, () => client.json<GateResult | GatePending>('POST', url, body));
    if (!answer.pending) {
      io.progress.end();
      return answer;
    }
    io.progress.show(answer.batchRun);
    await io.delay(pollAfter(looks));
  }
}

async function runOf({ client, path }: ProjectClient, id: string): Promise<BatchRun> {
  const { batchRun } = await client.json<{ batchRun: BatchRun }>(
    'GET',
    path(`/simulations/batch-runs/${encodeURIComponent(id)}`),
  );
  return batchRun;
}

/** The newest completed run of the candidate's scenario with a label. Errors: {@link Refusal}. */
async function labelled({ client, path }: ProjectClient, candidate: BatchRun, label: string | undefined): Promise<string> {
  if (label === undefined) throw new Refusal('name the run to compare with: --baseline or --baseline-label');
  const query = new URLSearchParams({ scenarioId: candidate.scenarioId, status: 'completed', label, limit: '2' });
  const { batchRuns } = await client.json<{ batchRuns: BatchRun[] }>('GET', path(`/simulations/batch-runs?${query}`));
  const newest = batchRuns.find(({ id }) => id !== candidate.id);
  if (newest) return newest.id;
  const other = batchRuns.length === 0 ? 'no completed run' : 'no completed run beside the candidate';
  throw new Refusal(
    `the scenario ${visible(candidate.scenarioName)} has ${other} with the label ${label}; start one with: spanwise simulate --label ${label}`,
  );
}
