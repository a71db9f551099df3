import type { IngestPipeline } from '../ingest/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Measures } from './measures.ts';
import type { ProjectEvaluators } from './project-evaluators.ts';
import type { EvaluationDb } from './tables.ts';

/** An item of a dataset run, as far as an evaluator looks at it. */
export interface RunItem {
  id: string;
  projectId: string;
  input: unknown;
  /** undefined: it has none. */
  expectedOutput: unknown;
  /** undefined: the run gave none; its trace may have one. Likewise where duration and cost are null. */
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

/** Where an item of a dataset run is found. */
export interface RunItemPlace {
  id: string;
  datasetId: string;
  runId: string;
  datasetItemId: string;
}

/** What dataset runs give evaluation, and take from it; implemented by features/datasets. */
export interface RunItems {
  read(ids: readonly string[]): Promise<readonly RunItem[]>;
  /** Of a project; those that are gone are left out. */
  places(projectId: string, ids: readonly string[]): Promise<readonly RunItemPlace[]>;
  /** Replaces what the same evaluator said of the same item before. */
  save(scores: readonly RunScore[]): Promise<void>;
}

/** Bounds of the queue; smaller in tests. */
export interface QueueLimits {
  /** Evaluations of arriving data that may wait in a project. */
  online: number;
  /** Evaluations that may wait in a project when a dataset run adds its items. */
  runItems: number;
}

export const queueLimits: QueueLimits = { online: 10_000, runItems: 100_000 };

/** Tells whoever runs evaluations in this process that something was queued. */
export class QueueSignal {
  #listener: (() => void) | null = null;

  listen(listener: () => void): void {
    this.#listener = listener;
  }

  wake(): void {
    this.#listener?.();
  }
}

/** What the queue of evaluations is worked with: enough for those that only add to it. */
export interface QueueContext {
  db: EvaluationDb;
  clock: Clock;
  clickhouse: ClickHouse;
  evaluators: ProjectEvaluators;
  limits: QueueLimits;
  signal: QueueSignal;
}

/** What the verbs of evaluation work with. */
export interface EvaluationContext extends QueueContext {
  pipeline: Pick<IngestPipeline, 'accept'>;
  runItems: RunItems;
  measures: Pick<Measures, 'measure' | 'checkedConfig' | 'hasConnection'>;
}
