import { QueueWorkers } from '../../../platform/jobs/leased-queue/index.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import type { PoolName } from '../tables.ts';
import type { evaluationTable } from './evaluation-jobs.ts';
import { runClaim } from './run-claim.ts';

export interface WorkersOptions {
  /** No other process runs evaluations of this database. */
  alone: boolean;
  /** Called with errors other than failed evaluations. */
  onError(error: unknown): void;
}

const batchSize = 25;
const batchesAtOnce = 2;

/** Evaluations without a model run in batches, which are read and written together. Those that ask a model do not delay them. */
const pools: ReadonlyArray<ConstructorParameters<typeof QueueWorkers>[0]['pools'][number] & { name: PoolName }> = [
  { name: 'quick', concurrency: batchesAtOnce, batchSize, maxOfProject: batchesAtOnce * batchSize },
  { name: 'judge', concurrency: 16, batchSize: 1, maxOfProject: 4 },
];

type Table = typeof evaluationTable;
export type EvaluationWorkers = QueueWorkers<Table['payload'], Table['results'], Table['sums']>;

/** Opens the workers that run queued evaluations in this process. */
export function openEvaluationWorkers(context: EvaluationContext, { alone, onError }: WorkersOptions): EvaluationWorkers {
  const workers: EvaluationWorkers = new QueueWorkers({
    queue: context.jobs,
    name: 'evaluation',
    clock: context.clock,
    pools,
    run: (claim, signal) => runClaim(context, claim, { onError, signal }),
    alone,
    onError,
  });
  context.signal.listen(() => workers.wake());
  return workers;
}
