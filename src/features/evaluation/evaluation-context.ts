import type { IngestPipeline } from '../trace-store/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { EvaluationJobs } from './queue/evaluation-jobs.ts';
import type { Measures } from './measures.ts';
import type { ProjectEvaluators } from './project-evaluators.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/** The part of a dataset run's item that evaluators read. */
export interface RunItem {
  id: string;
  projectId: string;
  input: unknown;
  /** undefined: none. */
  expectedOutput: unknown;
  /** undefined: taken from the item's trace, as are a duration and a cost of null. */
  output: unknown;
  latencyMs: number | null;
  costUsd: number | null;
  traceId: string | null;
}

export interface RunScore {
  runItemId: string;
  /** The evaluator's slug. */
  evaluator: string;
  score: number;
  passed: boolean | null;
  comment: string | null;
}

/** The ids that locate an item of a dataset run. */
export interface RunItemPlace {
  id: string;
  datasetId: string;
  runId: string;
  datasetItemId: string;
}

/** The port to dataset runs, implemented by features/datasets. */
export interface RunItems {
  /** @param payloads whether input, expected output and output are read; default: they are */
  read(ids: readonly string[], payloads?: boolean): Promise<readonly RunItem[]>;
  /** Of one project; deleted items are left out. */
  places(projectId: string, ids: readonly string[]): Promise<readonly RunItemPlace[]>;
  /** Replaces earlier scores of the same evaluator and item. */
  save(scores: readonly RunScore[]): Promise<void>;
}

/** Names of scenarios that use an evaluator, which cannot be deleted then. Implemented by features/simulations. */
export type ScenariosOfEvaluator = (transaction: Transaction, evaluatorId: string) => Promise<string[]>;

/** Bounds of the queue. */
export interface QueueLimits {
  /** Unfinished evaluations of a project above which those of arriving data are refused. */
  online: number;
  /** Unfinished evaluations of a project above which those of run items are refused. */
  runItems: number;
}

export const queueLimits: QueueLimits = { online: 10_000, runItems: 100_000 };

/** Wakes the workers of this process when evaluations were queued. */
export class QueueSignal {
  #listener: (() => void) | null = null;

  listen(listener: () => void): void {
    this.#listener = listener;
  }

  wake(): void {
    this.#listener?.();
  }
}

/** Dependencies of code that queues evaluations. */
export interface QueueContext {
  db: Database;
  clock: Clock;
  clickhouse: ClickHouse;
  evaluators: ProjectEvaluators;
  jobs: EvaluationJobs;
  limits: QueueLimits;
  signal: QueueSignal;
}

/** Dependencies of the other verbs. */
export interface EvaluationContext extends QueueContext {
  pipeline: Pick<IngestPipeline, 'accept'>;
  runItems: RunItems;
  measures: Pick<Measures, 'measure' | 'checkedConfig'>;
  scenariosOfEvaluator: ScenariosOfEvaluator;
}
